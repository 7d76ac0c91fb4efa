import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { childCommands, fsckComplaints, giveTo } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/clock.js';
import { thisProcess } from '../../../src/store/git/locks/lock.js';
import { incomingName } from '../../../src/store/git/unfinished/incoming.js';
import { ObjectReader } from '../../../src/store/git/objects/object-reader.js';
import { RefUpdate, type RefChange } from '../../../src/store/git/ref-update.js';
import { objectId } from '../../../src/model/tree/object-id.js';
import type { LookUp } from '../../../src/store/git/objects/look-ups.js';
import { GitWriter, type WriterParts } from '../../../src/store/git/writer.js';
import type { CommitDraft, Store, StoredCommit, StoreWriter } from '../../../src/store/store.js';
import { storeInGit, type StoreInGit } from './fixture.js';
import { makeProgram } from './program.js';

const REF = `timelines/${'a'.repeat(32)}`;
const incomingOf = ({ fixture }: StoreInGit): string => fixture.path('.git/savepoint/incoming');

async function commitWith(writer: StoreWriter, text: string, draft: Partial<CommitDraft> = {}): Promise<StoredCommit> {
  const id = await writer.blob(Buffer.from(text));
  return writer.commit({
    ref: REF,
    message: 'a message\n',
    folders: [{ folder: 'worktree', remove: [], set: [{ path: 'd/file', mode: '100644', id }] }],
    seal: () => new Map([['snapshot.json', Buffer.from(`{"text": "${text}"}`)]]),
    ...draft,
  });
}

const headOf = async (store: Store): Promise<string | undefined> => (await store.refs(REF))[0]?.target;

function filesBelow(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory, { recursive: true, encoding: 'utf8' }) : [];
}

describe('what dead writers left', () => {
  test('is gone after the next write, and what living ones have is not', async () => {
    const bench = storeInGit();
    const incoming = incomingOf(bench);
    const mine = incomingName(systemRandom);
    const [, began = '', where = ''] = mine.split('-');
    const dead = `999999999-${began}-${where}-0123456789ab`;
    const earlier = `${String(process.pid)}-1-${where}-0123456789ab`;
    const elsewhere = '17-1-0123456789ab-0123456789ab';
    const longAgo = '18-1-0123456789ab-0123456789ab';
    for (const name of [mine, dead, earlier, elsewhere, longAgo]) {
      mkdirSync(path.join(incoming, name, 'pack'), { recursive: true });
      writeFileSync(path.join(incoming, name, 'pack', 'tmp_pack_x'), 'half');
    }
    utimesSync(path.join(incoming, longAgo), 1, 1);
    await commitWith(bench.store.writer(), 'one');
    expect(readdirSync(incoming).sort()).toEqual([elsewhere, mine].sort());
    expect(thisProcess().pid).toBe(process.pid);
    await bench.dispose();
  });
});

describe("git's own clean-up", () => {
  test('leaves a new pack alone until its ref has moved, and takes it in afterwards', async () => {
    const bench = storeInGit();
    const { fixture, place } = bench;
    await commitWith(bench.store.writer(), 'one');
    const packs = fixture.path('.git/objects/pack');
    class RepackedBefore extends RefUpdate {
      override async apply(change: RefChange): Promise<void> {
        fixture.git('repack', '-a', '-d', '-q');
        await super.apply(change);
      }
    }
    const startRefUpdate = (): RefUpdate => new RepackedBefore(place.user, place.commonDirectory);
    const writer = new GitWriter({ ...partsOf(bench), startRefUpdate });
    const { id } = await commitWith(writer, 'two', { expected: (await headOf(bench.store)) ?? '' });
    expect(fixture.git('cat-file', '-p', `${id}:worktree/d/file`)).toBe('two');
    expect(filesBelow(packs).filter((name) => name.endsWith('.keep'))).toEqual([]);
    expect(filesBelow(incomingOf(bench))).toEqual([]);
    fixture.git('gc', '-q', '--prune=now');
    expect(filesBelow(packs).filter((name) => name.endsWith('.pack'))).toHaveLength(1);
    await bench.dispose();
  });

  test('may have what a dead writer kept, and not what somebody else keeps', async () => {
    const bench = storeInGit();
    const packs = bench.fixture.path('.git/objects/pack');
    const [, began = '', where = ''] = incomingName(systemRandom).split('-');
    const [left, others] = ['a', 'b'].map((digit) => `pack-${digit.repeat(40)}.keep`) as [string, string];
    const folder = path.join(incomingOf(bench), `999999999-${began}-${where}-0123456789ab`);
    for (const each of [folder, packs]) mkdirSync(each, { recursive: true });
    for (const file of [path.join(folder, left), path.join(packs, left), path.join(packs, others)])
      writeFileSync(file, '');
    await commitWith(bench.store.writer(), 'one');
    expect(filesBelow(packs).filter((name) => name.endsWith('.keep'))).toEqual([others]);
    await bench.dispose();
  });
});

describe('a writer', () => {
  test('that reads on leaves no program behind when the store is closed', async () => {
    const bench = storeInGit();
    const { store } = bench;
    const ours = (): readonly string[] => childCommands(process.pid).filter((command) => command.includes('cat-file'));
    const others = ours().length;
    const writer = store.writer({ readsOn: true });
    // Of the program that is asked before, what is written then is asked too.
    await store.info(['a'.repeat(40)]);
    const { id } = await commitWith(writer, 'one');
    expect(await store.info([id])).toMatchObject([{ type: 'commit' }]);
    await store.close();
    expect(ours()).toHaveLength(others);
    await bench.dispose();
  });

  test('whose base is not in the store rejects with object_missing and leaves nothing', async () => {
    const bench = storeInGit();
    const first = await commitWith(bench.store.writer(), 'one');
    const nothing = 'e'.repeat(40);
    const folders = [{ folder: 'worktree', base: nothing, remove: [], set: [] }];
    const failing = commitWith(bench.store.writer(), 'two', { expected: first.id, folders });
    await expect(failing).rejects.toMatchObject({ code: 'object_missing' });
    const blobless = [{ folder: 'worktree', remove: [], set: [{ path: 'a', mode: '100644' as const, id: nothing }] }];
    const withoutBlob = commitWith(bench.store.writer(), 'two', { expected: first.id, folders: blobless });
    await expect(withoutBlob).rejects.toMatchObject({ code: 'object_missing' });
    const orphan = commitWith(bench.store.writer(), 'two', { expected: nothing });
    await expect(orphan).rejects.toMatchObject({ code: 'object_missing' });
    expect(await headOf(bench.store)).toBe(first.id);
    expect(filesBelow(incomingOf(bench))).toEqual([]);
    expect(filesBelow(bench.fixture.path('.git/savepoint')).filter((name) => name.includes('crash'))).toEqual([]);
    await bench.dispose();
  });

  test('whose source of bytes fails tells the failure, and is no use any more', async () => {
    const bench = storeInGit();
    const writer = bench.store.writer();
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from('some'));
      throw new Error('the source failed');
    }
    await expect(writer.blobFrom(100, failing())).rejects.toThrow('the source failed');
    await expect(commitWith(writer, 'one')).rejects.toThrow();
    await writer.discard();
    expect(await headOf(bench.store)).toBeUndefined();
    expect(filesBelow(incomingOf(bench))).toEqual([]);
    await bench.dispose();
  });

  test.each<readonly [string, (pack: string) => void]>([
    [
      'the pack',
      (pack) => {
        for (const end of ['.pack', '.idx']) rmSync(pack.replace(/\.pack$/, end));
      },
    ],
    [
      'its index',
      (pack) => {
        rmSync(pack.replace(/\.pack$/, '.idx'));
      },
    ],
    [
      'half of the pack',
      (pack) => {
        chmodSync(pack, 0o644);
        truncateSync(pack, 30);
      },
    ],
    [
      'the names in its index',
      (pack) => {
        const index = pack.replace(/\.pack$/, '.idx');
        chmodSync(index, 0o644);
        writeFileSync(index, readFileSync(index).fill(0, 8 + 1024));
      },
    ],
  ])('that finds %s gone after the ref moved takes the ref back', async (_, damage) => {
    const bench = storeInGit();
    const first = await commitWith(bench.store.writer(), 'one');
    const { place } = bench;
    const added: string[] = [];
    class PrunedMeanwhile extends RefUpdate {
      override async apply(change: RefChange): Promise<void> {
        await super.apply(change);
        for (const pack of added) damage(path.join(place.objects, 'pack', pack));
      }
    }
    const writer = new GitWriter({
      ...partsOf(bench),
      startRefUpdate: () => new PrunedMeanwhile(place.user, place.commonDirectory),
      packAdded: (pack) => added.push(pack),
    });
    const failing = commitWith(writer, 'two', { expected: first.id });
    await expect(failing).rejects.toMatchObject({ code: 'object_missing' });
    expect(await headOf(bench.store)).toBe(first.id);
    for (const pack of added) {
      for (const end of ['.pack', '.idx'])
        rmSync(path.join(place.objects, 'pack', pack.replace('.pack', end)), { force: true });
    }
    const again = await commitWith(bench.store.writer(), 'two', { expected: first.id });
    expect(await headOf(bench.store)).toBe(again.id);
    expect(fsckComplaints(bench.fixture)).toEqual([]);
    await bench.dispose();
  });

  test('whose pack was merged into another one after the ref moved asks git, which finds all', async () => {
    const bench = storeInGit();
    const { place } = bench;
    const packs = path.join(place.objects, 'pack');
    class RepackedMeanwhile extends RefUpdate {
      override async apply(change: RefChange): Promise<void> {
        await super.apply(change);
        // Otherwise git leaves it alone.
        for (const name of filesBelow(packs)) if (name.endsWith('.keep')) rmSync(path.join(packs, name));
        bench.fixture.git('repack', '-adq');
      }
    }
    const startRefUpdate = (): RefUpdate => new RepackedMeanwhile(place.user, place.commonDirectory);
    const first = await commitWith(new GitWriter({ ...partsOf(bench), startRefUpdate }), 'one');
    const second = await commitWith(new GitWriter({ ...partsOf(bench), startRefUpdate }), 'two', {
      expected: first.id,
    });
    expect(await headOf(bench.store)).toBe(second.id);
    expect(fsckComplaints(bench.fixture)).toEqual([]);
    await bench.dispose();
  });

  test('looks into its own pack, and asks git for what it found in the store already', async () => {
    const bench = storeInGit();
    let asked = 0;
    const parts = partsOf(bench);
    const writer = (): GitWriter =>
      new GitWriter({
        ...parts,
        lookUp: () => {
          asked += 1;
          return parts.lookUp();
        },
      });
    const snapshot = '{"text": "one"}';
    const body = { seal: () => new Map([['snapshot.json', Buffer.from(snapshot)]]) };
    const first = await commitWith(writer(), 'one', body);
    expect(asked).toBe(0);
    // The file at the root is there already: the writer knows it from the snapshot before, or else git does.
    const held = [objectId('sha1', 'blob', Buffer.from(snapshot))];
    const second = await commitWith(writer(), 'two', { ...body, expected: first.id, held });
    expect(asked).toBe(0);
    const third = await commitWith(writer(), 'three', { ...body, expected: second.id });
    expect(asked).toBe(1);
    const many = Array.from({ length: 100 }, (_, at) => `d${String(at)}/file`);
    const files = writer();
    const id = await files.blob(Buffer.from('many'));
    const set = many.map((name) => ({ path: name, mode: '100644' as const, id }));
    await files.commit({
      ref: REF,
      message: 'a message\n',
      expected: third.id,
      folders: [{ folder: 'worktree', remove: [], set }],
      seal: () => new Map([['snapshot.json', Buffer.from('{"text": "many"}')]]),
    });
    expect(asked).toBe(2);
    expect(third.tree).toBe(bench.fixture.git('rev-parse', `${third.id}^{tree}`).trim());
    expect(second.tree).toBe(bench.fixture.git('rev-parse', `${second.id}^{tree}`).trim());
    await bench.dispose();
  });

  test('finds directories with names of any bytes in its own pack', async () => {
    const bench = storeInGit();
    const parts = partsOf(bench);
    const lookUp = (): LookUp => {
      throw new Error('git was asked');
    };
    const files = new GitWriter({ ...parts, lookUp });
    const id = await files.blob(Buffer.from('odd'));
    const names = ['new\nline/file', 'quo"te\\/a', ' blank /b', '\xff\xfe/c/d'];
    const set = names.map((name) => ({ path: name, mode: '100644' as const, id }));
    const written = await files.commit({
      ref: REF,
      message: 'a message\n',
      folders: [{ folder: 'worktree', remove: [], set }],
      seal: () => new Map([['snapshot.json', Buffer.from('{}')]]),
    });
    expect(await headOf(bench.store)).toBe(written.id);
    expect(fsckComplaints(bench.fixture)).toEqual([]);
    await bench.dispose();
  });
});

function partsOf(bench: StoreInGit): WriterParts {
  const { place } = bench;
  return {
    objectFormat: 'sha1',
    random: systemRandom,
    objects: place.objects,
    incoming: incomingOf(bench),
    commonDirectory: place.commonDirectory,
    syncedObjects: path.join(incomingOf(bench), '..', 'synced-objects'),
    place: place.privatePlace,
    readingDone: () => undefined,
    lookUp: () => {
      const check = new ObjectReader(place.user, '--batch-check');
      return { all: (names) => check.checkLast(names), close: () => check.close() };
    },
    startRefUpdate: () => new RefUpdate(place.user, place.commonDirectory),
    packAdded: () => undefined,
  };
}

const SETUP = `
  import path from 'node:path';
  import { gitStore } from 'core:store/git/git-store.ts';
  import { preparePrivateRepository } from 'core:store/git/private-repository.ts';
  import { systemRandom } from 'core:base/clock.ts';
  const [root, count, label] = process.argv.slice(2);
  const commonDirectory = path.join(root, '.git');
  const objects = path.join(commonDirectory, 'objects');
  const environment = { PATH: process.env.PATH, HOME: path.dirname(root) };
  const directory = path.join(commonDirectory, 'savepoint', 'scan', 'test');
  const store = gitStore({
    objectFormat: 'sha1', random: systemRandom, objects, commonDirectory, packAdded: () => undefined,
    user: { directory: root, environment, variables: { GIT_DIR: commonDirectory, GIT_WORK_TREE: root } },
    privatePlace: () => ({ directory: root, environment, variables: preparePrivateRepository({ directory, objects, objectFormat: 'sha1' }) }),
  });
  const ref = '${REF}';
  async function one(number) {
    const expected = (await store.refs(ref))[0]?.target;
    const writer = store.writer();
    const id = await writer.blob(Buffer.from(label + number));
    const bytes = Buffer.from(JSON.stringify({ label, number }));
    await writer.commit({ ref, expected, message: label + number + '\\n', seal: () => new Map([['snapshot.json', bytes]]),
      folders: [{ folder: 'worktree', remove: [], set: [{ path: 'd/' + label, mode: '100644', id }] }] });
  }`;

describe('processes', () => {
  test('that race for one timeline lose nothing: the loser hears of it and tries again', async () => {
    const bench = storeInGit();
    const program = makeProgram(`${SETUP}
      let lost = 0;
      for (let number = 0; number < Number(count);) {
        try { await one(number); number += 1; }
        catch (error) { if (error.code !== 'head_moved') throw error; lost += 1; }
      }
      console.log(lost);`);
    const running = ['x', 'y'].map((label) => program.start(bench.fixture.root, '12', label));
    const ended = await Promise.all(running.map((one) => one.ended));
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    const messages = bench.fixture.git('log', '--format=%s', `refs/savepoint/v1/${REF}`).split('\n').filter(Boolean);
    const expected = ['x', 'y'].flatMap((label) => Array.from({ length: 12 }, (_, at) => `${label}${String(at)}`));
    expect(messages.sort()).toEqual(expected.sort());
    expect(fsckComplaints(bench.fixture)).toEqual([]);
    expect(filesBelow(incomingOf(bench))).toEqual([]);
    await bench.dispose();
  });

  test('killed at any moment leave whole snapshots only, and nothing that the next write does not clear away', async () => {
    const bench = storeInGit();
    const program = makeProgram(`${SETUP}
      for (let number = 0; ; number += 1) { await one(number); console.log(number); }`);
    let printed = 0;
    for (let round = 0; round < 10; round += 1) {
      const { child, ended } = program.start(bench.fixture.root, '0', `r${String(round)}-`);
      await new Promise((resolve) => setTimeout(resolve, 120 + round * 13));
      child.kill('SIGKILL');
      const { output } = await ended;
      printed += output.split('\n').filter(Boolean).length;
    }
    // The gits that killed processes had started may still be at their work for a moment: they move the head, or write into
    // a folder that is just cleared away.
    for (let tries = 0; tries < 400; tries += 1) {
      const head = await headOf(bench.store);
      const last = `last ${String(tries)}`;
      try {
        await commitWith(
          bench.store.writer(),
          last,
          head === undefined ? {} : { expected: head, message: `${last}\n` },
        );
        if (filesBelow(incomingOf(bench)).length === 0) break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'head_moved' });
      }
    }
    const crashes = readdirSync(bench.fixture.path('.git/savepoint/scan/test')).filter((name) => /crash/.test(name));
    expect(crashes).toEqual([]);
    const messages = bench.fixture.git('log', '--format=%s', `refs/savepoint/v1/${REF}`).split('\n').filter(Boolean);
    expect(messages.length).toBeGreaterThanOrEqual(printed + 1);
    expect(new Set(messages).size).toBe(messages.length);
    expect(fsckComplaints(bench.fixture)).toEqual([]);
    expect(filesBelow(incomingOf(bench))).toEqual([]);
    await bench.dispose();
  });

  test.each(['objects/pack', 'objects', 'refs', 'savepoint'])(
    'that may not write to %s fail with store_unwritable and change nothing',
    async (directory) => {
      const bench = storeInGit();
      const { fixture } = bench;
      const first = await commitWith(bench.store.writer(), 'one');
      const program = makeProgram(`${SETUP}
        one(1).then(() => console.log('done'), (error) => console.log(error.code, error.message));`);
      giveTo(fixture.base, 65_534);
      const closed = fixture.path('.git', directory);
      giveTo(closed, 0);
      for (const name of ['', ...filesBelow(closed)]) chmodSync(path.join(closed, name), 0o555);
      const { output } = await program.startAs(65_534, fixture.root, '1', 'x').ended;
      for (const name of ['', ...filesBelow(closed)]) chmodSync(path.join(closed, name), 0o755);
      expect(output).toMatch(/^store_unwritable /);
      expect(await headOf(bench.store)).toBe(first.id);
      expect(filesBelow(incomingOf(bench))).toEqual([]);
      await bench.dispose();
    },
  );
});
