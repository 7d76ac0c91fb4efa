/** The tools with which the rules of a Store are written: quick commits, and git's ids computed without the store's own code. */
import { createHash } from 'node:crypto';
import type { CommitDraft, FolderEdit, ObjectId, Store, StoredCommit } from '@savepoint/core';

export type ConformanceFormat = 'sha1' | 'sha256';

export const REF = `timelines/${'a'.repeat(32)}`;
export const OTHER_REF = `timelines/${'b'.repeat(32)}`;

export interface Bench {
  readonly format: ConformanceFormat;
  store(): Store;
  reopen(): Promise<Store>;
}

export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value');
  return value;
}

export const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
export const latin1 = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : Buffer.from(content).toString('latin1');

/** Git's id of a blob, computed here so that a store is not judged by its own code. */
export function blobId(format: ConformanceFormat, content: Uint8Array): ObjectId {
  return createHash(format)
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}

export async function* pieces(content: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield Promise.resolve(content.subarray(at, at + size));
}

export async function gather<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

export async function wholeBlob(store: Store, id: ObjectId): Promise<Buffer> {
  return Buffer.concat(await gather(store.stream(id)));
}

export interface QuickCommit extends Partial<Omit<CommitDraft, 'folders' | 'seal'>> {
  /** Path to content, one character per byte. */
  readonly files?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  readonly base?: ObjectId;
  readonly root?: Readonly<Record<string, string>>;
}

/** Commits one folder `worktree` and files at the root. */
export async function commitFiles(store: Store, quick: QuickCommit, beside?: CommitDraft): Promise<StoredCommit> {
  const writer = store.writer();
  const set = [];
  for (const [path, content] of Object.entries(quick.files ?? {})) {
    set.push({ path, mode: '100644' as const, id: await writer.blob(bytes(content)) });
  }
  const folder: FolderEdit = {
    folder: 'worktree',
    ...(quick.base !== undefined && { base: quick.base }),
    remove: quick.remove ?? [],
    set,
  };
  const draft: CommitDraft = {
    ref: quick.ref ?? REF,
    ...(quick.expected !== undefined && { expected: quick.expected }),
    message: quick.message ?? 'a message\n',
    folders: [folder],
    seal: () =>
      new Map(Object.entries(quick.root ?? { 'snapshot.json': '{}' }).map(([name, text]) => [name, bytes(text)])),
  };
  return writer.commit(draft, beside);
}

export async function folderOf(store: Store, commit: StoredCommit): Promise<ObjectId | undefined> {
  return must(await store.tree(commit.tree)).find(({ name }) => name === 'worktree')?.id;
}

/** Path to content of every file below a tree. */
export async function filesOf(store: Store, tree: ObjectId | undefined, prefix = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of tree === undefined ? [] : must(await store.tree(tree))) {
    if (entry.mode === '040000') Object.assign(found, await filesOf(store, entry.id, `${prefix}${entry.name}/`));
    else found[prefix + entry.name] = must(latin1(await store.read(entry.id, 'blob')));
  }
  return found;
}

export async function committedFiles(store: Store, quick: QuickCommit): Promise<Record<string, string>> {
  return filesOf(store, await folderOf(store, await commitFiles(store, quick)));
}

export type Writer = ReturnType<Store['writer']>;

export function commitSet(
  writer: Writer,
  set: FolderEdit['set'],
  draft: Partial<CommitDraft> = {},
): Promise<StoredCommit> {
  return writer.commit({
    ref: REF,
    message: 'a message\n',
    folders: [{ folder: 'worktree', remove: [], set }],
    seal: () => new Map([['snapshot.json', bytes('{}')]]),
    ...draft,
  });
}
