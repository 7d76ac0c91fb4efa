/** Adds files to a snapshot's folder under a ref: what is there stays, and the same files again add nothing. */
import { encodeWithheld } from '../../format/v1/withheld.js';
import { WITHHELD_FILE } from '../../format/v1/bundle.js';
import { decodeWithheld } from '../../format/v1/withheld.js';
import type { WithheldFile } from '../../model/bundle.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { FileSet, FolderEdit, ObjectId } from '../../model/tree/tree.js';
import type { RefName, Store, StoreWriter } from '../../store/store.js';
import { listFolder } from '../snapshot/folders.js';
import { placesOf } from './shelf.js';

/** One snapshot's files, whose blobs the writer or the store has. */
export interface ShelfAddition {
  readonly id: SnapshotId;
  /** Below the snapshot. */
  readonly files: readonly FileSet[];
  readonly withheld: readonly WithheldFile[];
}

export interface ShelfTask {
  readonly store: Store;
  readonly writer: StoreWriter;
  readonly ref: RefName;
  readonly message: string;
  readonly additions: readonly ShelfAddition[];
}

/** Returns what became new: for each addition how many files. Without any, nothing is written. @throws head_moved; disk_full; store_unwritable; object_missing */
export async function addToShelf(task: ShelfTask): Promise<readonly number[]> {
  const { store, writer, ref, message } = task;
  const head = await store.resolve(ref);
  const edits: { readonly sets: readonly FileSet[]; readonly remove: readonly string[]; readonly fresh: number }[] = [];
  for (const addition of task.additions) edits.push(await editOf(task, addition, head));
  const counts = edits.map(({ fresh }) => fresh);
  if (counts.every((count) => count === 0)) return counts;
  const folders = new Map<string, FolderEdit>();
  const root = head === undefined ? undefined : await store.commit(head);
  for (const { name, id } of root === undefined ? [] : ((await store.tree(root.tree)) ?? [])) {
    folders.set(name, { folder: name, base: id, remove: [], set: [] });
  }
  for (const [at, { id }] of task.additions.entries()) {
    const [top, rest] = [id.slice(0, 2), id.slice(2)];
    const present = folders.get(top) ?? { folder: top, remove: [], set: [] };
    const remove = (edits[at]?.remove ?? []).map((path) => `${rest}/${path}`);
    const set = (edits[at]?.sets ?? []).map((file) => ({ ...file, path: `${rest}/${file.path}` }));
    folders.set(top, { ...present, remove: [...present.remove, ...remove], set: [...present.set, ...set] });
  }
  await writer.commit({
    ref,
    ...(head !== undefined && { expected: head }),
    message,
    folders: [...folders.values()],
    seal: () => new Map(),
  });
  return counts;
}

async function editOf({ store, writer, ref }: ShelfTask, addition: ShelfAddition, head: ObjectId | undefined) {
  const { id, files, withheld } = addition;
  const place = head === undefined ? undefined : (await placesOf(store, ref, head)).find((one) => one.id === id);
  const listed = place === undefined ? [] : await listFolder((tree) => store.tree(tree), place.tree);
  const present = new Map(listed.map((file) => [file.path, file]));
  const sets = files.filter(
    ({ path, id: blob, mode }) => present.get(path)?.id !== blob || present.get(path)?.mode !== mode,
  );
  const there = new Set([...present.keys(), ...files.map(({ path }) => path)]);
  const before = await withheldBefore(store, present.get(WITHHELD_FILE)?.id);
  const gaps = new Map([...before, ...withheld].filter(({ path }) => !there.has(path)).map((gap) => [gap.path, gap]));
  if (sets.length === 0 && gaps.size === before.length) return { sets: [], remove: [], fresh: 0 };
  if (gaps.size === 0) return { sets, remove: present.has(WITHHELD_FILE) ? [WITHHELD_FILE] : [], fresh: sets.length };
  const record: FileSet = {
    path: WITHHELD_FILE,
    mode: '100644',
    id: await writer.blob(encodeWithheld([...gaps.values()])),
  };
  return { sets: [...sets, record], remove: [], fresh: Math.max(1, sets.length) };
}

async function withheldBefore(store: Store, blob: ObjectId | undefined): Promise<readonly WithheldFile[]> {
  const bytes = blob === undefined ? undefined : await store.read(blob, 'blob');
  return bytes === undefined ? [] : decodeWithheld(bytes);
}
