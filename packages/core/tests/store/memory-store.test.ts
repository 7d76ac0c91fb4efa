import { describe, expect, test } from 'vitest';
import { describeStore } from '../../../testkit/src/store-conformance.js';
import { memoryBacking } from '../../src/store/memory/backing.js';
import { failCall } from '../../src/store/memory/faults.js';
import { memoryLocalState } from '../../src/store/memory/memory-local-state.js';
import { memoryStore, type MemoryStoreOptions } from '../../src/store/memory/memory-store.js';
import { bytePath } from '../../src/base/path.js';
import { text, utf8 } from '../../src/base/bytes.js';

describeStore('memory store', (format) => {
  const store = memoryStore({ objectFormat: format });
  return Promise.resolve({
    store,
    reopen: () => Promise.resolve(memoryStore({ backing: store.backing })),
    dispose: () => Promise.resolve(),
  });
});

const REF = `timelines/${'a'.repeat(32)}`;

async function commitOne(options: MemoryStoreOptions, expected?: string) {
  const writer = memoryStore(options).writer();
  const set = [];
  for (const name of ['a', 'b', 'c']) {
    set.push({
      path: bytePath(name),
      mode: '100644' as const,
      id: await writer.blob(utf8(`${name}${expected ?? ''}`)),
    });
  }
  return writer.commit({
    ref: REF,
    ...(expected !== undefined && { expected }),
    message: 'm\n',
    folders: [{ folder: 'worktree', remove: [], set }],
    seal: () => new Map([['snapshot.json', utf8('{}')]]),
  });
}

describe('a memory store that fails', () => {
  test('at any write before the ref moved leaves the old head', async () => {
    for (let n = 1; n <= 8; n += 1) {
      const backing = memoryBacking();
      const first = await commitOne({ backing });
      const failing = commitOne({ backing, fault: failCall(n, ['object', 'ref']) }, first.id);
      await expect(failing).rejects.toMatchObject({ code: 'store_unwritable' });
      expect(await memoryStore({ backing }).refs('')).toEqual([{ name: REF, target: first.id }]);
    }
  });

  test('counts its calls by point, so that the one after the last succeeds', async () => {
    const backing = memoryBacking();
    const commit = await commitOne({ backing, fault: failCall(9, ['object', 'ref']) });
    expect(await memoryStore({ backing }).refs('')).toEqual([{ name: REF, target: commit.id }]);
  });

  test('at a read rejects and does not answer "not there"', async () => {
    const backing = memoryBacking();
    const commit = await commitOne({ backing });
    const store = memoryStore({ backing, fault: failCall(1, ['read']) });
    await expect(store.commit(commit.id)).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(await store.commit(commit.id)).toEqual(commit);
  });

  test('on objects that vanish before the last look reports object_missing', async () => {
    const backing = memoryBacking();
    const fault = (point: string) => {
      if (point === 'check') backing.objects.clear();
    };
    await expect(commitOne({ backing, fault })).rejects.toMatchObject({ code: 'object_missing' });
  });
});

describe('memory local state', () => {
  test('claim keeps the first bytes, append adds, remove removes', async () => {
    const local = memoryLocalState();
    expect(text(await local.claim('id', utf8('one')))).toBe('one');
    expect(text(await local.claim('id', utf8('two')))).toBe('one');
    await local.append('log', utf8('a\n'));
    await local.append('log', utf8('b\n'));
    expect(text((await local.read('log')) ?? utf8(''))).toBe('a\nb\n');
    expect(text((await local.readEnd('log', 3)) ?? utf8(''))).toBe('\nb\n');
    expect(text((await local.readEnd('log', 30)) ?? utf8(''))).toBe('a\nb\n');
    expect(await local.readEnd('other', 3)).toBeUndefined();
    await local.remove('log');
    expect(await local.read('log')).toBeUndefined();
  });

  test('a lock is held by one at a time, and waiting for it ends', async () => {
    const local = memoryLocalState();
    let release: () => void = () => undefined;
    const first = local.locked('x', 0, () => new Promise<void>((resolve) => (release = resolve)));
    await expect(local.locked('x', 5, () => Promise.resolve())).rejects.toMatchObject({ code: 'timeline_locked' });
    const order: number[] = [];
    const waiting = [1, 2, 3].map((n) =>
      local.locked('x', 60_000, async () => {
        order.push(n);
      }),
    );
    release();
    await Promise.all([first, ...waiting]);
    expect(order.sort()).toEqual([1, 2, 3]);
    await expect(local.locked('x', 0, () => Promise.reject(new Error('work failed')))).rejects.toThrow('work failed');
    expect(await local.locked('x', 0, () => Promise.resolve('free'))).toBe('free');
  });
});
