/** Shows how far a scan of the worktree is, and gives memory back where it holds the whole tree. */
import type { ScanProgress } from '@savepoint/core';
import type { Face } from './command.js';
import { counted, grouped } from '../views/words/wording.js';

export function showScan(face: Face): (progress: ScanProgress) => void {
  return ({ phase, files, total }) => {
    // A scan from nothing holds the whole tree, and a tool in the background should not need much for it.
    if (phase === 'listing') face.saveMemory();
    else face.progress.show(() => `Reading: ${grouped(files)} of ${counted(total, 'file')}`);
  };
}
