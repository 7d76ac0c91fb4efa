/**
 * The Store port: content-addressed objects and refs below `refs/savepoint/v1/`. Ids are git object ids in every store,
 * so the same content has the same id in memory and in git. Readers see a snapshot whole or not at all: objects become
 * durable before the ref moves, and the ref moves by compare-and-swap.
 */
import type { BytePath } from '../base/path.js';
import type { ObjectFormat } from '../model/tree/anchor.js';
import type {
  BlobSink,
  FolderEdit,
  FolderTrees,
  ObjectId,
  ObjectSource,
  ObjectType,
  TreeEntry,
  TreeMode,
} from '../model/tree/tree.js';

/** A commit that is in the store. */
export interface StoredCommit {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  /** The exact bytes of the commit object. */
  readonly bytes: Uint8Array;
}

/** Name of a ref below `refs/savepoint/v1/`, such as `timelines/<32 hex>`. */
export type RefName = string;

export interface Ref {
  readonly name: RefName;
  readonly target: ObjectId;
}

/** A commit in the making: the first parent is where its ref is, the trees of its folders are made of edits. */
export interface CommitDraft {
  readonly ref: RefName;
  /** The present target of the ref, which becomes the parent; undefined for a new ref. */
  readonly expected?: ObjectId;
  /** The whole commit message. */
  readonly message: string;
  readonly folders: readonly FolderEdit[];
  /** Objects that the commit at `expected` holds: they are not new. */
  readonly held?: Iterable<ObjectId>;
  /** Called when the folders have their ids; returns the files at the root (name to bytes). */
  seal(folders: FolderTrees): ReadonlyMap<string, Uint8Array>;
}

/** A group of new objects that becomes visible with one ref update, or not at all. */
export interface StoreWriter extends BlobSink {
  /**
   * Writes the tree and the commit, makes all durable, moves the ref and looks every new object up again. With `beside`,
   * which has another ref, the same happens to a second commit: both refs move, or none.
   * @throws head_moved if a ref was not at `expected`; ref_locked; object_missing if a base is gone; disk_full; store_unwritable
   */
  commit(draft: CommitDraft, beside?: CommitDraft): Promise<StoredCommit>;
  /** Starts what takes time to start; without it, the first blob does. */
  prepare(): void;
  /** Gives up; nothing becomes visible. Safe to call at any time, also after `commit`. */
  discard(): Promise<void>;
}

/** The port to content-addressed objects and to refs below `refs/savepoint/v1/`; the same content has the same id in every store. */
export interface Store extends ObjectSource {
  readonly objectFormat: ObjectFormat;
  /** Returns the target of one ref, or undefined if there is none. */
  resolve(name: RefName): Promise<ObjectId | undefined>;
  /** Returns the refs whose name starts with `prefix`, in the byte order of their names. */
  refs(prefix: string): Promise<readonly Ref[]>;
  /**
   * Moves, makes (`expected` undefined) or deletes (`target` undefined) a ref.
   * @throws head_moved if it was not at `expected`; ref_locked
   */
  updateRef(name: RefName, target: ObjectId | undefined, expected: ObjectId | undefined): Promise<void>;
  /** Returns the bytes of an object, or undefined if it is not there or not of that type. */
  read(id: ObjectId, type: ObjectType): Promise<Uint8Array | undefined>;
  /** Returns a blob piece by piece, for content of any size. @throws object_missing */
  stream(id: ObjectId): AsyncIterable<Uint8Array>;
  /** Returns the entries of a tree in git's order, or undefined if it is not there. */
  tree(id: ObjectId): Promise<readonly TreeEntry[] | undefined>;
  /** Returns a commit, or undefined if it is not there. */
  commit(id: ObjectId): Promise<StoredCommit | undefined>;
  /** Returns first-parent ancestors from `from` on, newest first, stopping before `until` or after `limit`. */
  history(from: ObjectId, options?: { readonly until?: ObjectId; readonly limit?: number }): AsyncIterable<ObjectId>;
  /** Compares two trees (undefined: empty) and yields every path whose entry differs; never enters equal subtrees. */
  compare(a: ObjectId | undefined, b: ObjectId | undefined): AsyncIterable<TreeDifference>;
  /**
   * Reads commits, their trees and these files at the root of each in one go, so that whoever asks for them next need not
   * wait. A hint: it promises nothing, never fails and changes no answer.
   */
  readAhead(commits: readonly ObjectId[], files: readonly string[]): Promise<void>;
  /** `readsOn`: the caller will read what is written. */
  writer(options?: { readonly readsOn?: boolean }): StoreWriter;
  /** Ends what runs in the background of this object (child processes); the store can be used again afterwards. */
  close(): Promise<void>;
}

export interface TreeDifference {
  readonly path: BytePath;
  readonly before?: { readonly mode: TreeMode; readonly id: ObjectId };
  readonly after?: { readonly mode: TreeMode; readonly id: ObjectId };
}
