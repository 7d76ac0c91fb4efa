/** The records of a snapshot as they are taken over from the one before, without looking into them. */
import { contextError } from '../../base/errors.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, SESSION_FILE } from '../../format/v1/layout.js';
import type { Slice } from '../../model/snapshot.js';
import type { FolderEdit, ObjectId } from '../../model/tree/tree.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { rootFile } from '../snapshot/slices.js';
import type { Store } from '../../store/store.js';
import { keepFolder } from './folder-files.js';

export const RECORD_FOLDERS = [CONTEXT_FOLDER, ACTIONS_FOLDER, LEDGER_FOLDER] as const;
export type RecordFolder = (typeof RECORD_FOLDERS)[number];

/** Trees of the folders; a folder without records is absent. */
export type RecordTrees = Partial<Readonly<Record<RecordFolder, ObjectId>>>;

/** A blob that `content/` links, with the digest of its bytes. */
export interface LinkedBlob {
  readonly id: ObjectId;
  readonly bytes: number;
  readonly digest: string;
}

export interface KeptRecords {
  readonly folders: readonly FolderEdit[];
  readonly slices: readonly Slice[];
  /** Files at the root, by name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What records have below `content/`. */
  readonly content: readonly LinkedBlob[];
  /** How many secrets this capture removed from items that were added by hand, by kind. */
  readonly redacted?: Readonly<Record<string, number>>;
}

export function recordTrees(previous: LoadedSnapshot | undefined): RecordTrees {
  const found = RECORD_FOLDERS.flatMap((folder) => {
    const tree = previous?.entries.get(folder);
    return tree?.mode === '040000' ? [[folder, tree.id] as const] : [];
  });
  return Object.fromEntries(found);
}

const NAMES: ReadonlySet<string> = new Set([...RECORD_FOLDERS, SESSION_FILE.replace('.json', '')]);

/** Takes the records over. `linked` is asked for only where the snapshot has a `content/` that they may share. */
export async function keepRecords(
  store: Store,
  previous: LoadedSnapshot | undefined,
  linked: () => Promise<readonly LinkedBlob[]>,
): Promise<KeptRecords> {
  const slices = previous?.body.slices.filter(({ name }) => NAMES.has(name)) ?? [];
  if (previous === undefined || slices.length === 0) return { folders: [], slices: [], files: new Map(), content: [] };
  const sessions = await rootFile(store, previous, SESSION_FILE);
  if (sessions === undefined) throw contextError('object_missing', { object: SESSION_FILE, owner: 'the head' });
  const trees = recordTrees(previous);
  const hasContent = previous.body.slices.some(({ name }) => name === 'content');
  return {
    folders: Object.entries(trees).map(([folder, tree]) => keepFolder(folder, tree)),
    slices,
    files: new Map([[SESSION_FILE, sessions]]),
    content: hasContent ? await linked() : [],
  };
}
