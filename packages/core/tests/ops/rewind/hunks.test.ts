/** The merged content of single hunks is in no snapshot before the one that follows: what `git gc` may do to it meanwhile. */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { objectId } from '../../../src/model/tree/object-id.js';
import { verify } from '../../../src/ops/read/verify.js';
import { recover } from '../../../src/ops/rewind/recover.js';
import { redo } from '../../../src/ops/rewind/redo.js';
import { restore, type RestoreResult } from '../../../src/ops/rewind/restore.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { meddledWorld, place, type Place } from './place.js';

const lines = (changed: Readonly<Record<number, string>>): string =>
  Array.from({ length: 30 }, (_, at) => `${changed[at] ?? `line ${String(at)}`}\n`).join('');
const THEN = lines({});
const NOW = lines({ 2: 'first change', 25: 'second change' });
const MERGED = lines({ 2: 'first change' });

async function edited(): Promise<{ readonly at: Place; readonly first: string }> {
  const at = place();
  at.fixture.write('a.txt', THEN);
  const first = await at.snapshot();
  at.fixture.write('a.txt', NOW);
  return { at, first };
}

const gc = ({ fixture }: Place): void => {
  fixture.git('gc', '-q', '--prune=now');
};
const content = ({ fixture }: Place): string => readFileSync(fixture.path('a.txt'), 'utf8');
const isStored = ({ fixture }: Place, text: string): boolean =>
  fixture.run({ args: ['cat-file', '-e', objectId('sha1', 'blob', Buffer.from(text))], accept: 'any' }).code === 0;

async function expectValid(at: Place): Promise<void> {
  const { results } = await at.with((repository) => verify({ repository, all: true, deep: true }));
  expect(results.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
}

/** Takes the second hunk back, while `meddle` happens between the journal and the first write. */
function restoreHunk({ at, first }: { readonly at: Place; readonly first: string }, meddle: () => void) {
  return at.with(async (repository): Promise<RestoreResult> => {
    const world = await meddledWorld(repository, meddle);
    return restore({ repository: world, selector: first, paths: ['a.txt'], hunks: [2] });
  });
}

test('a gc between restore, undo and redo loses nothing, also one amid the restore', async () => {
  const { at, first } = await edited();
  const result = await restoreHunk({ at, first }, () => {
    gc(at);
    expect(isStored(at, MERGED)).toBe(false);
  });
  expect(content(at)).toBe(MERGED);
  expect(result).toMatchObject({ partial: false, notes: [] });
  gc(at);
  expect(isStored(at, MERGED)).toBe(true);
  await expectValid(at);
  await at.with((repository) => undo({ repository }));
  expect(content(at)).toBe(NOW);
  gc(at);
  await at.with((repository) => redo({ repository }));
  expect(content(at)).toBe(MERGED);
  gc(at);
  await expectValid(at);
  await at.with((repository) => undo({ repository }));
  expect(content(at)).toBe(NOW);
});

test.each([
  ['completes from the temporary file', { loseFile: false, outcome: 'completed', text: MERGED }],
  ['rolls back where that is gone too', { loseFile: true, outcome: 'rolled_back', text: NOW }],
])('after a crash and a gc, recover %s', async (_, { loseFile, outcome, text }) => {
  const { at, first } = await edited();
  const died = restoreHunk({ at, first }, () => {
    throw new Error('died');
  });
  await expect(died).rejects.toThrow('died');
  gc(at);
  expect(isStored(at, MERGED)).toBe(false);
  if (loseFile) {
    for (const name of readdirSync(at.fixture.root).filter((one) => one.includes('savepoint-restore')))
      rmSync(at.fixture.path(name), { recursive: true });
    const failed = at.with((repository) => recover({ repository }));
    await expect(failed).rejects.toMatchObject({ code: 'restore_stopped' });
  }
  const result = await at.with((repository) => recover({ repository, rollBack: loseFile }));
  expect(result).toMatchObject({ outcome, left: [] });
  expect(content(at)).toBe(text);
  gc(at);
  await expectValid(at);
});
