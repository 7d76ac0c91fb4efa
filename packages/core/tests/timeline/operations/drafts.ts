/** Operations for tests. */
import type { OperationDraft } from '../../../src/timeline/operations/journal.js';

let count = 0;

/** Returns a draft with an id of its own. */
export function draftOf(parts: Partial<OperationDraft> = {}): OperationDraft {
  count += 1;
  return {
    id: count.toString(16).padStart(32, '0'),
    kind: 'rewind',
    target: 'a'.repeat(64),
    safety: 'b'.repeat(64),
    options: { files: true, context: true, index: false, exact: false, force: false },
    files: [],
    ...parts,
  };
}
