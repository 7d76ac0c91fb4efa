import { chmodSync, existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plainRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { gitProcess } from '../../src/store/git/system/process.js';
import {
  lookAtStatus,
  readStatuses,
  readStatus,
  scriptedStatuses,
  statusLines,
  statusScript,
} from '../../src/worktree/listing/directory-status.js';
import type { WorktreePlace } from '../../src/worktree/place/place.js';
import { encodeDirectories, KnownDirectories } from '../../src/worktree/listing/known-directories.js';

const noDirectory = {
  permissions: 0o755,
  files: '',
  directories: '',
  ignoredFiles: '',
  ignoredDirectories: '',
  special: '',
};

const LATER = Date.now() + 60_000;

function place(root: string): WorktreePlace {
  const { PATH: searchPath = '' } = process.env;
  // What only looks at directories needs no git.
  return { root, searchPath, clock: systemClock } as WorktreePlace;
}

/** Where `stat` is not GNU's: as BusyBox's, it refuses an option that it does not know. */
function withOtherStat(root: string): WorktreePlace {
  const programs = path.join(root, 'programs');
  mkdirSync(programs);
  const script = '#!/bin/sh\necho "$0: unrecognized option" >&2\nexit 1\n';
  writeFileSync(path.join(programs, 'stat'), script, { mode: 0o755 });
  const { searchPath = '' } = place(root);
  return { ...place(root), searchPath: `${programs}:${searchPath}` };
}

/** The answer where there has to be one. */
async function answerOf(place: WorktreePlace, paths: readonly string[]): Promise<Buffer> {
  const answer = await readStatuses(place, encoded(paths));
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
}

const encoded = (paths: readonly string[]): Buffer => Buffer.from(paths.map((one) => `${one}\0`).join(''), 'latin1');

function make(): { root: string; paths: string[] } {
  const { root } = plainRepository();
  const modes = [0o755, 0o700, 0o1777, 0o2755, 0o500];
  const names = modes
    .map((mode) => `d${mode.toString(8)}`)
    .concat('--help', 'a b', 'new\nline', 'ünï'.normalize('NFD'));
  for (const [at, name] of names.entries()) {
    mkdirSync(path.join(root, name));
    chmodSync(path.join(root, name), modes[at] ?? 0o755);
    utimesSync(path.join(root, name), 1, 1_700_000_000 + at / 7);
  }
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.of(0xff)]));
  return { root, paths: [...names.map((name) => Buffer.from(name, 'utf8').toString('latin1')), '\xff'] };
}

/** What the script says of directories before git prints its version. */
async function scripted({ root, searchPath }: WorktreePlace, file: string): Promise<Buffer | undefined> {
  const git = gitProcess({ directory: root, environment: { PATH: searchPath } });
  const { answer, result } = git.runAfter(statusScript(file), { args: ['--version'] });
  expect((await result).stdout.toString('utf8')).toMatch(/^git version/);
  return scriptedStatuses(await answer);
}

describe.runIf(process.platform === 'linux')('the status of directories', () => {
  test('is the same in a shell that becomes git', async () => {
    const { root, paths } = make();
    const file = path.join(root, "it's a list");
    const list = (named: readonly string[]): void => {
      writeFileSync(file, encodeDirectories(new Map(named.map((one) => [one, { ...noDirectory, key: '1 2\n' }]))));
    };
    list(['', ...paths]);
    expect(await scripted(place(root), file)).toEqual(await answerOf(place(root), ['.', ...paths]));
    expect(await scripted(withOtherStat(root), file)).toBeUndefined();
    list([...paths, 'gone']);
    expect(await scripted(place(root), file)).toBeUndefined();
    expect(await scripted(place(root), path.join(root, 'no list'))).toBeUndefined();
    writeFileSync(file, '$(touch oops) 1\n');
    expect(await scripted(place(root), file)).toBeUndefined();
    expect(existsSync(path.join(root, 'oops'))).toBe(false);
  });

  test('is the same by GNU stat and by lstat', async () => {
    const { root, paths } = make();
    const lines = statusLines(paths, await answerOf(place(root), paths));
    expect(lines.size).toBe(paths.length);
    for (const one of paths) {
      expect(lookAtStatus(root, one)).toBe(lines.get(one));
      expect(readStatus(lines.get(one) ?? '', LATER)).toMatchObject({ key: lines.get(one) });
    }
  });

  test('is not known where one is gone, or there is no GNU stat', async () => {
    const { root, paths } = make();
    expect(await readStatuses(place(root), encoded([...paths, 'gone']))).toBe('gone');
    expect(await readStatuses({ ...place(root), searchPath: root }, encoded(paths))).toBe('no_gnu_stat');
    expect(await readStatuses(withOtherStat(root), encoded(paths))).toBe('no_gnu_stat');
  });

  test('does not settle anything for what is no directory, or has just changed', async () => {
    const made = Date.now();
    const { root } = make();
    symlinkSync('d755', path.join(root, 'pointer'));
    const lines = statusLines(['pointer', 'd755'], await answerOf(place(root), ['pointer', 'd755']));
    expect(readStatus(lines.get('pointer') ?? '', LATER)).toBeUndefined();
    expect(readStatus(lines.get('d755') ?? '', made)).toMatchObject({ key: '' });
  });

  test('does not settle anything where its times are less than exact', () => {
    expect(readStatus('1 2 755 1700000000.123456789 1700000000.5 directory', LATER)).toEqual({
      permissions: 0o755,
      key: '',
    });
    expect(readStatus('1 2 755 1700000000 1700000000.123456789 directory', LATER)).toMatchObject({ key: '' });
    const exact = '1 2 755 1700000000.123456789 1700000000.123456789 directory';
    expect(readStatus(exact, LATER)).toMatchObject({ key: exact });
  });

  test('is compared for all directories at once', async () => {
    const { root, paths } = make();
    const statuses = await answerOf(place(root), paths);
    const lines = statusLines(paths, statuses);
    const all = new Map(paths.map((one) => [one, { ...noDirectory, key: lines.get(one) ?? '' }]));
    const known = new KnownDirectories(encodeDirectories(all));
    expect([...known]).toEqual([...all]);
    expect(known.areSame(statuses)).toBe(true);
    mkdirSync(path.join(root, 'd755', 'new'));
    expect(known.areSame(await answerOf(place(root), paths))).toBe(false);
    const racy = new KnownDirectories(encodeDirectories(all.set('d700', { ...noDirectory, key: '' })));
    expect(racy.unsettled()).toEqual(['d700']);
    expect(racy.areSame(statuses)).toBe(true);
    expect(racy.areSame(await answerOf(place(root), paths))).toBe(false);
  });
});
