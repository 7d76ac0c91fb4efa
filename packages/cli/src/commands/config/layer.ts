/** The options that say which settings file is meant. */
import type { SettingsLayer } from '@savepoint/core';
import type { OptionDefinitions } from '../../arguments/definition.js';
import { onlyOne } from '../../arguments/values.js';

export const LAYER_OPTIONS = {
  user: { summary: 'In your own settings, for all repositories' },
  project: { summary: 'In `.savepoint/settings.json`, for all who work on this project' },
  local: { summary: 'In `.savepoint/settings.local.json`, for this worktree only' },
} as const satisfies OptionDefinitions;

const LAYERS = ['user', 'project', 'local'] as const satisfies readonly SettingsLayer[];

/** Returns the one layer that was named, or none. @throws arguments_exclusive for more than one */
export function chosenLayer(
  command: string,
  options: Readonly<Record<(typeof LAYERS)[number], boolean>>,
): { readonly layer?: SettingsLayer } {
  onlyOne(command, Object.fromEntries(LAYERS.map((name) => [`--${name}`, options[name]])));
  const layer = LAYERS.find((name) => options[name]);
  return layer === undefined ? {} : { layer };
}
