/** What a rewind must never do: lose bytes, touch git's state, follow links, or begin where it cannot end. */
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cherryPickStop, differences, mergeConflict, observe, rebaseStop } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../src/ops/rewind/operations.js';
import { recover } from '../../../src/ops/rewind/recover.js';
import { capture } from '../../../src/ops/capture.js';
import { rewind, rewindPoints, type RewindRequest } from '../../../src/ops/rewind/rewind.js';
import { status } from '../../../src/ops/read/status.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { meddledReplacement, place, placeAt, treeOf, withPrepare, type Place } from './place.js';

function rewindTo(at: Place, selector: string, more: Partial<RewindRequest> = {}) {
  return at.with((repository) => rewind({ repository, selector, ...more }));
}

/** What differs outside the files of the worktree. */
function outside(before: ReturnType<typeof observe>, at: Place): readonly string[] {
  return differences(before, observe(at.fixture)).filter((line) => !line.startsWith('"worktree '));
}

test("moves nothing of git's: branches, HEAD, index, stash and reflogs stay, in a dirty tree too", async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'stashed\n');
  at.fixture.git('stash');
  at.fixture.write('a.txt', 'second\n');
  at.fixture.git('commit', '-qam', 'Second');
  at.fixture.write('a.txt', 'staged\n');
  at.fixture.git('add', 'a.txt');
  at.fixture.write('a.txt', 'worktree\n');
  const before = observe(at.fixture);
  await rewindTo(at, first);
  expect(outside(before, at)).toEqual([]);
  await at.with((repository) => undo({ repository }));
  expect(outside(before, at)).toEqual([]);
  expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('worktree\n');
});

test('leaves what is unchanged as it is, with its modification time', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  const { mtimeNs, ino } = lstatSync(at.fixture.path('dir/b.txt'), { bigint: true });
  const result = await rewindTo(at, first);
  expect(result.files.map(({ path, action }) => [path, action])).toEqual([['a.txt', 'write']]);
  expect(lstatSync(at.fixture.path('dir/b.txt'), { bigint: true })).toMatchObject({ mtimeNs, ino });
});

describe('a preview', () => {
  test('changes nothing at all, and the plan that it gives is exactly what is done', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    at.fixture.write('new.txt', 'new\n');
    await at.snapshot();
    const [before, refs] = [observe(at.fixture), at.fixture.git('for-each-ref')];
    const preview = await rewindTo(at, first, { dryRun: true });
    expect(differences(before, observe(at.fixture))).toEqual([]);
    expect(at.fixture.git('for-each-ref')).toBe(refs);
    expect(preview.operation ?? preview.safety).toBeUndefined();
    expect(preview.totals).toEqual({ create: 0, overwrite: 1, delete: 1, mode: 0, skip: 0, conflict: 0, bytes: 2 });
    const result = await rewindTo(at, first, { plan: preview.plan });
    expect(result).toMatchObject({ plan: preview.plan, files: preview.files, totals: preview.totals });
  });

  test('that does not fit any more is refused, and nothing is changed', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    const { plan } = await rewindTo(at, first, { dryRun: true });
    at.fixture.write('a.txt', 'changed again\n');
    const [before, refs] = [observe(at.fixture), at.fixture.git('for-each-ref')];
    await expect(rewindTo(at, first, { plan })).rejects.toMatchObject({ code: 'plan_changed', kind: 'conflict' });
    expect(differences(before, observe(at.fixture))).toEqual([]);
    expect(at.fixture.git('for-each-ref')).toBe(refs);
    await expect(rewindTo(at, first, { plan: 'nonsense' })).rejects.toMatchObject({ code: 'plan_changed' });
  });

  test('that an earlier plan is given to says whether that one still fits', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    const { plan } = await rewindTo(at, first, { dryRun: true });
    const again = await rewindTo(at, first, { dryRun: true, plan });
    expect(again).toMatchObject({ plan, dryRun: true });
    expect(again.notes).toEqual([`The plan ${plan.slice(0, 12)} still fits.`]);
    at.fixture.write('a.txt', 'changed again\n');
    await expect(rewindTo(at, first, { dryRun: true, plan })).rejects.toMatchObject({ code: 'plan_changed' });
  });
});

describe('a store that has lost something', () => {
  function loseBlob(at: Place, content: string): void {
    const id = at.fixture
      .run({ args: ['hash-object', '--stdin'], input: content })
      .stdout.toString()
      .trim();
    // Snapshots lie in packs: all but this object go into loose files.
    const packs = at.fixture.path('.git/objects/pack');
    const moved = path.join(at.fixture.base, 'packs');
    mkdirSync(moved);
    for (const name of readdirSync(packs)) {
      const bytes = readFileSync(path.join(packs, name));
      writeFileSync(path.join(moved, name), bytes);
      rmSync(path.join(packs, name), { force: true });
    }
    for (const name of readdirSync(moved).filter((file) => file.endsWith('.pack'))) {
      at.fixture.run({ args: ['unpack-objects', '-q'], input: readFileSync(path.join(moved, name)) });
    }
    rmSync(at.fixture.path('.git/objects', id.slice(0, 2), id.slice(2)), { force: true });
  }

  test('a blob: refuses before the first write, as a whole and for the single file', async () => {
    const at = place();
    at.fixture.write('only-once.txt', 'only in the snapshot\n');
    const first = await at.snapshot();
    at.fixture.write('only-once.txt', 'changed\n');
    at.fixture.write('a.txt', 'changed\n');
    await at.snapshot();
    loseBlob(at, 'only in the snapshot\n');
    const before = treeOf(at.fixture.root);
    for (const more of [{}, { paths: ['only-once.txt'] }, { dryRun: true }]) {
      await expect(rewindTo(at, first, more)).rejects.toMatchObject({ code: 'object_missing', kind: 'corrupt' });
      expect(treeOf(at.fixture.root)).toEqual(before);
    }
  });
});

describe('links', () => {
  test('a file that became a link out of the tree is replaced, and what it leads to is untouched', async () => {
    const at = place();
    const first = await at.snapshot();
    const victim = path.join(at.fixture.beside, 'victim.txt');
    rmSync(at.fixture.path('a.txt'));
    symlinkSync(victim, at.fixture.path('a.txt'));
    const before = observe(at.fixture);
    await rewindTo(at, first);
    expect(lstatSync(at.fixture.path('a.txt')).isFile()).toBe(true);
    expect(outside(before, at)).toEqual([]);
  });

  test('a directory that became a link is replaced by a directory, and nothing is written through it', async () => {
    const at = place();
    const first = await at.snapshot();
    const tree = treeOf(at.fixture.root);
    rmSync(at.fixture.path('dir'), { recursive: true });
    symlinkSync(path.join(at.fixture.beside, 'deep'), at.fixture.path('dir'));
    const before = observe(at.fixture);
    await rewindTo(at, first);
    expect(treeOf(at.fixture.root)).toEqual(tree);
    expect(outside(before, at)).toEqual([]);
  });

  test('a hard link to a file outside is broken, not written through', async () => {
    const at = place();
    const first = await at.snapshot();
    rmSync(at.fixture.path('a.txt'));
    linkSync(path.join(at.fixture.beside, 'victim.txt'), at.fixture.path('a.txt'));
    await rewindTo(at, first);
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('a\n');
    expect(readFileSync(path.join(at.fixture.beside, 'victim.txt'), 'utf8')).toBe('beside\n');
  });
});

test.each([
  ['merge', mergeConflict],
  ['rebase', rebaseStop],
  ['cherry-pick', cherryPickStop],
])('a %s in progress keeps its state files and its index, and is named', async (name, make) => {
  const at = placeAt(make());
  const first = await at.snapshot();
  at.fixture.write('later.txt', 'later\n');
  await at.snapshot();
  const before = observe(at.fixture);
  const result = await rewindTo(at, first);
  expect(result.notes.join(' ')).toContain(`A ${name} of git is in progress`);
  expect(outside(before, at)).toEqual([]);
  if (name !== 'merge') return;
  at.fixture.git('add', '-A');
  at.fixture.git('commit', '-qm', 'Merged');
  expect(at.fixture.git('log', '-1', '--format=%P').split(' ')).toHaveLength(2);
});

describe('paths', () => {
  test('limit a rewind to what is named, and the safety snapshot is taken all the same', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    at.fixture.write('dir/b.txt', 'changed\n');
    const result = await rewindTo(at, first, { paths: ['./dir/'] });
    expect(result.files.map(({ path }) => path)).toEqual(['dir/b.txt']);
    expect(result.options).toMatchObject({ files: true, context: false, paths: [{ path: 'dir' }] });
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('changed\n');
    await at.with((repository) => undo({ repository }));
    expect(readFileSync(at.fixture.path('dir/b.txt'), 'utf8')).toBe('changed\n');
  });

  test.each([
    ['../outside', 'path_outside'],
    ['/etc/passwd', 'path_outside'],
    ['dir/../../x', 'path_outside'],
    ['no/such/file', 'path_unknown'],
    ['.git', 'path_refused'],
    ['./.git/config', 'path_refused'],
    ['.git/nothing', 'path_refused'],
    ['nested/.git', 'path_refused'],
    ['nested/.git/HEAD', 'path_refused'],
    ['dir/.git', 'path_unknown'],
  ])('%s is refused: %s', async (wrong, code) => {
    const at = place();
    at.fixture.run({ args: ['init', '-q', 'nested'] });
    const first = await at.snapshot();
    const refs = at.fixture.git('for-each-ref');
    await expect(rewindTo(at, first, { paths: [wrong] })).rejects.toMatchObject({ code });
    expect(at.fixture.git('for-each-ref')).toBe(refs);
  });
});

test('a rewind of the context alone touches no file and is an operation', async () => {
  const at = place();
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'changed\n');
  const before = observe(at.fixture);
  const result = await rewindTo(at, first, { part: 'context' });
  expect(result.files).toEqual([]);
  expect(differences(before, observe(at.fixture))).toEqual([]);
  const { operations: done } = await at.with((repository) => operations({ repository }));
  expect(done).toEqual([
    expect.objectContaining({ id: result.operation, kind: 'rewind', undone: false, next: 'undo' }),
  ]);
});

test('the staged tree is restored only by name, and undone with it', async () => {
  const at = place();
  at.fixture.write('a.txt', 'staged at first\n');
  at.fixture.git('add', 'a.txt');
  const first = await at.snapshot();
  at.fixture.write('a.txt', 'staged later\n');
  at.fixture.write('new.txt', 'new\n');
  at.fixture.git('add', '-A');
  const later = at.fixture.git('ls-files', '-s');
  await rewindTo(at, first);
  expect(at.fixture.git('ls-files', '-s')).toBe(later);
  await at.with((repository) => undo({ repository }));
  await rewindTo(at, first, { index: true });
  expect(at.fixture.git('diff', '--cached', '--name-only')).toBe('a.txt');
  expect(at.fixture.git('diff', '--name-only')).toBe('');
  await at.with((repository) => undo({ repository }));
  expect(at.fixture.git('ls-files', '-s')).toBe(later);
});

test('the staged state of a conflict comes back with all its stages', async () => {
  const at = placeAt(mergeConflict());
  const stages = at.fixture.git('ls-files', '-s');
  expect(stages).toMatch(/ 3\t/);
  const first = await at.snapshot();
  at.fixture.git('add', '-A');
  await rewindTo(at, first, { index: true });
  expect(at.fixture.git('ls-files', '-s')).toBe(stages);
});

test('the points that one can go back to say what each would change', async () => {
  const at = place();
  await at.snapshot('one');
  at.fixture.write('new.txt', 'new\n');
  await at.snapshot('two');
  const { points, more } = await at.with((repository) => rewindPoints({ repository }));
  expect(points.map(({ message, changes }) => [message, changes.delete])).toEqual([
    ['two', 0],
    ['one', 1],
  ]);
  expect(more).toBe(false);
  expect(await at.with((repository) => rewindPoints({ repository, limit: 1 }))).toMatchObject({ more: true });
});

describe('an operation that was interrupted', () => {
  /** Changes files, stages and captures all of it; returns what is there then. */
  async function changed(at: Place): Promise<{ readonly staged: string; readonly before: object }> {
    at.fixture.write('a.txt', 'changed\n');
    at.fixture.write('new/file.txt', 'new\n');
    at.fixture.git('add', '-A');
    const staged = at.fixture.git('ls-files', '-s');
    await at.snapshot();
    return { staged, before: treeOf(at.fixture.root) };
  }

  /** Runs a rewind in a process that dies before it touches the first file, after the last one, or when all is recorded. */
  async function interrupted(
    at: Place,
    request: Pick<RewindRequest, 'selector' | 'index'>,
    when: 'before' | 'after' | 'recorded',
  ): Promise<void> {
    await at.with(async (repository) => {
      const dies = () => Promise.reject(new Error('the process dies'));
      const world = await withPrepare(repository, async (request, replacements) => {
        const replacement = await replacements.prepare(request);
        if (when === 'after') await replacement.apply();
        if (when !== 'recorded') return dies();
        return meddledReplacement(replacement, { close: dies, leave: () => undefined });
      });
      await expect(rewind({ repository: world, ...request })).rejects.toThrow('the process dies');
    });
    // The lease of a process that is gone is gone, too.
    const restores = at.fixture.path('.git/savepoint/restores');
    for (const name of readdirSync(restores)) rmSync(path.join(restores, name, 'lease'), { force: true });
  }

  test.each(['before', 'after', 'recorded'] as const)('(%s) is completed once, and can be undone', async (when) => {
    const at = place();
    const first = await at.snapshot();
    const target = treeOf(at.fixture.root);
    const { staged, before } = await changed(at);
    await interrupted(at, { selector: first, index: true }, when);
    for (const refused of [
      () => at.with((repository) => capture({ repository, transcript: false })),
      () => rewindTo(at, first),
      () => rewindTo(at, first, { dryRun: true }),
      () => at.with((repository) => undo({ repository })),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'restore_interrupted', kind: 'recovery_needed' });
    }
    const recorded = when === 'recorded' ? [{ kind: 'rewind' }] : [];
    expect(await at.with((repository) => operations({ repository }))).toMatchObject({
      open: true,
      operations: recorded,
    });
    const { warnings } = await at.with((repository) => status({ repository }));
    expect(warnings.map(({ code }) => code)).toContain('restore_interrupted');
    const { outcome, result } = await at.with((repository) => recover({ repository }));
    expect(outcome).toBe('completed');
    expect(treeOf(at.fixture.root)).toEqual(target);
    const { operations: done } = await at.with((repository) => operations({ repository }));
    expect(done.map(({ id }) => id)).toEqual([result?.operation]);
    expect(at.fixture.git('ls-files')).not.toContain('new/file.txt');
    await at.with((repository) => undo({ repository }));
    expect(treeOf(at.fixture.root)).toEqual(before);
    expect(at.fixture.git('ls-files', '-s')).toBe(staged);
    expect(await at.with((repository) => recover({ repository }))).toEqual({ outcome: 'nothing', left: [] });
  });

  test.each(['before', 'after', 'recorded'] as const)('(%s) is rolled back', async (when) => {
    const at = place();
    const first = await at.snapshot();
    const { staged, before } = await changed(at);
    await interrupted(at, { selector: first, index: true }, when);
    expect(await at.with((repository) => recover({ repository, rollBack: true }))).toMatchObject({
      outcome: 'rolled_back',
      left: [],
    });
    expect(treeOf(at.fixture.root)).toEqual(before);
    expect(at.fixture.git('ls-files', '-s')).toBe(staged);
    // What was recorded already is listed as taken back.
    const listed = when === 'recorded' ? [{ kind: 'undo' }, { kind: 'rewind', undone: true }] : [];
    expect(await at.with((repository) => operations({ repository }))).toMatchObject({
      open: false,
      operations: listed,
    });
    await at.snapshot();
  });
});
