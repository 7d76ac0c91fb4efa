/**
 * The settings of whoever records something. Where a file of them cannot be read, the defaults may take what the user did not
 * want to be taken, such as the agent's log: nothing is captured then. Whoever only reads does with what is known.
 */
import type { Settings } from '../../model/settings.js';
import type { Repository } from '../repository/repository.js';

/** @throws settings_unreadable */
export function settingsOfCapture({
  settings,
  settingsProblem,
}: Pick<Repository, 'settings' | 'settingsProblem'>): Settings {
  if (settingsProblem !== undefined) throw settingsProblem;
  return settings;
}
