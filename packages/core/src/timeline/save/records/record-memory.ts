/** What is remembered of the records of a timeline, so that a capture folds and writes only what is new. A cache. */
import { strictText, utf8 } from '../../../base/bytes.js';
import type { JsonValue } from '../../../base/json.js';
import type { BytePath } from '../../../base/path.js';
import { blake3 } from '../../../format/digest.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, WINDOW_FILE } from '../../../format/v1/layout.js';
import { decodeActions } from '../../../format/v1/state/actions.js';
import { decodeItems } from '../../../format/v1/state/items.js';
import type { ContentReference } from '../../../model/context/item.js';
import type { LocalState } from '../../../store/local-state.js';
import type { Store } from '../../../store/store.js';
import { listFolder } from '../../snapshot/folders.js';
import type { FolderFiles } from '../folder-files.js';
import { RECORD_FOLDERS, type LinkedBlob, type RecordFolder, type RecordTrees } from '../keep-records.js';

/** Where a fold of a log stopped. */
export interface FoldPosition {
  /** Of the fold that made `state`. */
  readonly version: string;
  /** Parts before this one will not change; it begins at `start` of the stored log. */
  readonly part: number;
  readonly start: number;
  /** Stored bytes from there on that are folded, which ended a line, and their digest. */
  readonly done: number;
  readonly digest: string;
  readonly state: JsonValue;
}

export interface RecordMemory {
  /** Folders that all this is about. */
  readonly trees: RecordTrees;
  readonly files: Readonly<Record<RecordFolder, FolderFiles>>;
  /** By folder of the session, the ones that were folded last at the end. */
  readonly positions: ReadonlyMap<string, FoldPosition>;
  /** The buckets that are likely to change next, by folder and path. */
  readonly open: ReadonlyMap<string, Uint8Array>;
  /** What records have below `content/`. */
  readonly linked: readonly LinkedBlob[];
}

/** States of folds can be large, and old sessions seldom go on. */
const POSITIONS = 8;

const place = (timeline: string): string => `cache/records/${timeline}.json`;

interface Plain {
  readonly trees: RecordTrees;
  readonly files: Readonly<Record<string, [string, { bytes: number; digest: string }][]>>;
  readonly positions: [string, FoldPosition][];
  readonly open: [string, string][];
  readonly linked: readonly LinkedBlob[];
}

export async function keepRecordMemory(local: LocalState, timeline: string, memory: RecordMemory): Promise<void> {
  const plain: Plain = {
    trees: memory.trees,
    files: Object.fromEntries(RECORD_FOLDERS.map((folder) => [folder, [...memory.files[folder]]])),
    positions: [...memory.positions].slice(-POSITIONS),
    open: [...memory.open].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]),
    linked: memory.linked,
  };
  await local.write(place(timeline), utf8(JSON.stringify(plain)), { cache: true, packed: true });
}

/** Returns what is known of the records in these trees: from the cache, else from the store. */
export async function recallRecords(
  from: { readonly store: Store; readonly local: LocalState; readonly timeline: string },
  trees: RecordTrees,
): Promise<RecordMemory> {
  const cached = await from.local.read(place(from.timeline), { packed: true });
  const memory = cached === undefined ? undefined : parse(cached);
  const same = memory !== undefined && RECORD_FOLDERS.every((folder) => memory.trees[folder] === trees[folder]);
  return same ? memory : rebuild(from.store, trees);
}

function parse(bytes: Uint8Array): RecordMemory | undefined {
  try {
    const { trees, files, positions, open, linked } = JSON.parse(strictText(bytes) ?? '') as Plain;
    return {
      trees,
      files: perFolder((folder) => new Map(files[folder])),
      positions: new Map(positions),
      open: new Map(open.map(([path, text]) => [path, utf8(text)])),
      linked,
    };
  } catch {
    return undefined;
  }
}

function perFolder<T>(make: (folder: RecordFolder) => T): Readonly<Record<RecordFolder, T>> {
  return Object.fromEntries(RECORD_FOLDERS.map((folder) => [folder, make(folder)])) as Record<RecordFolder, T>;
}

async function rebuild(store: Store, trees: RecordTrees): Promise<RecordMemory> {
  const files = perFolder(() => new Map<BytePath, { bytes: number; digest: string }>());
  const references: ContentReference[] = [];
  for (const folder of RECORD_FOLDERS) {
    for (const { path, id } of await listFolder((tree) => store.tree(tree), trees[folder])) {
      const bytes = (await store.read(id, 'blob')) ?? new Uint8Array();
      files[folder].set(path, { bytes: bytes.length, digest: blake3(bytes) });
      references.push(...referencesIn(folder, path, bytes));
    }
  }
  return { trees, files, positions: new Map(), open: new Map(), linked: await linkedBlobs(store, references) };
}

/** So canonical JSON says that bytes are below `content/`. */
const LINKED = '"in":"content"';

/** Returns what the records of a file name, if any of it is below `content/`. */
export function referencesIn(folder: RecordFolder, path: BytePath, bytes: Uint8Array): readonly ContentReference[] {
  if (path.endsWith(`/${WINDOW_FILE}`) || !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(LINKED))
    return [];
  try {
    if (folder === CONTEXT_FOLDER) return decodeItems(bytes).map(({ content }) => content);
    if (folder !== ACTIONS_FOLDER) return [];
    const actions = decodeActions(bytes);
    return actions.flatMap(({ arguments: given, output }) => [given, output].filter((one) => one !== undefined));
  } catch {
    // Damage is for `verify` to tell; a capture goes on.
    return [];
  }
}

async function linkedBlobs(store: Store, references: readonly ContentReference[]): Promise<readonly LinkedBlob[]> {
  const inContent = references.filter(({ place: { in: where } }) => where === 'content');
  const ids = new Set(inContent.flatMap(({ blob }) => blob ?? []));
  const linked: LinkedBlob[] = [];
  for (const id of ids) {
    const bytes = await store.read(id, 'blob');
    if (bytes !== undefined) linked.push({ id, bytes: bytes.length, digest: blake3(bytes) });
  }
  return linked;
}
