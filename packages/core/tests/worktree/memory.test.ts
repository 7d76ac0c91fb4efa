import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  becomeOneself,
  becomeOrdinary,
  giveTo,
  NOBODY,
  permissionsCount,
  unbornRepository,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import type { FilesystemRecord } from '../../src/model/tree/filesystem.js';
import { filesBelow, look, objectSpace, type ObjectSpace } from './bench.js';

interface Bench {
  readonly fixture: FixtureRepository;
  readonly space: ObjectSpace;
  readonly folder: string;
}

async function remembered(): Promise<Bench> {
  const fixture = unbornRepository();
  const space = objectSpace(fixture);
  for (let at = 0; at < 5; at += 1) fixture.write(`d/f${String(at)}`, `content ${String(at)}`);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await look(fixture, space);
  const scans = fixture.path('.git/savepoint/scan');
  const name = readdirSync(scans).find((one) => readdirSync(path.join(scans, one)).includes('memory')) ?? '';
  return { fixture, space, folder: path.join(scans, name) };
}

const indexOf = (folder: string): string =>
  path.join(folder, readdirSync(folder).find((name) => name.startsWith('index-')) ?? '');
const memoryOf = (folder: string): string => path.join(folder, 'memory');

const directoriesOf = (folder: string): string =>
  path.join(folder, readdirSync(folder).find((name) => name.startsWith('directories-')) ?? '');

const damages: readonly (readonly [string, (folder: string) => void])[] = [
  [
    'a memory that is gone',
    (folder) => {
      rmSync(memoryOf(folder));
    },
  ],
  [
    'a memory cut short',
    (folder) => {
      truncateSync(memoryOf(folder), 100);
    },
  ],
  [
    'an empty memory',
    (folder) => {
      truncateSync(memoryOf(folder), 0);
    },
  ],
  [
    'a memory with a flipped bit',
    (folder) => {
      const bytes = readFileSync(memoryOf(folder));
      bytes[bytes.length - 20] = (bytes[bytes.length - 20] ?? 0) ^ 1;
      writeFileSync(memoryOf(folder), bytes);
    },
  ],
  [
    'a memory of an older version',
    (folder) => {
      writeFileSync(memoryOf(folder), readFileSync(memoryOf(folder), 'latin1').replace(/^\d+/, '1'), 'latin1');
    },
  ],
  [
    'a list of directories that is gone',
    (folder) => {
      rmSync(directoriesOf(folder));
    },
  ],
  [
    'a list of directories cut short',
    (folder) => {
      truncateSync(directoriesOf(folder), 20);
    },
  ],
  [
    'a list of directories that names one file less',
    (folder) => {
      writeFileSync(directoriesOf(folder), readFileSync(directoriesOf(folder), 'latin1').replace('f1/', ''), 'latin1');
    },
  ],
  [
    'a private index that is gone',
    (folder) => {
      rmSync(indexOf(folder));
    },
  ],
  [
    'a private index cut short',
    (folder) => {
      truncateSync(indexOf(folder), 50);
    },
  ],
  [
    'a private index of somebody else',
    (folder) => {
      writeFileSync(indexOf(folder), readFileSync(indexOf(folder)));
    },
  ],
  [
    'an empty private index',
    (folder) => {
      truncateSync(indexOf(folder), 0);
    },
  ],
  [
    'a folder that is gone',
    (folder) => {
      rmSync(folder, { recursive: true });
    },
  ],
];

describe('a scan that remembers', () => {
  test.each(damages)('%s reads everything anew', async (_, damage) => {
    const { fixture, space, folder } = await remembered();
    fixture.write('d/f1', 'another 1');
    damage(folder);
    const warm = await look(fixture, space);
    expect(warm).toEqual(await look(fixture, space, { fresh: true }));
    expect((await filesBelow(space, warm.tree)).size).toBe(5);
    expect(readdirSync(folder).filter((name) => name.startsWith('index-'))).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('directories-'))).toHaveLength(1);
  });

  test('writes the list of directories only when one changed', async () => {
    const { fixture, space, folder } = await remembered();
    await look(fixture, space);
    const before = directoriesOf(folder);
    const { ino } = statSync(before);
    fixture.write('d/f1', 'another 1');
    await look(fixture, space);
    expect(statSync(directoriesOf(folder)).ino).toBe(ino);
    fixture.write('d/new', 'new');
    await look(fixture, space);
    expect(directoriesOf(folder)).not.toBe(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('directories-'))).toHaveLength(1);
  });

  test('sees what the index alone makes of a directory that has not changed', async () => {
    const { fixture, space } = await remembered();
    fixture.write('.gitignore', 'ignored\n');
    fixture.write('d/ignored', 'ignored');
    fixture.write('d/below/file', 'of a submodule, one day');
    await look(fixture, space);
    // Twice, so that the status of each directory is old enough to be believed.
    await new Promise((resolve) => setTimeout(resolve, 30));
    const before = await look(fixture, space);
    fixture.git('add', '-f', 'd/ignored');
    const tracked = await look(fixture, space);
    expect(tracked.filesystem).not.toEqual(before.filesystem);
    expect(tracked).toEqual(await look(fixture, space, { fresh: true }));
    fixture.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},d/below`);
    const closed = await look(fixture, space);
    expect(closed.filesystem).toMatchObject({ boundaries: [{ path: 'd/below', kind: 'submodule' }] });
    expect([...(await filesBelow(space, closed.tree)).keys()]).not.toContain('d/below/file');
    expect(closed).toEqual(await look(fixture, space, { fresh: true }));
  });

  test.runIf(process.platform === 'linux')('does not ask again for a GNU stat that is not there', async () => {
    const { fixture, space } = await remembered();
    const programs = path.join(fixture.base, 'programs');
    const calls = path.join(fixture.base, 'calls');
    mkdirSync(programs);
    writeFileSync(path.join(programs, 'stat'), `#!/bin/sh\necho called >> '${calls}'\nexit 1\n`, { mode: 0o755 });
    for (let at = 0; at < 5; at += 1) await look(fixture, space, { programs });
    expect(readFileSync(calls, 'utf8')).toBe('called\n');
    // A memory that is made anew asks anew.
    await look(fixture, space, { programs, fresh: true, forget: false });
    for (let at = 0; at < 3; at += 1) await look(fixture, space, { programs });
    expect(readFileSync(calls, 'utf8')).toBe('called\ncalled\n');
  });

  test.runIf(permissionsCount)('nothing of what may not be read is said to be absent', async () => {
    const fixture = unbornRepository();
    const space = objectSpace(fixture);
    fixture.write('open/file', 'open');
    fixture.write('shut/file', 'shut');
    fixture.write('listed/deep/file', 'names can be read, nothing else');
    fixture.write('secret', 'secret');
    giveTo(fixture.base, NOBODY);
    mkdirSync(fixture.path('.git/savepoint'), { recursive: true });
    giveTo(fixture.path('.git'), NOBODY);
    for (const [name, mode] of [
      ['shut', 0],
      ['listed', 0o444],
      ['secret', 0],
    ] as const)
      chmodSync(fixture.path(name), mode);
    try {
      becomeOrdinary();
      for (const fresh of [false, false, true]) {
        const seen = await look(fixture, space, { fresh });
        const { omitted } = seen.filesystem as FilesystemRecord;
        expect(omitted).toEqual([
          { path: 'listed/deep/', reason: 'unreadable' },
          { path: 'secret', reason: 'unreadable', bytes: 6 },
          { path: 'shut/', reason: 'unreadable' },
        ]);
        expect([...(await filesBelow(space, seen.tree)).keys()]).toEqual(['open/file']);
      }
    } finally {
      becomeOneself();
      for (const name of ['shut', 'listed']) chmodSync(fixture.path(name), 0o755);
    }
  });
});
