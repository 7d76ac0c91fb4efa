import { appendFileSync, chmodSync, copyFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, plainRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import {
  capture,
  foreseeCapture,
  openRepository,
  type CaptureResult,
  type ForeseenCapture,
  type OpenRequest,
} from '../../src/index.js';

const place = ({ root, home }: FixtureRepository): { directory: string; env: Record<string, string | undefined> } => ({
  directory: root,
  env: { ...cleanEnvironment(home) },
});

async function capturing(
  fixture: FixtureRepository,
  more: Pick<OpenRequest, 'foreseen' | 'clock'> = {},
): Promise<CaptureResult> {
  const { repository } = await openRepository({ ...place(fixture), ...more });
  try {
    return await capture({ repository, transcript: false });
  } finally {
    await repository.close();
  }
}

/** A repository that was captured, so that the next capture can be foreseen. */
async function captured(): Promise<FixtureRepository> {
  const fixture = plainRepository();
  fixture.write('watched', 'one\n');
  // Of what was written a moment ago nobody can tell whether it will change again.
  utimesSync(fixture.path('.git/config'), 1_700_000_000, 1_700_000_000);
  const clock = { now: () => Date.now() + 60_000 };
  await capturing(fixture, { clock });
  await capturing(fixture);
  return fixture;
}

function foresee(fixture: FixtureRepository): ForeseenCapture {
  const foreseen = foreseeCapture(place(fixture));
  if (foreseen === undefined) throw new Error('nothing was foreseen');
  return foreseen;
}

/** As if git had said that nothing changed: who believes it takes no snapshot. */
function lying(
  { suspects, ...rest }: ForeseenCapture,
  more: Partial<ForeseenCapture['suspects']> = {},
): ForeseenCapture {
  const answer = Promise.resolve({ code: 0, stdout: Buffer.alloc(0), stderr: '' });
  return { ...rest, suspects: { ...suspects, answer, ...more } };
}

/** A clock that stands since git was asked: an answer is believed for a second, which a busy machine may take. */
const standing = ({ suspects }: ForeseenCapture): { readonly now: () => number } => ({ now: () => suspects.at });

const scanFolder = (foreseen: ForeseenCapture): string => path.dirname(foreseen.suspects.file);

describe('what git is asked before a capture is loaded', () => {
  test('is what the scan needs: it is believed', async () => {
    const fixture = await captured();
    fixture.write('watched', 'two\n');
    const foreseen = foresee(fixture);
    expect((await foreseen.suspects.answer)?.stdout.toString('latin1')).toContain('watched\0');
    const clock = standing(foreseen);
    expect(await capturing(fixture, { foreseen: lying(foreseen), clock })).toMatchObject({ unchanged: true });
    expect(await capturing(fixture, { foreseen: foresee(fixture) })).toMatchObject({ unchanged: false });
    expect(await capturing(fixture, { foreseen: foresee(fixture) })).toMatchObject({ unchanged: true });
  });

  test.each<readonly [string, (foreseen: ForeseenCapture) => ForeseenCapture]>([
    ['of another file', (foreseen) => lying(foreseen, { file: `${foreseen.suspects.file}0` })],
    ['of an earlier file of that name', (foreseen) => lying(foreseen, { key: '1 2 3' })],
    ['of long ago', (foreseen) => lying(foreseen, { at: foreseen.suspects.at - 5000 })],
    ['of a clock that was set back', (foreseen) => lying(foreseen, { at: foreseen.suspects.at + 5000 })],
    ['of another directory', (foreseen) => ({ ...lying(foreseen), directory: '/' })],
    [
      'that failed',
      (foreseen) => lying(foreseen, { answer: Promise.resolve({ code: 128, stdout: Buffer.alloc(0), stderr: '' }) }),
    ],
    ['that never came', (foreseen) => lying(foreseen, { answer: Promise.resolve(undefined) })],
  ])('is asked again in place of an answer %s', async (_, change) => {
    const fixture = await captured();
    fixture.write('watched', 'two\n');
    const foreseen = foresee(fixture);
    const clock = standing(foreseen);
    expect(await capturing(fixture, { foreseen: change(foreseen), clock })).toMatchObject({ unchanged: false });
  });

  test('is believed once', async () => {
    const fixture = await captured();
    const foreseen = foresee(fixture);
    const request = { ...place(fixture), foreseen: lying(foreseen), clock: standing(foreseen) };
    const { repository } = await openRepository(request);
    expect(await capture({ repository, transcript: false })).toMatchObject({ unchanged: true });
    fixture.write('watched', 'two\n');
    expect(await capture({ repository, transcript: false })).toMatchObject({ unchanged: false });
    await repository.close();
  });

  test('is not asked where a scan would not ask it', async () => {
    const fixture = await captured();
    const foreseen = foresee(fixture);
    expect(foreseeCapture({ directory: path.dirname(fixture.root), env: place(fixture).env })).toBeUndefined();
    expect(foreseeCapture({ ...place(fixture), env: {} })).toBeUndefined();
    // Two private indexes: who can say which one is meant?
    copyFileSync(foreseen.suspects.file, path.join(scanFolder(foreseen), 'index-77'));
    expect(foreseeCapture(place(fixture))).toBeUndefined();
    rmSync(path.join(scanFolder(foreseen), 'index-77'));
    expect(foreseeCapture(place(fixture))).toBeDefined();
    // Nothing is run with a configuration that is not ours.
    appendFileSync(path.join(scanFolder(foreseen), 'config'), '[core]\n\tfsmonitor = /bin/false\n');
    expect(foreseeCapture(place(fixture))).toBeUndefined();
    expect(await capturing(fixture)).toMatchObject({ unchanged: true });
    expect(foreseeCapture(place(fixture))).toBeDefined();
    writeFileSync(fixture.path('.git/savepoint/worktrees.json'), 'damaged');
    expect(foreseeCapture(place(fixture))).toBeUndefined();
    expect(foreseeCapture(place(plainRepository()))).toBeUndefined();
  });
});

describe('what is asked about many directories before a capture is loaded', () => {
  const DIRECTORIES = 250;

  const directory = (number: number): string => `directory-${'x'.repeat(100)}-${String(number)}`;

  async function withMany(): Promise<FixtureRepository> {
    const fixture = plainRepository();
    for (let number = 0; number < DIRECTORIES; number += 1) fixture.write(`${directory(number)}/file`, 'one\n');
    utimesSync(fixture.path('.git/config'), 1_700_000_000, 1_700_000_000);
    const clock = { now: () => Date.now() + 60_000 };
    await capturing(fixture, { clock });
    await capturing(fixture);
    return fixture;
  }

  type Statuses = NonNullable<ForeseenCapture['suspects']['directories']>;

  const telling = ({ suspects, ...rest }: ForeseenCapture, directories: Partial<Statuses>): ForeseenCapture => ({
    ...rest,
    suspects: {
      ...suspects,
      ...(suspects.directories && { directories: { ...suspects.directories, ...directories } }),
    },
  });

  test.runIf(process.platform === 'linux')('is what the scan needs: it is believed once', async () => {
    const fixture = await withMany();
    const before = await foresee(fixture).suspects.directories?.answer;
    expect(before?.toString('latin1').match(/ directory\n/g)?.length).toBeGreaterThan(DIRECTORIES);
    fixture.write(`${directory(7)}/born`, 'two\n');
    const asBefore = telling(foresee(fixture), { answer: Promise.resolve(before) });
    const { repository } = await openRepository({ ...place(fixture), foreseen: asBefore });
    expect(await capture({ repository, transcript: false })).toMatchObject({ unchanged: true });
    expect(await capture({ repository, transcript: false })).toMatchObject({ unchanged: false });
    await repository.close();
  });

  const names = (fixture: FixtureRepository): readonly string[] => {
    const head = fixture.git('for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines');
    return fixture.git('ls-tree', '-r', '--name-only', `${head}:worktree`).split('\n').sort();
  };

  const withoutPrograms = (fixture: FixtureRepository): ForeseenCapture => {
    const { directory, env } = place(fixture);
    const foreseen = foreseeCapture({ directory, env: { ...env, PATH: '/nowhere' } });
    if (foreseen === undefined) throw new Error('nothing was foreseen');
    return foreseen;
  };

  test.each<readonly [string, (fixture: FixtureRepository) => ForeseenCapture]>([
    ['as it is', foresee],
    ['that never came', (fixture) => telling(foresee(fixture), { answer: Promise.resolve(undefined) })],
    [
      'about other directories',
      (fixture) => telling(foresee(fixture), { file: 'directories-0', answer: Promise.resolve(Buffer.from('no\n')) }),
    ],
    ['of a shell that is not there', withoutPrograms],
  ])('what came, went and changed is found with an answer %s', async (_, foreseeing) => {
    const fixture = await withMany();
    const take = async (): Promise<CaptureResult> => capturing(fixture, { foreseen: foreseeing(fixture) });
    const before = names(fixture);
    fixture.write(`${directory(3)}/born`, 'two\n');
    fixture.write(`${directory(4)}/new/inner`, 'two\n');
    await take();
    const both = [...before, `${directory(3)}/born`, `${directory(4)}/new/inner`].sort();
    expect(names(fixture)).toEqual(both);
    rmSync(fixture.path(directory(3)), { recursive: true });
    await take();
    expect(names(fixture)).toEqual(both.filter((name) => !name.startsWith(`${directory(3)}/`)));
    chmodSync(fixture.path(directory(5)), 0o700);
    expect(await take()).toMatchObject({ unchanged: false });
    expect(await take()).toMatchObject({ unchanged: true });
  });
});
