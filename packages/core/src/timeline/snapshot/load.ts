/** Reads one snapshot from the store: its commit, its body and its signature. */
import { text } from '../../base/bytes.js';
import { ContextError, contextError } from '../../base/errors.js';
import { BODY_FILE, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { decodeBody, snapshotId } from '../../format/v1/body.js';
import { decodeSignature } from '../../format/v1/signature.js';
import type { WithheldFile } from '../../model/bundle.js';
import type { SignatureFile, SnapshotBody, SnapshotId } from '../../model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../model/tree/tree.js';
import type { Store, StoredCommit } from '../../store/store.js';

/** At the root of a tree, what `loadSnapshot` reads: for `readAhead`. */
export const SNAPSHOT_FILES = [BODY_FILE, SIGNATURE_FILE] as const;

/** What a snapshot is read from. */
export type SnapshotSource = Pick<Store, 'commit' | 'tree' | 'read'>;

/** The stored files of a snapshot, before anything is believed of them. */
export interface SnapshotFiles {
  readonly commit: StoredCommit;
  /** What stands at the root of its tree, by name. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly body: Uint8Array;
  /** Absent where the snapshot is unsigned. */
  readonly signature?: Uint8Array;
}

export interface LoadedSnapshot {
  readonly commit: StoredCommit;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The exact bytes of the body, and the digest of them. */
  readonly bytes: Uint8Array;
  readonly id: SnapshotId;
  readonly body: SnapshotBody;
  /** Absent where there is no signature, or none that can be read: see `signatureProblem`. */
  readonly signature?: SignatureFile;
  readonly signatureProblem?: string;
  /** Of a snapshot that others published: where it lies, and which files of its slices are not there. */
  readonly foreign?: { readonly ref: string; readonly withheld: readonly WithheldFile[] };
}

/** Reads the files of a snapshot without reading into them. @throws object_missing */
export async function readSnapshotFiles(store: SnapshotSource, commitId: ObjectId): Promise<SnapshotFiles> {
  const commit = await store.commit(commitId);
  if (commit === undefined) throw missing(commitId, 'a timeline');
  return readCommitFiles(store, commit);
}

function missing(object: string, owner: string): Error {
  return contextError('object_missing', { object, owner });
}

/** Reads the files of a snapshot whose commit is at hand. @throws object_missing */
export async function readCommitFiles(store: SnapshotSource, commit: StoredCommit): Promise<SnapshotFiles> {
  const owner = `the snapshot in commit ${commit.id}`;
  const listed = await store.tree(commit.tree);
  if (listed === undefined) throw missing(commit.tree, owner);
  const entries = new Map(listed.map((entry) => [entry.name, entry]));
  const [body, signature] = await Promise.all(
    [BODY_FILE, SIGNATURE_FILE].map(async (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const bytes = await store.read(entry.id, 'blob');
      if (bytes === undefined) throw missing(entry.id, owner);
      return bytes;
    }),
  );
  if (body === undefined) throw missing(BODY_FILE, owner);
  return { commit, entries, body, ...(signature !== undefined && { signature }) };
}

/**
 * Reads a snapshot. Whether its signature and place hold, verification says.
 * @throws object_missing; format_unreadable; format_version_unsupported
 */
export async function loadSnapshot(store: SnapshotSource, commitId: ObjectId): Promise<LoadedSnapshot> {
  return decodeSnapshot(await readSnapshotFiles(store, commitId));
}

/** Reads into the files of a snapshot. @throws format_unreadable; format_version_unsupported */
export function decodeSnapshot(files: SnapshotFiles): LoadedSnapshot {
  return {
    commit: files.commit,
    entries: files.entries,
    bytes: files.body,
    id: snapshotId(files.body),
    body: decodeBody(files.body),
    ...(files.signature !== undefined && readSignature(files.signature)),
  };
}

/** The same of files that the strict reader has read before and whose id is known: they hold the same again. */
export function rereadSnapshot(files: SnapshotFiles, id: SnapshotId): LoadedSnapshot {
  return {
    commit: files.commit,
    entries: files.entries,
    bytes: files.body,
    id,
    body: JSON.parse(text(files.body)) as SnapshotBody,
    ...(files.signature !== undefined && { signature: JSON.parse(text(files.signature)) as SignatureFile }),
  };
}

/** Reads a signature file; one that cannot be read is a problem of the signature, not of the snapshot. */
export function readSignature(bytes: Uint8Array): Pick<LoadedSnapshot, 'signature' | 'signatureProblem'> {
  try {
    return { signature: decodeSignature(bytes) };
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return { signatureProblem: typeof error.data['reason'] === 'string' ? error.data['reason'] : error.message };
  }
}
