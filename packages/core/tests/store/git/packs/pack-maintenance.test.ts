import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../../src/base/clock.js';
import { notePacks } from '../../../../src/store/git/packs/pack-list.js';
import { packListFile, packMaintenance } from '../../../../src/store/git/packs/pack-maintenance.js';
import { gitProcess } from '../../../../src/store/git/system/process.js';
import { localFiles } from '../../../../src/store/git/local-files.js';
import { storeInGit } from '../fixture.js';

const packs = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `pack-${String(from + at).padStart(40, '0')}.pack`);

test('what a power cut left kept is released after a day, what others keep is not', async () => {
  const bench = storeInGit();
  const { commonDirectory, objects, user } = bench.place;
  const folder = path.join(commonDirectory, 'savepoint');
  mkdirSync(folder, { recursive: true });
  const keep = (digit: string, content: string, time: number): string => {
    const file = path.join(objects, 'pack', `pack-${digit.repeat(40)}.keep`);
    writeFileSync(file, content);
    utimesSync(file, time, time);
    return file;
  };
  const now = systemClock.now() / 1000;
  const files = [keep('a', 'savepoint\n', 1), keep('b', 'savepoint\n', now), keep('c', '', 1)];
  const git = gitProcess(user);
  const local = localFiles(folder, systemRandom);
  const place = { objects, commonDirectory, root: bench.fixture.root, git, local };
  await packMaintenance({ ...place, clock: systemClock, random: systemRandom }).run();
  expect(files.map((file) => existsSync(file))).toEqual([false, true, true]);
  await bench.dispose();
});

describe('merging of packs', () => {
  test('is due from the 16th pack on, and no more when they are merged and gone', async () => {
    const bench = storeInGit();
    const { commonDirectory, objects, user } = bench.place;
    const folder = path.join(commonDirectory, 'savepoint');
    mkdirSync(folder, { recursive: true });
    const file = packListFile(commonDirectory);
    const { isDue } = packMaintenance({
      objects,
      commonDirectory,
      root: bench.fixture.root,
      git: gitProcess(user),
      local: localFiles(folder, systemRandom),
      clock: systemClock,
      random: systemRandom,
    });
    expect(isDue()).toBe(false);
    notePacks(file, '+', packs(0, 15));
    expect(isDue()).toBe(false);
    notePacks(file, '+', packs(15, 16));
    expect(isDue()).toBe(true);
    notePacks(file, '+', packs(16, 17));
    notePacks(file, '=', packs(0, 16));
    notePacks(file, '-', packs(0, 16));
    expect(isDue()).toBe(false);
    await bench.dispose();
  });
});
