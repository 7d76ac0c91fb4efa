/** What somebody with access to the store can do to a chain, for the tests of verification. */
import { decodeBody } from '../../../src/format/v1/body.js';
import { commitMessage } from '../../../src/format/v1/layout.js';
import type { ObjectId, TreeEntry } from '../../../src/model/tree/tree.js';
import type { Verdict } from '../../../src/model/verdict.js';
import { verify } from '../../../src/ops/read/verify.js';
import { parseTree } from '../../../src/store/git-objects.js';
import { loadSnapshot } from '../../../src/timeline/snapshot/load.js';
import { addChain, forgeCommit, MANUAL, setHead, type World } from '../world.js';

export const LENGTH = 20;
/** The one that is tampered with, counted from 1. */
export const VICTIM = 7;

export async function chain(world: World): Promise<readonly ObjectId[]> {
  return (await addChain(world, LENGTH)).map(({ commit }) => commit.id);
}

/** Verdicts in the order of the chain, oldest first; only those that are not `valid`. */
export async function faults(world: World, deep = false): Promise<Record<string, Verdict>> {
  const { results } = await verify({ repository: world.repository, all: true, deep });
  const found = results.filter(({ timeline }) => timeline === MANUAL).reverse();
  return Object.fromEntries(
    found.flatMap(({ verdict }, at) => (verdict === 'valid' ? [] : [[String(at + 1), verdict]])),
  );
}

export async function rootOf(world: World, commit: ObjectId): Promise<readonly TreeEntry[]> {
  return [...(await loadSnapshot(world.store, commit)).entries.values()];
}

/** Exchanges the root of one snapshot, and makes every commit after it anew, so that git finds nothing wrong. */
export async function rewrite(
  world: World,
  commits: readonly ObjectId[],
  change: (root: TreeEntry[], at: number) => TreeEntry[],
) {
  let parents: ObjectId[] = [];
  for (const [at, commit] of commits.entries()) {
    const root = change([...(await rootOf(world, commit))], at + 1);
    const body = root.find(({ name }) => name === 'snapshot.json');
    const bytes = body && (await world.store.read(body.id, 'blob'));
    const sequence = bytes === undefined ? at + 1 : sequenceOf(bytes, at + 1);
    parents = [forgeCommit(world, { entries: root, parents, message: commitMessage(sequence) })];
  }
  setHead(world, parents[0] ?? '');
}

export function sequenceOf(bytes: Uint8Array, otherwise: number): number {
  try {
    return decodeBody(bytes).sequence;
  } catch {
    return otherwise;
  }
}

export function replaced(root: readonly TreeEntry[], name: string, id: ObjectId): TreeEntry[] {
  return root.map((entry) => (entry.name === name ? { ...entry, id } : entry));
}

export async function blobOf(world: World, root: readonly TreeEntry[], name: string): Promise<Uint8Array> {
  const bytes = await world.store.read(root.find((entry) => entry.name === name)?.id ?? '', 'blob');
  if (bytes === undefined) throw new Error(`no ${name}`);
  return bytes;
}

export function flipped(bytes: Uint8Array, at: number, bit = 1): Uint8Array {
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] ?? 0) ^ bit;
  return copy;
}

/** One place for each kind of byte: digits, letters, quotes, brackets, colons, commas. */
export function bytePlaces(bytes: Uint8Array): readonly number[] {
  const kinds = new Map<string, number>();
  for (const [at, byte] of bytes.entries()) {
    const char = String.fromCharCode(byte);
    const kind = /[0-9]/.test(char) ? 'digit' : /[a-z]/i.test(char) ? 'letter' : char;
    if (!kinds.has(kind)) kinds.set(kind, at);
  }
  return [...kinds.values()];
}

/** Path to id of everything that a snapshot holds. */
export async function reachable(world: World, commit: ObjectId): Promise<Map<string, ObjectId>> {
  const stored = await world.store.commit(commit);
  const found = new Map([
    ['commit', commit],
    ['root', stored?.tree ?? ''],
  ]);
  const walk = (tree: ObjectId, prefix: string): void => {
    const bytes = world.store.backing.objects.get(tree)?.bytes ?? new Uint8Array();
    for (const { name, mode, id } of parseTree('sha1', bytes, tree)) {
      found.set(prefix + name, id);
      if (mode === '040000') walk(id, `${prefix}${name}/`);
    }
  };
  walk(stored?.tree ?? '', '');
  return found;
}
