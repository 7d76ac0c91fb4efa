/**
 * Paths of a worktree. Inside, a path is a `BytePath`: one character for each byte (latin1), so that no name is ever
 * changed and `<` is byte order. Outside (JSON), it is a `RepoPath` (format section "Paths").
 */
import { strictText, text } from './bytes.js';

/** A path relative to the worktree's root, `/`-separated, one character per byte. */
export type BytePath = string;

/** The JSON form: readable text, and the exact bytes in base64 where the text cannot give them back. */
export interface RepoPath {
  readonly path: string;
  readonly pathBytes?: string;
}

export function toRepoPath(path: BytePath): RepoPath {
  if (!/[\x80-\xff]/.test(path)) return { path };
  const bytes = Buffer.from(path, 'latin1');
  const exact = strictText(bytes);
  return exact === undefined ? { path: text(bytes), pathBytes: bytes.toString('base64') } : { path: exact };
}

export function fromRepoPath(path: RepoPath): BytePath {
  return path.pathBytes === undefined
    ? Buffer.from(path.path, 'utf8').toString('latin1')
    : Buffer.from(path.pathBytes, 'base64').toString('latin1');
}

/** Returns the BytePath of ordinary text, such as a command line argument. */
export function bytePath(path: string): BytePath {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** Returns the bytes of a BytePath, for file system calls. */
export function pathBytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}

// Code points that HFS+ ignores in names, as UTF-8 bytes in latin1 (git's utf8.c, next_hfs_char).
const HFS_IGNORED = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;

/** Tells whether a name stands for `.git` on some file system: by case, HFS+ ignorable characters, NTFS short names and streams. */
export function isDotGit(name: BytePath): boolean {
  const plain = name.replace(HFS_IGNORED, '').toLowerCase();
  return /^(?:\.git|git~1)[. ]*(?::.*)?$/.test(plain) || /^(?:\.git|git~1)[. ]*\\/.test(plain);
}
