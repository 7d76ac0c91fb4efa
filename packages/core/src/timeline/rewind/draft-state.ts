/** What stands at a path, as a plan in the making has it: without the size, which costs a question. */
import type { FileState as StoredState } from '../diff/worktree-files.js';

/** What stands at a path, as trees have it; `directory` gives permission bits. */
export type DraftState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'directory'; readonly permissions: number }
  | { readonly kind: 'file'; readonly blob: string; readonly permissions: number }
  | { readonly kind: 'link'; readonly blob: string };

export const ABSENT = { kind: 'absent' } as const;

/** Tells whether what stands at a path is exactly what is asked for. */
export function isAsWanted(there: DraftState, wanted: DraftState): boolean {
  if (there.kind === 'absent' || wanted.kind === 'absent') return there.kind === wanted.kind;
  if (there.kind === 'link' || wanted.kind === 'link') {
    return there.kind === 'link' && wanted.kind === 'link' && there.blob === wanted.blob;
  }
  if (there.permissions !== wanted.permissions) return false;
  if (there.kind === 'directory' || wanted.kind === 'directory') return there.kind === wanted.kind;
  return there.blob === wanted.blob;
}

/** What a worktree's record says of a file or link, as the planner takes it. */
export function stateOf(stored: StoredState | undefined): DraftState {
  if (stored === undefined) return ABSENT;
  const { mode, blob } = stored;
  return mode === 'link' ? { kind: 'link', blob } : { kind: 'file', blob, permissions: parseInt(mode, 8) };
}
