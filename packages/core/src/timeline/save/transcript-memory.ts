/** What is remembered of the transcripts of a timeline, so that a capture reads only what is new. A cache. */
import { compareBytes, strictText, utf8 } from '../../base/bytes.js';
import type { BytePath } from '../../base/path.js';
import { blake3 } from '../../format/digest.js';
import { decodePart, decodeSource } from '../../format/v1/records.js';
import { partIndex, partPath } from '../../format/v1/parts.js';
import type { TranscriptPart, TranscriptSource } from '../../model/context/transcript.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { redactionKinds } from '../../redact/redactor.js';
import type { LocalState } from '../../store/local-state.js';
import type { Store } from '../../store/store.js';
import { listFolder } from '../snapshot/folders.js';
import type { FolderFiles } from './folder-files.js';

export interface KnownPart {
  readonly offset: number;
  readonly continues: boolean;
  readonly kinds: Readonly<Record<string, number>>;
}

export interface KnownTranscript {
  readonly source: TranscriptSource;
  readonly parts: readonly KnownPart[];
  /** Digest of samples of the log up to `source.bytes`; absent where it is not known. */
  readonly samples?: string;
}

export interface TranscriptMemory {
  /** Folder `transcript/` that all this is about. */
  readonly tree: ObjectId | undefined;
  /** By folder name. */
  readonly transcripts: ReadonlyMap<string, KnownTranscript>;
  /** Size and digest of every file below `transcript/`. */
  readonly files: FolderFiles;
}

const fileOf = (timeline: string): string => `cache/transcripts/${timeline}.json`;

/** What is known, and the bytes of the cache that it was read from. */
export interface RecalledTranscripts extends TranscriptMemory {
  readonly cached?: Uint8Array;
}

/** Returns what is known of the transcripts in a tree: from the cache, else from the store. */
export async function recallTranscripts(
  from: { store: Store; local: LocalState; timeline: string },
  tree: ObjectId | undefined,
): Promise<RecalledTranscripts> {
  if (tree === undefined) return { tree, transcripts: new Map(), files: new Map() };
  const cached = await from.local.read(fileOf(from.timeline), { packed: true });
  const memory = cached === undefined ? undefined : parseMemory(cached);
  return memory?.tree === tree ? { ...memory, ...(cached && { cached }) } : rebuild(from.store, tree);
}

/** Writes the cache, unless it says the same already: `cached` is what it was when the capture began. */
export async function keepTranscripts(
  place: { readonly local: LocalState; readonly timeline: string },
  memory: TranscriptMemory,
  cached: Uint8Array | undefined,
): Promise<void> {
  // Of a snapshot without logs nothing is asked.
  if (memory.tree === undefined) return;
  const bytes = utf8(
    JSON.stringify({ tree: memory.tree, transcripts: [...memory.transcripts], files: [...memory.files] }),
  );
  if (cached !== undefined && compareBytes(cached, bytes) === 0) return;
  await place.local.write(fileOf(place.timeline), bytes, { cache: true, packed: true });
}

function parseMemory(bytes: Uint8Array): TranscriptMemory | undefined {
  try {
    const plain = JSON.parse(strictText(bytes) ?? '') as {
      tree?: string;
      transcripts: [string, KnownTranscript][];
      files: [string, { bytes: number; digest: string }][];
    };
    return { tree: plain.tree, transcripts: new Map(plain.transcripts), files: new Map(plain.files) };
  } catch {
    return undefined;
  }
}

async function rebuild(store: Store, tree: ObjectId): Promise<TranscriptMemory> {
  const files = new Map<BytePath, { bytes: number; digest: string }>();
  const sources = new Map<string, TranscriptSource>();
  const sidecars = new Map<BytePath, TranscriptPart>();
  for (const { path, id } of await listFolder((id) => store.tree(id), tree)) {
    const bytes = (await store.read(id, 'blob')) ?? new Uint8Array();
    files.set(path, { bytes: bytes.length, digest: blake3(bytes) });
    const slash = path.indexOf('/');
    const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (name === 'source.json') sources.set(folder, decodeSource(bytes));
    else if (name.endsWith('.json') && partIndex(name) !== undefined) sidecars.set(path, decodePart(bytes));
  }
  const transcripts = new Map(
    [...sources].map(([folder, source]) => [folder, { source, parts: partsOf(folder, { files, sidecars }) }]),
  );
  return { tree, transcripts, files };
}

interface StoredParts {
  readonly files: FolderFiles;
  readonly sidecars: ReadonlyMap<BytePath, TranscriptPart>;
}

/** A part without a sidecar begins where the one before it ended, and is as long as it is stored. */
function partsOf(folder: string, { files, sidecars }: StoredParts): readonly KnownPart[] {
  const parts: KnownPart[] = [];
  for (let offset = 0; ;) {
    const path = `${folder}/${partPath(parts.length)}`;
    const file = files.get(`${path}.jsonl`);
    if (file === undefined) return parts;
    const said = sidecars.get(`${path}.json`);
    const from = said?.offset ?? offset;
    parts.push({ offset: from, continues: said?.continues === true, kinds: redactionKinds(said?.spans ?? []) });
    offset = from + (said?.length ?? file.bytes);
  }
}
