/** A Store that lives in memory, with the same ids as git: for tests, and for work that must leave nothing behind. */
import { contextError } from '../../base/errors.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId, ObjectType } from '../../model/tree/tree.js';
import { compareTrees } from '../compare-trees.js';
import { parseCommit, parseTree } from '../git-objects.js';
import type { Store, StoredCommit } from '../store.js';
import { memoryBacking, type MemoryBacking } from './backing.js';
import type { FaultHook } from './faults.js';
import { memoryWriter } from './memory-writer.js';

export interface MemoryStoreOptions {
  readonly objectFormat?: ObjectFormat;
  /** Opens a store on what another one wrote. */
  readonly backing?: MemoryBacking;
  readonly fault?: FaultHook;
}

export interface MemoryStore extends Store {
  readonly backing: MemoryBacking;
}

const PIECE = 64 * 1024;

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const backing = options.backing ?? memoryBacking(options.objectFormat);
  const fault = options.fault ?? (() => undefined);
  const { objectFormat } = backing;

  function find(id: ObjectId, type: ObjectType): Uint8Array | undefined {
    fault('read');
    const found = backing.objects.get(id);
    return found?.type === type ? found.bytes : undefined;
  }

  function findCommit(id: ObjectId): StoredCommit | undefined {
    const bytes = find(id, 'commit');
    return bytes === undefined ? undefined : { id, bytes: new Uint8Array(bytes), ...parseCommit(bytes, id) };
  }

  const tree: Store['tree'] = (id) =>
    later(() => {
      const bytes = find(id, 'tree');
      return bytes === undefined ? undefined : parseTree(objectFormat, bytes, id);
    });

  return {
    backing,
    objectFormat,
    tree,
    resolve: (name) => later(() => backing.refs.get(name)),
    refs: (prefix) => later(() => refsBelow(backing, prefix)),
    updateRef: (name, target, expected) =>
      later(() => {
        if (backing.refs.get(name) !== expected) throw contextError('head_moved', { ref: name });
        fault('ref');
        if (target === undefined) backing.refs.delete(name);
        else backing.refs.set(name, target);
      }),
    info: (ids) => later(() => ids.map((id) => infoOf(backing, id))),
    read: (id, type) => later(() => copyOf(find(id, type))),
    commit: (id) => later(() => findCommit(id)),
    async *stream(id) {
      const bytes = await later(() => find(id, 'blob'));
      if (bytes === undefined) throw contextError('object_missing', { object: id, owner: 'the store' });
      for (let at = 0; at < bytes.length; at += PIECE) yield new Uint8Array(bytes.subarray(at, at + PIECE));
    },
    async *history(from, { until, limit = Infinity } = {}) {
      let next: ObjectId | undefined = from;
      for (let count = 0; next !== undefined && next !== until && count < limit; count += 1) {
        const id: ObjectId = next;
        const commit = await later(() => findCommit(id));
        if (commit === undefined) throw contextError('object_missing', { object: id, owner: 'a timeline' });
        yield id;
        next = commit.parents[0];
      }
    },
    compare: (a, b) => compareTrees(tree, a, b),
    readAhead: () => Promise.resolve(),
    writer: () => memoryWriter(backing, fault),
    close: () => Promise.resolve(),
  };
}

// Every answer comes later, as from a disk, and what is thrown rejects.
async function later<T>(work: () => T): Promise<T> {
  await Promise.resolve();
  return work();
}

function refsBelow(backing: MemoryBacking, prefix: string) {
  return [...backing.refs]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, target]) => ({ name, target }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function infoOf(backing: MemoryBacking, id: ObjectId) {
  const found = backing.objects.get(id);
  return found === undefined ? undefined : { type: found.type, size: found.bytes.length };
}

// Not `slice`: that of a Buffer shares its memory.
function copyOf(bytes: Uint8Array | undefined): Uint8Array | undefined {
  return bytes && new Uint8Array(bytes);
}
