/** A roll-back that is interrupted itself: the next one ends it, index and record included. */
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { capture } from '../../../src/ops/capture.js';
import { operations } from '../../../src/ops/rewind/operations.js';
import { recover } from '../../../src/ops/rewind/recover.js';
import { rewind } from '../../../src/ops/rewind/rewind.js';
import type { Repository } from '../../../src/ops/repository/repository.js';
import type { Replacement } from '../../../src/worktree/replace/replacement.js';
import { meddledReplacement, place, withPrepare, type Place } from './place.js';

class Killed extends Error {}

/** Leaves the replacement as a killed process does. */
function killedAt(
  replacement: Replacement,
  call: 'apply' | 'close' | 'rollBack',
  when: 'before' | 'after',
): Replacement {
  return meddledReplacement(replacement, {
    [call]: async () => {
      if (when === 'after') await replacement[call]();
      replacement.leave();
      throw new Killed();
    },
  });
}

/** A rewind of files and index that was killed; returns what was staged before and after it. */
async function killedRewind(at: Place, call: 'apply' | 'close'): Promise<{ readonly before: string }> {
  at.fixture.write('a', 'then\n');
  at.fixture.git('add', 'a');
  const first = await at.snapshot();
  at.fixture.write('a', 'now\n');
  at.fixture.git('add', 'a');
  await at.snapshot();
  const before = at.fixture.git('ls-files', '--stage');
  const run = at.with(async (repository) => {
    const world = await withPrepare(repository, async (request, replacements) =>
      killedAt(await replacements.prepare(request), call, 'before'),
    );
    return rewind({ repository: world, selector: first, index: true });
  });
  await expect(run).rejects.toThrow(Killed);
  return { before };
}

const folders = ({ fixture }: Place): readonly string[] =>
  readdirSync(fixture.root).filter((name) => name.startsWith('.savepoint'));

test('that dies while it sweeps up is swept up by the next one', async () => {
  const at = place();
  await killedRewind(at, 'apply');
  const journals = at.fixture.path(
    '.git/savepoint/restores',
    readdirSync(at.fixture.path('.git/savepoint/restores'))[0] ?? '',
  );
  renameSync(`${journals}/journal`, `${journals}/journal-taken-back`);
  expect(folders(at)).toHaveLength(1);
  expect(await at.with((repository) => recover({ repository }))).toEqual({ outcome: 'rolled_back', left: [] });
  expect(folders(at)).toEqual([]);
  expect(existsSync(`${journals}/journal-taken-back`)).toBe(false);
  expect(await at.with((repository) => recover({ repository }))).toEqual({ outcome: 'nothing', left: [] });
});

/** Has the replacement that is taken over die at a call. */
function withOpen(repository: Repository, call: 'rollBack' | 'close', when: 'before' | 'after'): Repository {
  const { worktree } = repository;
  const open: typeof worktree.replacements.open = async (content) => {
    const replacement = await worktree.replacements.open(content);
    return replacement && killedAt(replacement, call, when);
  };
  return { ...repository, worktree: { ...worktree, replacements: { ...worktree.replacements, open } } };
}

test.each([
  ['before it is on record', 'rollBack', 'after'],
  ['before it is closed', 'close', 'before'],
] as const)('that dies %s goes on to the end: files, index and record', async (_, call, when) => {
  const at = place();
  const { before } = await killedRewind(at, 'close');
  expect(at.fixture.git('ls-files', '--stage')).not.toBe(before);
  const died = at.with((repository) => recover({ repository: withOpen(repository, call, when), rollBack: true }));
  await expect(died).rejects.toThrow(Killed);
  await expect(at.with((repository) => capture({ repository }))).rejects.toMatchObject({ kind: 'recovery_needed' });
  expect(await at.with((repository) => recover({ repository }))).toMatchObject({ outcome: 'rolled_back', left: [] });
  expect([at.fixture.git('ls-files', '--stage'), readFileSync(at.fixture.path('a'), 'utf8'), folders(at)]).toEqual([
    before,
    'now\n',
    [],
  ]);
  const { operations: done } = await at.with((repository) => operations({ repository }));
  expect(done.map(({ kind }) => kind)).toEqual(['undo', 'rewind']);
});
