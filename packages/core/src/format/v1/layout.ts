/** Names of what stands at the root of a snapshot's tree, and of its slices. */

export const BODY_FILE = 'snapshot.json';
export const SIGNATURE_FILE = 'signature.json';

/** Folders whose digest is their git tree id. */
export const WORKTREE_FOLDER = 'worktree';
export const INDEX_FOLDER = 'index';
/** Folders whose digest is the BLAKE3 of their manifest. */
export const TRANSCRIPT_FOLDER = 'transcript';
export const CONTENT_FOLDER = 'content';
/** What was folded from the logs, by session and in buckets. */
export const CONTEXT_FOLDER = 'context';
export const ACTIONS_FOLDER = 'actions';
export const LEDGER_FOLDER = 'ledger';
/** Stands in `context/<session>/` beside the buckets. */
export const WINDOW_FILE = 'window.json';

export const FILESYSTEM_FILE = 'filesystem.json';
/** Names the tree in `index/`, so that one slice `index` covers both. */
export const INDEX_FILE = 'index.json';
export const SESSION_FILE = 'session.json';

/** Folders hold at most this many entries, so that a capture rewrites little. */
export const FOLDER_LIMIT = 64;
/** Parts of a transcript hold at most this many bytes. */
export const PART_BYTES = 64 * 1024;

/** The commit message of a snapshot; with the tree and the parent it determines every byte of the commit. */
export function commitMessage(sequence: number): string {
  return `savepoint snapshot ${String(sequence)}\n`;
}
