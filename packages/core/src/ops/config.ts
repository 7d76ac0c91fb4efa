/** `config list | get | set | unset`: settings by layer. */
import { contextError } from '../base/errors.js';
import { SETTINGS, type SettingDefinition, type SettingKey } from '../model/settings.js';

/** Where a value comes from; lowest first: what is built in, then the files of user, project (`.savepoint/settings.json`), local (`settings.local.json`). */
export type SettingsLayer = 'default' | 'user' | 'project' | 'local';

/** The port to the files that hold settings. */
export interface SettingsFiles {
  /** Returns the JSON object of a layer, or undefined where there is no file. @throws settings_unreadable */
  load(layer: SettingsLayer): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Replaces the file of a layer, or makes it. */
  save(layer: SettingsLayer, value: Readonly<Record<string, unknown>>): Promise<void>;
  /** Returns where the file of a layer is or would be, absolute; undefined where the layer has none. */
  path(layer: SettingsLayer): string | undefined;
}

/** The effective value of one setting, and the layer that it comes from. */
export interface SettingEntry {
  readonly key: SettingKey;
  readonly value: boolean | number | string;
  readonly layer: SettingsLayer;
  readonly summary: string;
}

/** All settings, and what the files hold beside them. */
export interface ConfigResult {
  readonly settings: readonly SettingEntry[];
  /** Unknown keys that were met; they warn and never fail. */
  readonly unknown: readonly { readonly key: string; readonly path: string }[];
  /** What a repository's settings tried to choose and must not; it is passed over. */
  readonly refused: readonly { readonly key: string; readonly path: string }[];
}

type SettingValue = SettingEntry['value'];

const LAYERS: readonly SettingsLayer[] = ['user', 'project', 'local'];
const KEYS = Object.keys(SETTINGS) as readonly SettingKey[];

/**
 * Lists every setting with its value and the layer that it comes from. @throws settings_unreadable; setting_malformed
 * @example
 * const { settings, unknown } = await configList({ files: settingsFiles });
 * console.log(settings.map(({ key, value }) => `${key}=${String(value)}`), unknown);
 */
export async function configList({ files }: { readonly files: SettingsFiles }): Promise<ConfigResult> {
  const loaded = await loadLayers(files);
  const settings = KEYS.map((key) => entryOf(key, loaded));
  const unknown = loaded.flatMap(({ layer, values }) =>
    Object.keys(values)
      .filter((key) => !isSetting(key))
      .map((key) => ({ key, path: files.path(layer) ?? layer })),
  );
  const refused = loaded.flatMap(({ layer, values }) =>
    KEYS.filter((key) => Object.hasOwn(values, key) && !mayHold(layer, key)).map((key) => ({
      key,
      path: files.path(layer) ?? layer,
    })),
  );
  return { settings, unknown, refused };
}

/**
 * Returns the effective value of one setting. @throws unknown_setting; settings_unreadable; setting_malformed
 * @example
 * const { value } = await configGet({ files: settingsFiles, key: 'capture.maxFileBytes' });
 * console.log(value);
 */
export async function configGet({
  files,
  key,
}: {
  readonly files: SettingsFiles;
  readonly key: string;
}): Promise<SettingEntry> {
  if (!isSetting(key)) throw contextError('unknown_setting', { key });
  return entryOf(key, await loadLayers(files));
}

interface LoadedLayer {
  readonly layer: SettingsLayer;
  readonly values: Values;
}

function loadLayers(files: Pick<SettingsFiles, 'load'>): Promise<readonly LoadedLayer[]> {
  const load = async (layer: SettingsLayer) => Object.fromEntries(flatten((await files.load(layer)) ?? {}, ''));
  return Promise.all(LAYERS.map(async (layer) => ({ layer, values: await load(layer) })));
}

function entryOf(key: SettingKey, loaded: readonly LoadedLayer[]): SettingEntry {
  const definition = definitionOf(key);
  const { summary } = definition;
  const found = loaded.findLast(({ layer, values }) => mayHold(layer, key) && Object.hasOwn(values, key));
  if (found === undefined) return { key, value: definition.default, layer: 'default', summary };
  return { key, value: checkValue(key, found.values[key]), layer: found.layer, summary };
}

/**
 * Sets a value in one layer, the user's by default. @throws unknown_setting; setting_malformed; settings_unreadable
 * @example
 * await configSet({ files: settingsFiles, key: 'capture.maxFileBytes', value: '1000000', layer: 'user' });
 */
export async function configSet({
  files,
  key,
  value,
  layer = 'user',
}: {
  readonly files: SettingsFiles;
  readonly key: string;
  readonly value: string;
  readonly layer?: SettingsLayer;
}): Promise<SettingEntry> {
  if (!isSetting(key)) throw contextError('unknown_setting', { key });
  if (!mayHold(layer, key)) {
    throw contextError('setting_malformed', { key, value, reason: 'a repository cannot choose it; use `--user`' });
  }
  const parsed = parseValue(key, value);
  return change(files, { layer, key }, (values) => ({ ...without(values, key), [key]: parsed }));
}

/**
 * Removes a value from one layer, the user's by default. @throws unknown_setting; settings_unreadable
 * @example
 * await configUnset({ files: settingsFiles, key: 'capture.maxFileBytes', layer: 'user' });
 */
export async function configUnset({
  files,
  key,
  layer = 'user',
}: {
  readonly files: SettingsFiles;
  readonly key: string;
  readonly layer?: SettingsLayer;
}): Promise<SettingEntry> {
  if (!isSetting(key)) throw contextError('unknown_setting', { key });
  return change(files, { layer, key }, (values) => without(values, key));
}

function mayHold(layer: SettingsLayer, key: SettingKey): boolean {
  return layer === 'user' || definitionOf(key).own !== true;
}

type Values = Readonly<Record<string, unknown>>;

/** Keys may stand dotted (`"capture.maxFileBytes"`) or nested (`{"capture": {"maxFileBytes": …}}`). */
function* flatten(values: Values, prefix: string): Iterable<readonly [key: string, value: unknown]> {
  for (const [name, value] of Object.entries(values)) {
    const key = prefix + name;
    if (isValues(value) && !isSetting(key)) yield* flatten(value, `${key}.`);
    else yield [key, value];
  }
}

/** Returns the values without a key, in whichever way it is written. */
function without(values: Values, key: string): Values {
  const kept = Object.entries(values).flatMap(([name, value]): (readonly [string, unknown])[] => {
    if (name === key) return [];
    if (!isValues(value) || !key.startsWith(`${name}.`)) return [[name, value]];
    const inner = without(value, key.slice(name.length + 1));
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// What is not known here may belong to a later version: it stays.
async function change(
  files: SettingsFiles,
  { layer, key }: { readonly layer: SettingsLayer; readonly key: SettingKey },
  edit: (values: Values) => Values,
): Promise<SettingEntry> {
  if (layer === 'default') {
    throw contextError('argument_malformed', {
      value: layer,
      argument: 'a layer',
      reason: 'the defaults cannot be changed',
    });
  }
  const before = await files.load(layer);
  const after = edit(before ?? {});
  // Before anything is written: what another layer says cannot fail any more then.
  const entry = entryOf(key, await loadLayers({ load: async (one) => (one === layer ? after : files.load(one)) }));
  if (before !== undefined || Object.keys(after).length > 0) await files.save(layer, after);
  return entry;
}

// The widened type: a switch over it must not depend on which types the settings of today have.
function definitionOf(key: SettingKey): SettingDefinition {
  return SETTINGS[key];
}

function isSetting(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

function parseValue(key: SettingKey, text: string): SettingValue {
  const { type } = definitionOf(key);
  if (type === 'boolean') {
    if (/^(?:true|yes|on|1)$/i.test(text)) return true;
    if (/^(?:false|no|off|0)$/i.test(text)) return false;
    throw malformed(key, text);
  }
  if (type === 'text' || type === 'file') return checkValue(key, text);
  const found = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  const unit = UNITS[(found?.[2] ?? '').toLowerCase()] ?? 1;
  if (found === null || (type === 'count' && !/^\d+$/.test(text.trim()))) throw malformed(key, text);
  return checkValue(key, Math.round(Number(found[1]) * unit));
}

function checkValue(key: SettingKey, value: unknown): SettingValue {
  const { type } = definitionOf(key);
  if (type === 'boolean' && typeof value === 'boolean') return value;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'file' && typeof value === 'string' && value.startsWith('/') && !value.includes('\0')) return value;
  const isNumber = type === 'bytes' || type === 'count';
  if (isNumber && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw malformed(key, typeof value === 'string' ? value : JSON.stringify(value));
}

const EXPECTED: Readonly<Record<SettingDefinition['type'], string>> = {
  boolean: 'it is true or false',
  bytes: 'it is a number of bytes, such as 1048576 or 50MiB',
  count: 'it is a whole number',
  text: 'it is text',
  file: 'it is the absolute path of a file',
};

function malformed(key: SettingKey, value: string): Error {
  return contextError('setting_malformed', { key, value, reason: EXPECTED[definitionOf(key).type] });
}
