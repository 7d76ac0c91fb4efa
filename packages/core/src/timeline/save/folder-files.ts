/** The files below a folder of a snapshot: their sizes and digests, the digest of the whole, and an edit in the making. */
import type { BytePath } from '../../base/path.js';
import { blake3 } from '../../format/digest.js';
import { folderDigest, type FolderDigest } from '../../format/manifest.js';
import type { BlobSink, FileSet, FolderEdit, ObjectId } from '../../model/tree/tree.js';

export interface KnownFile {
  readonly bytes: number;
  readonly digest: string;
}

/** Size and digest of every file below a folder, by path. */
export type FolderFiles = ReadonlyMap<BytePath, KnownFile>;

/** Returns the digest of a folder from the digests of all files below it. */
export function digestOfFiles(files: FolderFiles): FolderDigest {
  const folders = new Map<string, Map<BytePath, KnownFile>>();
  const direct: { name: BytePath; bytes: number; digest: string; parts: number }[] = [];
  for (const [path, file] of files) {
    const slash = path.indexOf('/');
    if (slash < 0) direct.push({ name: path, ...file, parts: 1 });
    else {
      const folder = folders.get(path.slice(0, slash)) ?? new Map<BytePath, KnownFile>();
      folder.set(path.slice(slash + 1), file);
      folders.set(path.slice(0, slash), folder);
    }
  }
  return folderDigest([...direct, ...[...folders].map(([name, below]) => ({ name, ...digestOfFiles(below) }))]);
}

/** A folder and the files below it, before they are edited. */
export interface FolderState {
  readonly folder: string;
  readonly tree: ObjectId | undefined;
  readonly files: FolderFiles;
}

/** Returns the edit that leaves a folder as it is. */
export function keepFolder(folder: string, tree: ObjectId | undefined): FolderEdit {
  return { folder, remove: [], set: [], ...(tree === undefined ? {} : { base: tree }) };
}

/** An edit of a folder: what is set goes to the sink and is known by its digest from then on. */
export class FolderDraft {
  readonly #sink: BlobSink;
  readonly #before: FolderState;
  readonly #files: Map<BytePath, KnownFile>;
  readonly #set: FileSet[] = [];
  readonly #remove: BytePath[] = [];

  constructor(sink: BlobSink, before: FolderState) {
    this.#sink = sink;
    this.#before = before;
    this.#files = new Map(before.files);
  }

  get files(): FolderFiles {
    return this.#files;
  }

  async set(path: BytePath, bytes: Uint8Array): Promise<void> {
    this.#set.push({ path, mode: '100644', id: await this.#sink.blob(bytes) });
    this.#files.set(path, { bytes: bytes.length, digest: blake3(bytes) });
  }

  /** The same, unless the file has these bytes already. */
  async update(path: BytePath, bytes: Uint8Array): Promise<void> {
    if (this.#files.get(path)?.digest !== blake3(bytes)) await this.set(path, bytes);
  }

  remove(path: BytePath): void {
    this.#remove.push(path);
    this.#files.delete(path);
  }

  /** Something was set. */
  get changed(): boolean {
    return this.#set.length > 0;
  }

  edit(): FolderEdit {
    const { folder, tree } = this.#before;
    return { ...keepFolder(folder, tree), set: this.#set, remove: this.#remove };
  }
}
