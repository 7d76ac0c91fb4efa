import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, plainRepository, temporaryDirectory, type FixtureRepository } from '@savepoint/testkit';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  capture,
  foreseeLook,
  list,
  openRepository,
  show,
  type ForeseenLook,
  type OpenedRepository,
} from '../../src/index.js';

let fixture: FixtureRepository;
let place: { readonly directory: string; readonly env: Record<string, string | undefined> };
let runs: string;

const started = (): readonly string[] => readFileSync(runs, 'utf8').split('\n').filter(Boolean);

async function looking<T>(
  work: (repository: OpenedRepository['repository']) => Promise<T>,
  foreseen?: ForeseenLook,
): Promise<T> {
  const { repository } = await openRepository({ ...place, ...(foreseen && { foreseen }) });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}

const messages = (foreseen?: ForeseenLook): Promise<readonly string[]> =>
  looking(
    async (repository) => (await list({ repository, limit: 5 })).snapshots.map(({ message }) => message),
    foreseen,
  );

const headMessage = (foreseen?: ForeseenLook): Promise<string> =>
  looking(async (repository) => (await show({ repository })).message, foreseen);

const captureAs = (message: string): Promise<unknown> =>
  looking((repository) => capture({ repository, transcript: false, message }));

function foresee(newest: number): ForeseenLook {
  const foreseen = foreseeLook({ ...place, newest });
  if (foreseen === undefined) throw new Error('nothing was foreseen');
  return foreseen;
}

beforeAll(async () => {
  fixture = plainRepository();
  // Of what was written a moment ago nobody can tell whether it will change again.
  utimesSync(fixture.path('.git/config'), 1_700_000_000, 1_700_000_000);
  const folder = temporaryDirectory('programs');
  runs = path.join(folder, 'runs');
  const env = { ...cleanEnvironment(fixture.home) };
  const program = `#!/bin/sh\necho "$*" >> '${runs}'\nPATH='${env['PATH'] ?? ''}' exec git "$@"\n`;
  writeFileSync(path.join(folder, 'git'), program);
  chmodSync(path.join(folder, 'git'), 0o755);
  writeFileSync(runs, '');
  place = { directory: fixture.root, env: { ...env, PATH: `${folder}:${env['PATH'] ?? ''}` } };
  for (const message of ['one', 'two', 'three', 'four', 'five', 'six']) await captureAs(message);
});

beforeEach(() => {
  writeFileSync(runs, '');
});

describe('what git is asked before a look is loaded', () => {
  test('is all that a list of the newest asks it', async () => {
    expect(await messages(foresee(6))).toEqual(['six', 'five', 'four', 'three', 'two']);
    expect(started()).toEqual([expect.stringMatching(/cat-file --batch --buffer$/)]);
  });

  test('is all that a look at the newest asks it, through the process that was started', async () => {
    expect(await headMessage(foresee(1))).toBe('six');
    expect(started()).toEqual([expect.stringMatching(/cat-file --batch$/)]);
  });

  test('is read on through: what was not asked for is found as well', async () => {
    expect(await messages(foresee(1))).toEqual(['six', 'five', 'four', 'three', 'two']);
  });

  test('does not hide what came since', async () => {
    const [many, one] = [foresee(6), foresee(1)];
    await captureAs('seven');
    expect((await messages(many))[0]).toBe('seven');
    expect(await headMessage(one)).toBe('seven');
  });

  test.each([6, 1])(
    'is asked again where that process was killed, after %d snapshots were asked for',
    async (newest) => {
      const foreseen = foresee(newest);
      foreseen.reader.child.kill('SIGKILL');
      expect((await messages(foreseen))[1]).toBe('six');
      const late = foresee(newest);
      late.reader.child.kill('SIGKILL');
      await new Promise((resolve) => late.reader.child.once('exit', resolve));
      expect(await headMessage(late)).toBe('seven');
    },
  );

  test('is nothing that a cache could make up', async () => {
    const catalogue = fixture.path('.git/savepoint/cache/catalogue');
    const before = readFileSync(catalogue, 'latin1');
    // git would read this as an expression, and a list would be told of another commit.
    const made = before.replaceAll(/"parent":"[0-9a-f]{38}/g, (field) => `${field.slice(0, -3)}^^^`);
    writeFileSync(catalogue, made, 'latin1');
    expect((await messages(foresee(6))).slice(0, 3)).toEqual(['seven', 'six', 'five']);
    writeFileSync(catalogue, before, 'latin1');
  });

  test('is not asked, or not believed, where the place is not known or another one', async () => {
    expect(foreseeLook({ ...place, directory: path.dirname(fixture.root), newest: 1 })).toBeUndefined();
    expect(foreseeLook({ ...place, env: {}, newest: 1 })).toBeUndefined();
    expect(foreseeLook({ directory: plainRepository().root, env: place.env, newest: 1 })).toBeUndefined();
    const elsewhere = { ...foresee(1), directory: '/' };
    expect(await headMessage(elsewhere)).toBe('seven');
    elsewhere.reader.child.kill();
  });

  test('has git missed as ever where it cannot be started', async () => {
    const foreseen = foreseeLook({ ...place, env: { ...place.env, PATH: '/nowhere' }, newest: 1 });
    await expect(headMessage(foreseen)).rejects.toMatchObject({ code: 'git_missing' });
  });
});
