/** Trees and blobs by their git object ids, and how a folder of a snapshot is edited. */
import type { BytePath } from '../../base/path.js';

/** Lower hex digits, 40 or 64 of them by the object format. */
export type ObjectId = string;

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

export type TreeMode = '100644' | '100755' | '120000' | '040000' | '160000';

/** One entry of a git tree. */
export interface TreeEntry {
  readonly mode: TreeMode;
  readonly id: ObjectId;
  /** One path component, one character per byte. */
  readonly name: BytePath;
}

export interface FileSet {
  readonly path: BytePath;
  readonly mode: TreeMode;
  readonly id: ObjectId;
}

/** How one folder at the root of a commit's tree is made: from a tree in the store, with paths removed and set. */
export interface FolderEdit {
  readonly folder: string;
  readonly base?: ObjectId;
  /** Applied before `set`. A directory's path removes all below it. */
  readonly remove: readonly BytePath[];
  readonly set: readonly FileSet[];
}

/** Ids of the folders after their edits; a folder without entries is absent. */
export type FolderTrees = ReadonlyMap<string, ObjectId>;

/** Takes new content on its way into the store. */
export interface BlobSink {
  /** Takes content and returns its blob id. It is durable once the snapshot that names it is. */
  blob(bytes: Uint8Array): Promise<ObjectId>;
  /** The same for content of a known size that need not fit in memory; a source that ends early or goes on rejects. */
  blobFrom(size: number, chunks: AsyncIterable<Uint8Array>): Promise<ObjectId>;
}

export interface ObjectInfo {
  readonly type: ObjectType;
  readonly size: number;
}

/** Answers what is in the store. */
export interface ObjectSource {
  /** Returns what each object is, or undefined if it is not there; results are in the order of `ids`. */
  info(ids: readonly ObjectId[]): Promise<readonly (ObjectInfo | undefined)[]>;
}
