/** Puts records into the buckets of a session: only the buckets that changed are written. */
import type { BytePath } from '../../../base/path.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, WINDOW_FILE } from '../../../format/v1/layout.js';
import { decodeActions, encodeActions } from '../../../format/v1/state/actions.js';
import { BUCKET_RECORDS, bucketPath } from '../../../format/v1/state/buckets.js';
import { decodeItems, encodeItems, encodeWindow } from '../../../format/v1/state/items.js';
import { decodeLedger, encodeLedger } from '../../../format/v1/state/ledger.js';
import type { RecordChanges } from '../../records/fold.js';
import type { FolderDraft } from '../folder-files.js';
import type { RecordFolder } from '../keep-records.js';

export interface BucketPlace {
  readonly drafts: Readonly<Record<RecordFolder, FolderDraft>>;
  /** The buckets that are likely to change next, by folder and path; kept up to date. */
  readonly open: Map<string, Uint8Array>;
  /** Returns the bytes of a file of the last snapshot. */
  readonly stored: (folder: RecordFolder, path: BytePath) => Promise<Uint8Array | undefined>;
}

export type SessionChanges = Omit<RecordChanges, 'session'> & {
  /** Name of the session's folder. */
  readonly folder: string;
  /** True where these are all records, not only the new ones. */
  readonly whole: boolean;
};

interface Sequenced {
  readonly sequence: number;
}

interface Form<T extends Sequenced> {
  readonly records: readonly T[];
  readonly folder: RecordFolder;
  readonly encode: (records: readonly T[]) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => readonly T[];
}

const ITEMS = { folder: CONTEXT_FOLDER, encode: encodeItems, decode: decodeItems } as const;
const ACTIONS = { folder: ACTIONS_FOLDER, encode: encodeActions, decode: decodeActions } as const;
const ENTRIES = { folder: LEDGER_FOLDER, encode: encodeLedger, decode: decodeLedger } as const;

/** A record is seldom replaced when so many buckets follow its own. */
const OPEN = 2;

/** @throws invariant_broken for records that the format has no place for, before anything is edited */
export async function editBuckets(place: BucketPlace, changes: SessionChanges): Promise<void> {
  const window = encodeWindow(changes.window);
  const edits = [
    ...(await bucketsOf(place, changes, { ...ITEMS, records: changes.items })),
    ...(await bucketsOf(place, changes, { ...ACTIONS, records: changes.actions })),
    ...(await bucketsOf(place, changes, { ...ENTRIES, records: changes.ledger })),
  ];
  const { drafts, open } = place;
  const written = new Set<string>();
  for (const { folder, path, bytes } of edits) {
    await drafts[folder].update(path, bytes);
    open.set(`${folder}/${path}`, bytes);
    written.add(`${folder}/${path}`);
  }
  const hasItems = [...drafts[CONTEXT_FOLDER].files.keys()].some((path) => path.startsWith(`${changes.folder}/`));
  if (hasItems) {
    const path = `${changes.folder}/${WINDOW_FILE}`;
    await drafts[CONTEXT_FOLDER].update(path, window);
    written.add(`${CONTEXT_FOLDER}/${path}`);
  }
  if (changes.whole) dropOthers(place, changes.folder, written);
  forgetFull(open, changes.folder);
}

interface BucketEdit {
  readonly folder: RecordFolder;
  readonly path: BytePath;
  readonly bytes: Uint8Array;
}

async function bucketsOf<T extends Sequenced>(
  { open, stored, drafts }: BucketPlace,
  { folder: session, whole }: SessionChanges,
  { folder, encode, decode, records }: Form<T>,
): Promise<readonly BucketEdit[]> {
  const byBucket = new Map<number, T[]>();
  for (const record of records) {
    const index = Math.floor(record.sequence / BUCKET_RECORDS);
    byBucket.set(index, [...(byBucket.get(index) ?? []), record]);
  }
  const edits: BucketEdit[] = [];
  for (const [index, fresh] of byBucket) {
    const path = `${session}/${bucketPath(index)}`;
    const known =
      whole || !drafts[folder].files.has(path)
        ? undefined
        : (open.get(`${folder}/${path}`) ?? (await stored(folder, path)));
    const all = new Map((known === undefined ? [] : decode(known)).map((record) => [record.sequence, record]));
    for (const record of fresh) all.set(record.sequence, record);
    edits.push({ folder, path, bytes: encode([...all.values()]) });
  }
  return edits;
}

function dropOthers({ drafts, open }: BucketPlace, session: string, written: ReadonlySet<string>): void {
  for (const [folder, draft] of Object.entries(drafts)) {
    for (const path of [...draft.files.keys()]) {
      if (!path.startsWith(`${session}/`) || written.has(`${folder}/${path}`)) continue;
      draft.remove(path);
      open.delete(`${folder}/${path}`);
    }
  }
}

function forgetFull(open: Map<string, Uint8Array>, session: string): void {
  for (const folder of [CONTEXT_FOLDER, ACTIONS_FOLDER, LEDGER_FOLDER]) {
    const paths = [...open.keys()].filter((path) => path.startsWith(`${folder}/${session}/`)).sort();
    for (const path of paths.slice(0, -OPEN)) open.delete(path);
  }
}
