/** `config list | get | set | unset`: settings by layer. */
import type { SettingKey } from '../model/settings.js';

/** Where settings files lie; lowest first: user, project (`.savepoint/settings.json`), local (`settings.local.json`). */
export type SettingsLayer = 'default' | 'user' | 'project' | 'local';

export interface SettingsFiles {
  /** Returns the JSON object of a layer, or undefined where there is no file. @throws settings_unreadable */
  load(layer: SettingsLayer): Promise<Readonly<Record<string, unknown>> | undefined>;
  save(layer: SettingsLayer, value: Readonly<Record<string, unknown>>): Promise<void>;
  path(layer: SettingsLayer): string | undefined;
}
export interface SettingEntry {
  readonly key: SettingKey;
  readonly value: boolean | number | string;
  readonly layer: SettingsLayer;
  readonly summary: string;
}
export interface ConfigResult {
  readonly settings: readonly SettingEntry[];
  /** Unknown keys that were met; they warn and never fail. */
  readonly unknown: readonly { readonly key: string; readonly path: string }[];
}
export declare function configList(request: { readonly files: SettingsFiles }): Promise<ConfigResult>;
export declare function configGet(request: {
  readonly files: SettingsFiles;
  readonly key: string;
}): Promise<SettingEntry>;
export declare function configSet(request: {
  readonly files: SettingsFiles;
  readonly key: string;
  readonly value: string;
  readonly layer?: SettingsLayer;
}): Promise<SettingEntry>;
export declare function configUnset(request: {
  readonly files: SettingsFiles;
  readonly key: string;
  readonly layer?: SettingsLayer;
}): Promise<SettingEntry>;
