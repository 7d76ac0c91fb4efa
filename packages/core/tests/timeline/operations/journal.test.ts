/** The journal of operations: what is appended is read again, and what was tampered with is not believed. */
import { describe, expect, test } from 'vitest';
import { appendOperation, readJournal, type JournalWriter } from '../../../src/timeline/operations/journal.js';
import { utf8, text } from '../../../src/base/bytes.js';
import { encodeCommit } from '../../../src/store/git-objects.js';
import { putObject } from '../../../src/store/memory/backing.js';
import { makeWorld, putBlob, putTree, REPOSITORY, type World } from '../world.js';
import { draftOf } from './drafts.js';

const WORKTREE = '51'.repeat(16);

function writerOf(world: World): JournalWriter {
  const { store, keys, repository } = world;
  return { store, keys, repository: REPOSITORY, worktree: WORKTREE, clock: repository.clock };
}

/** Puts a commit in the place of the journal's newest one, with one of its files replaced. */
async function tamper(world: World, file: string, edit: (text: string) => string): Promise<void> {
  const ref = `operations/${WORKTREE}`;
  const head = await world.store.commit((await world.store.resolve(ref)) ?? '');
  const entries = await world.store.tree(head?.tree ?? '');
  const forged = await Promise.all(
    (entries ?? []).map(async (entry) => {
      if (entry.name !== file) return entry;
      const bytes = await world.store.read(entry.id, 'blob');
      return { ...entry, id: putBlob(world, utf8(edit(text(bytes ?? new Uint8Array())))) };
    }),
  );
  const commit = encodeCommit({ tree: putTree(world, forged), parents: head?.parents ?? [], message: 'forged\n' });
  world.store.backing.refs.set(ref, putObject(world.store.backing, 'commit', commit));
}

describe('the journal of operations', () => {
  test('gives back what was appended, newest first, signed and in one chain', async () => {
    const world = makeWorld();
    const writer = writerOf(world);
    const first = await appendOperation(writer, draftOf({ session: 'a session' }));
    const second = await appendOperation(
      writer,
      draftOf({ kind: 'undo', of: first.id, files: [{ path: 'a', action: 'write', creates: true, bytes: 3 }] }),
    );
    const { operations, problems } = await readJournal(writer);
    expect(problems).toEqual([]);
    expect(operations).toEqual([second, first]);
    expect(operations.map(({ sequence }) => sequence)).toEqual([2, 1]);
    expect(second.signer).toBe(world.keys.present?.signer);
  });

  test('does not write an operation twice, so that recovery may append again', async () => {
    const world = makeWorld();
    const draft = draftOf();
    await appendOperation(writerOf(world), draft);
    await appendOperation(writerOf(world), draft);
    expect((await readJournal(writerOf(world))).operations).toHaveLength(1);
  });

  test('keeps every operation when many are appended at once', async () => {
    const world = makeWorld();
    const writer = writerOf(world);
    await Promise.all(Array.from({ length: 12 }, () => appendOperation(writer, draftOf())));
    const { operations, problems } = await readJournal(writer);
    expect(problems).toEqual([]);
    expect(operations.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 12 }, (_, at) => 12 - at));
  });

  test('is written without a key, and then says that nobody signed', async () => {
    const world = makeWorld();
    world.keys.present = undefined;
    await appendOperation(writerOf(world), draftOf());
    const { operations, problems } = await readJournal(writerOf(world));
    expect(problems).toEqual([]);
    expect(operations[0]?.signer).toBe('');
  });

  test.each([
    ['operation.json', (text: string) => text.replace('"kind":"rewind"', '"kind":"redo"')],
    ['signature.json', (text: string) => text.replace(/"value":"../, '"value":"00')],
    ['operation.json', () => 'no JSON'],
  ])('does not believe a changed %s, and goes on with the one before it', async (file, edit) => {
    const world = makeWorld();
    const first = await appendOperation(writerOf(world), draftOf());
    await appendOperation(writerOf(world), draftOf());
    await tamper(world, file, edit);
    const { operations, problems } = await readJournal(writerOf(world));
    expect(problems).toHaveLength(1);
    expect(operations).toEqual([first]);
  });

  test('does not believe the operation of another worktree', async () => {
    const world = makeWorld();
    await appendOperation(writerOf(world), draftOf());
    const other = 'ef'.repeat(16);
    const head = world.store.backing.refs.get(`operations/${WORKTREE}`);
    world.store.backing.refs.set(`operations/${other}`, head ?? '');
    const { operations, problems } = await readJournal({ ...writerOf(world), worktree: other });
    expect(operations).toEqual([]);
    expect(problems.map(({ reason }) => reason)).toEqual(['it was made for another worktree']);
  });
});
