/** The options that say which settings file is meant. */
import { contextError, type SettingsLayer } from '@savepoint/core';
import type { OptionDefinitions } from '../../arguments/definition.js';

export const LAYER_OPTIONS = {
  user: { summary: 'In your own settings, for all repositories' },
  project: { summary: 'In `.savepoint/settings.json`, for all who work on this project' },
  local: { summary: 'In `.savepoint/settings.local.json`, for this worktree only' },
} as const satisfies OptionDefinitions;

/** Returns the one layer that was named, or none. @throws argument_unexpected for more than one */
export function chosenLayer(
  command: string,
  options: Readonly<Record<keyof typeof LAYER_OPTIONS, boolean>>,
): { readonly layer?: SettingsLayer } {
  const [layer, second] = (['user', 'project', 'local'] as const).filter((name) => options[name]);
  if (second !== undefined) throw contextError('argument_unexpected', { command, argument: `--${second}` });
  return layer === undefined ? {} : { layer };
}
