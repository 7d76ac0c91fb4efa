/** Reads the files that a scan looks at, and keeps their ledger. */
import type { BytePath } from '../../base/path.js';
import type { IndexFile } from '../index/index-file.js';
import { lookAt, statKey } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';
import type { Candidates } from './candidates.js';
import { dropFile, enterFile, inTree, type FileLedger } from './file-changes.js';
import { Intake, type Taken } from '../file/intake.js';
import { newModeTable, settle, type ModeTable } from '../file/mode-counts.js';
import type { ScanRequest } from './scan.js';
import type { ScanMemory } from './scan-memory.js';

/** An interruption is let through after so many files. */
const GROUP = 512;

export interface ReadingPlace {
  readonly place: WorktreePlace;
  readonly request: ScanRequest;
  readonly memory: ScanMemory | undefined;
  /** The private index, as the memory has it. */
  readonly index: IndexFile | undefined;
  /** When the scan began, milliseconds. */
  readonly began: number;
}

/** Resolves with what the worktree holds, given what of it may have changed. */
export async function readFiles(from: ReadingPlace, { look, drop }: Candidates): Promise<FileLedger> {
  const { place, memory, index } = from;
  const ledger: FileLedger = {
    files: new Map(memory?.files),
    modes: copyModes(memory),
    totals: { ...(memory?.totals ?? { files: 0, bytes: 0 }) },
    set: [],
    remove: [],
    content: new Map(),
    indexed: (file) => index?.find(file),
  };
  for (const file of drop) dropFile(ledger, file);
  const again = await retried(from);
  const paths = [...look].filter((file) => again.has(file) || !isKnown(place, memory, file));
  await takeAll(from, paths, (file, taken) => {
    enterFile(ledger, file, taken);
  });
  if (memory === undefined) settle(ledger.modes, inTree(ledger));
  return ledger;
}

/** Files that a limit kept out before and that it may not keep out now. */
async function retried({ request, memory }: ReadingPlace): Promise<ReadonlySet<BytePath>> {
  const { maxFileBytes, objects } = request;
  const limited = [...(memory?.files ?? [])].filter(([, { left }]) => left === 'too_large' || left === 'over_limit');
  const stored = limited.length === 0 ? [] : await objects.info(limited.map(([, { blob }]) => blob));
  const again = limited.filter(([, { left, size }], at) => left === 'over_limit' || size <= maxFileBytes || stored[at]);
  return new Set(again.map(([file]) => file));
}

function isKnown({ root }: WorktreePlace, memory: ScanMemory | undefined, file: BytePath): boolean {
  const known = memory?.files.get(file);
  if (known === undefined || known.key === '') return false;
  try {
    const stat = lookAt(root, file);
    return stat !== undefined && statKey(stat) === known.key;
  } catch {
    // Its directory can be listed and not entered: that it cannot be read is found where it is read.
    return false;
  }
}

async function takeAll(
  { place, request, began }: ReadingPlace,
  paths: readonly BytePath[],
  enter: (file: BytePath, taken: Taken) => void,
): Promise<void> {
  const { sink, objects, maxFileBytes, maxNewBytes, progress, signal } = request;
  const { root, objectFormat } = place;
  const limits = { maxFileBytes, maxNewBytes };
  const stored = request.own?.stored ?? [];
  const intake = new Intake({ root, objectFormat, sink, objects, ...limits, stored, began, enter });
  for (const [at, file] of paths.entries()) {
    if (at % GROUP === GROUP - 1) {
      progress?.({ phase: 'reading', files: at, total: paths.length });
      // Lets an interruption through.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    }
    await intake.take(file);
  }
  await intake.flush();
}

function copyModes(memory: ScanMemory | undefined): ModeTable {
  if (memory === undefined) return newModeTable();
  const { counts, usual, exceptions } = memory;
  return {
    counts: { file: new Map(counts.file), executable: new Map(counts.executable) },
    usual: { ...usual },
    exceptions: new Map(exceptions),
  };
}
