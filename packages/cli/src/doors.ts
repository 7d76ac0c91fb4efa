/** Where commands get real repositories, keys and settings. */
import {
  openHistory,
  openKeys,
  openRepository,
  openSettingsFiles,
  type Foreseen,
  type OpenedRepository,
} from '@savepoint/core';
import * as fs from 'node:fs';
import path from 'node:path';
import type { Doors, Place } from './face/run.js';

/** What every program has. */
const REST: Omit<Doors, 'openRepository' | 'openHistory'> = {
  openKeys: async ({ env, home }) => openKeys({ env, home }),
  // Both `src/` and `dist/` lie at the root of the package.
  shipped: (name) => fs.readFileSync(path.join(__dirname, '..', name)),
  openUserSettings: ({ env, home }) => {
    const configHome = env['XDG_CONFIG_HOME'] ?? '';
    // The XDG base directory specification: a relative path is to be ignored.
    return openSettingsFiles({ configHome: path.isAbsolute(configHome) ? configHome : path.join(home, '.config') });
  },
};

/** The doors of a program that does everything, which hand on what the start of this process began already. */
export function allDoors(foreseen?: Foreseen): Doors {
  const open = (place: Place): Promise<OpenedRepository> => openRepository({ ...place, ...(foreseen && { foreseen }) });
  return { ...REST, openRepository: open, openHistory: open };
}

/** The doors of a program whose commands only look at snapshots. */
export function lookDoors(foreseen?: Foreseen): Doors {
  return { ...REST, openHistory: (place) => openHistory({ ...place, ...(foreseen && { foreseen }) }) };
}
