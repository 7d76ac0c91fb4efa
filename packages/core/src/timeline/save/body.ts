/** Puts the body of a snapshot together from what was captured. */
import { compareUtf8 } from '../../base/bytes.js';
import { blake3 } from '../../format/digest.js';
import {
  CONTENT_FOLDER,
  FILESYSTEM_FILE,
  INDEX_FILE,
  INDEX_FOLDER,
  TRANSCRIPT_FOLDER,
  WORKTREE_FOLDER,
} from '../../format/v1/layout.js';
import { encodeFilesystem, encodeStaged } from '../../format/v1/records.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import type { Redactions, Slice } from '../../model/snapshot.js';
import type { FolderTrees, ObjectId } from '../../model/tree/tree.js';
import type { Scan } from '../../worktree/worktree.js';
import { digestOfFiles } from './folder-files.js';
import type { KeptRecords, LinkedBlob } from './keep-records.js';
import type { TranscriptMemory } from './transcript-memory.js';

export interface Captured {
  readonly objectFormat: ObjectFormat;
  readonly scan: Scan;
  readonly content: readonly LinkedBlob[];
  readonly transcripts: Omit<TranscriptMemory, 'tree'>;
  readonly records: Pick<KeptRecords, 'slices' | 'files'>;
}

export interface Slices {
  readonly slices: readonly Slice[];
  /** Files at the root of the snapshot's tree. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Returns the slices, given the trees that the folders have. */
export function makeSlices(captured: Captured, folders: FolderTrees): Slices {
  const { objectFormat, scan, content, transcripts, records } = captured;
  const empty = emptyTreeId(objectFormat);
  const files = new Map([[FILESYSTEM_FILE, encodeFilesystem(scan.filesystem)]]);
  if (scan.staged !== undefined) {
    files.set(INDEX_FILE, encodeStaged({ ...scan.staged.record, tree: folders.get(INDEX_FOLDER) ?? empty }));
  }
  const slices: Slice[] = [...files].map(([name, bytes]) => ({
    name: name.replace(/\.json$/, ''),
    algorithm: 'blake3',
    digest: blake3(bytes),
    bytes: bytes.length,
    parts: 1,
  }));
  const { files: count, bytes } = scan.totals;
  const worktree = folders.get(WORKTREE_FOLDER) ?? empty;
  slices.push({ name: WORKTREE_FOLDER, algorithm: `git-${objectFormat}`, digest: worktree, bytes, parts: count });
  if (transcripts.files.size > 0)
    slices.push({ name: TRANSCRIPT_FOLDER, algorithm: 'blake3', ...digestOfFiles(transcripts.files) });
  if (content.length > 0) slices.push({ name: CONTENT_FOLDER, algorithm: 'blake3', ...digestOfContent(content) });
  slices.push(...records.slices);
  for (const [name, bytes] of records.files) files.set(name, bytes);
  return { slices: slices.sort((a, b) => compareUtf8(a.name, b.name)), files };
}

/** Where `content/` keeps a blob. */
export function contentPath(id: ObjectId): string {
  return `${id.slice(0, 2)}/${id.slice(2)}`;
}

function digestOfContent(content: readonly LinkedBlob[]): ReturnType<typeof digestOfFiles> {
  return digestOfFiles(new Map(content.map(({ id, bytes, digest }) => [contentPath(id), { bytes, digest }])));
}

/** Returns how many secrets the transcripts and the body's own words had, by kind. */
export function countRedactions(
  transcripts: Captured['transcripts'],
  words: readonly Readonly<Record<string, number>>[],
): Redactions {
  const kinds: Record<string, number> = {};
  const all = [...transcripts.transcripts.values()].flatMap(({ parts }) => parts.map((part) => part.kinds));
  for (const counts of [...all, ...words]) {
    for (const [kind, count] of Object.entries(counts)) kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  return { count: Object.values(kinds).reduce((sum, count) => sum + count, 0), kinds };
}
