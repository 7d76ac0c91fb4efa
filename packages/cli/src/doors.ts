/** Where commands get real repositories, keys and settings. */
import { openKeys, openRepository, openSettingsFiles, type Foreseen } from '@savepoint/core';
import * as fs from 'node:fs';
import path from 'node:path';
import type { Doors } from './face/run.js';

export const DOORS: Doors = {
  openRepository,
  openKeys: async ({ env, home }) => openKeys({ env, home }),
  // Both `src/` and `dist/` lie at the root of the package.
  shipped: (name) => fs.readFileSync(path.join(__dirname, '..', name)),
  openUserSettings: ({ env, home }) => {
    const configHome = env['XDG_CONFIG_HOME'] ?? '';
    // The XDG base directory specification: a relative path is to be ignored.
    return openSettingsFiles({ configHome: path.isAbsolute(configHome) ? configHome : path.join(home, '.config') });
  },
};

/** The same, which hand on what the start of this process began already. */
export function foreseeing(foreseen: Foreseen | undefined): Doors {
  return foreseen === undefined
    ? DOORS
    : { ...DOORS, openRepository: (place) => openRepository({ ...place, foreseen }) };
}
