/** A process that replaces the sample's files, and kills or stops itself before a certain call of the disk. */
import path from 'node:path';
import { systemClock, systemRandom } from '../../../packages/core/src/base/clock.js';
import { fileLease } from '../../../packages/core/src/store/git/locks/lease.js';
import type { Disk } from '../../../packages/core/src/worktree/replace/disk/disk.js';
import { fileReplacements } from '../../../packages/core/src/worktree/replace/files/file-replacements.js';
import type { Replacements } from '../../../packages/core/src/worktree/replace/replacement.js';
import { contentOf, replaceAll, requestOf } from '../../../packages/core/tests/worktree/replace/bench.js';
import { faultyDisk } from '../../../packages/core/tests/worktree/replace/faulty-disk.js';
import { FROM, TO } from '../../../packages/core/tests/worktree/replace/sample.js';
import { changesBetween } from '../../../packages/core/tests/worktree/replace/trees.js';

/** The replacements of the worktree in a folder, with a lease that names real processes. */
export function replacementsIn(folder: string, disk: Disk): Replacements {
  const journalDirectory = path.join(folder, 'git', 'restores');
  return fileReplacements({
    root: path.join(folder, 'root'),
    journalDirectory,
    objectFormat: 'sha1',
    lease: fileLease(path.join(journalDirectory, 'lease'), systemRandom),
    clock: systemClock,
    random: systemRandom,
    disk,
  });
}

export async function main(folder: string, at: number, signal: NodeJS.Signals): Promise<void> {
  const { disk } = faultyDisk(undefined, (count) => {
    if (count === at) process.kill(process.pid, signal);
  });
  await replaceAll(replacementsIn(folder, disk), requestOf(changesBetween(FROM, TO), contentOf(FROM, TO)));
}
