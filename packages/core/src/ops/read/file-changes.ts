/** How a file differs between two worktrees: its sides, and the lines of text. */
import { toRepoPath } from '../../base/path.js';
import type { FileDifference } from '../../timeline/diff/compare.js';
import { contentChange, type ContentSource } from '../../timeline/diff/content.js';
import type { FileState } from '../../timeline/diff/worktree-files.js';

/** One side of a change. `mode` is four octal digits, `link` or `submodule`; `bytes` is absent where it is not known. */
export interface FileSide {
  readonly mode: string;
  readonly blob: string;
  readonly bytes?: number;
}

/** One file that differs; `pathBytes` (base64) only where the path is not UTF-8. */
export interface FileChange {
  readonly path: string;
  readonly pathBytes?: string;
  readonly change: FileDifference['change'];
  readonly before?: FileSide;
  readonly after?: FileSide;
  /** True for what is not text, and for text above 4 MiB; absent with `namesOnly`. */
  readonly binary?: boolean;
  /** Lines, for text files that were read. */
  readonly insertions?: number;
  readonly deletions?: number;
  /** Unified diff without the file header, with `patch`. */
  readonly patch?: string;
}

/** How much is wanted of each file. */
export interface FileChangeForm {
  /** Also unified patches of text files. */
  readonly patch?: boolean;
  /** Only which files changed and how: their contents are not read. */
  readonly namesOnly?: boolean;
}

// Both sides of this many files are in memory at a time.
const AT_ONCE = 16;

/** Tells of each file that differs what it was and is. @throws object_missing */
export async function fileChanges(
  differences: readonly FileDifference[],
  content: ContentSource,
  form: FileChangeForm,
): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (let at = 0; at < differences.length; at += AT_ONCE) {
    const batch = differences.slice(at, at + AT_ONCE).map((difference) => fileChange(difference, content, form));
    changes.push(...(await Promise.all(batch)));
  }
  return changes;
}

async function fileChange(
  { path, change, before, after }: FileDifference,
  content: ContentSource,
  { patch, namesOnly }: FileChangeForm,
): Promise<FileChange> {
  const [a, b] = await Promise.all([fileSide(content, before), fileSide(content, after)]);
  const sides = { ...(a && { before: a }), ...(b && { after: b }) };
  if (namesOnly === true) return { ...toRepoPath(path), change, ...sides };
  if ([a, b].some((side) => side?.mode === 'submodule'))
    return { ...toRepoPath(path), change, ...sides, binary: false };
  const { binary, change: lines } = await contentChange(content, before?.blob, after?.blob);
  return {
    ...toRepoPath(path),
    change,
    ...sides,
    binary,
    ...(lines !== undefined && { insertions: lines.insertions, deletions: lines.deletions }),
    ...(patch === true && lines !== undefined && { patch: lines.patch }),
  };
}

async function fileSide(content: ContentSource, state: FileState | undefined): Promise<FileSide | undefined> {
  if (state === undefined) return undefined;
  const bytes = state.mode === 'submodule' ? undefined : await content.size(state.blob);
  return { ...state, ...(bytes !== undefined && { bytes }) };
}

/** Adds up the lines of all files. */
export function countLines(files: readonly FileChange[]): { readonly insertions: number; readonly deletions: number } {
  return {
    insertions: files.reduce((sum, { insertions = 0 }) => sum + insertions, 0),
    deletions: files.reduce((sum, { deletions = 0 }) => sum + deletions, 0),
  };
}
