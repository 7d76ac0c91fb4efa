/** The records that a snapshot holds, and the bytes that they name. */
import { text } from '../../base/bytes.js';
import { ContextError, contextError } from '../../base/errors.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, SESSION_FILE, WINDOW_FILE } from '../../format/v1/layout.js';
import { decodeActions } from '../../format/v1/state/actions.js';
import { decodeItems, decodeWindow } from '../../format/v1/state/items.js';
import { decodeLedger } from '../../format/v1/state/ledger.js';
import { decodeSessions, TASK_LENGTH } from '../../format/v1/state/session.js';
import type { ActionRecord } from '../../model/context/action.js';
import type { ContentReference, ItemRecord, LineRange, WindowRecord } from '../../model/context/item.js';
import type { LedgerEntry } from '../../model/context/ledger.js';
import { bytesAt } from '../../model/context/log-value.js';
import type { SessionRecord } from '../../model/context/session.js';
import type { Store } from '../../store/store.js';
import { listFolder } from '../snapshot/folders.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { folderTree, readTranscripts, rootFile } from '../snapshot/slices.js';
import { linesOf } from './lines.js';
import { storedLog, type StoredLog } from './stored-log.js';

/** Of one session, by the name of its folder. */
export interface SessionItems {
  readonly session: string;
  readonly items: readonly ItemRecord[];
  readonly window: WindowRecord;
}

const NOTHING: WindowRecord = { in: [], compacted: [], exact: false };

/**
 * Returns the sessions, in the order of their folders, each with its task where that can be read.
 * @throws object_missing; format_unreadable
 */
export async function readSessions(store: Store, snapshot: LoadedSnapshot): Promise<readonly SessionRecord[]> {
  const bytes = await rootFile(store, snapshot, SESSION_FILE);
  const sessions = bytes === undefined ? [] : decodeSessions(bytes);
  if (sessions.every(({ prompt }) => prompt === undefined)) return sessions;
  const contents = await recordContents(store, snapshot);
  const read: SessionRecord[] = [];
  for (const session of sessions) {
    const { id, task, prompt } = session;
    const said = task === undefined && prompt !== undefined ? await readIfThere(contents, id, prompt) : undefined;
    read.push(said === undefined ? session : { ...session, task: taskIn(said) });
  }
  return read;
}

/** Others may publish records without the log that they name. */
async function readIfThere(
  contents: RecordContents,
  session: string,
  reference: ContentReference,
): Promise<Uint8Array | undefined> {
  return contents.read(session, reference).catch((error: unknown) => {
    if (error instanceof ContextError && ['object_missing', 'format_unreadable'].includes(error.code)) return undefined;
    throw error;
  });
}

function taskIn(prompt: Uint8Array): string {
  return text(prompt.subarray(0, 4 * TASK_LENGTH))
    .trim()
    .slice(0, TASK_LENGTH);
}

/** @throws object_missing; format_unreadable */
export async function readItems(store: Store, snapshot: LoadedSnapshot): Promise<readonly SessionItems[]> {
  const sessions = await filesBySession(store, snapshot, CONTEXT_FOLDER);
  return sessions.map(({ session, files }) => {
    const window = files.get(WINDOW_FILE);
    return {
      session,
      items: buckets(files).flatMap(decodeItems),
      window: window === undefined ? NOTHING : decodeWindow(window),
    };
  });
}

/** @throws object_missing; format_unreadable */
export async function readActions(
  store: Store,
  snapshot: LoadedSnapshot,
): Promise<readonly { readonly session: string; readonly actions: readonly ActionRecord[] }[]> {
  const sessions = await filesBySession(store, snapshot, ACTIONS_FOLDER);
  return sessions.map(({ session, files }) => ({ session, actions: buckets(files).flatMap(decodeActions) }));
}

/** @throws object_missing; format_unreadable */
export async function readLedgers(
  store: Store,
  snapshot: LoadedSnapshot,
): Promise<readonly { readonly session: string; readonly entries: readonly LedgerEntry[] }[]> {
  const sessions = await filesBySession(store, snapshot, LEDGER_FOLDER);
  return sessions.map(({ session, files }) => ({ session, entries: buckets(files).flatMap(decodeLedger) }));
}

interface SessionFiles {
  readonly session: string;
  /** In the order of their paths. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

async function filesBySession(
  store: Store,
  snapshot: LoadedSnapshot,
  folder: string,
): Promise<readonly SessionFiles[]> {
  const sessions = new Map<string, Map<string, Uint8Array>>();
  const found = await listFolder((id) => store.tree(id), folderTree(snapshot, folder));
  const contents = await Promise.all(found.map(({ id }) => store.read(id, 'blob')));
  found.forEach(({ path, id }, index) => {
    const bytes = contents[index];
    if (bytes === undefined) throw contextError('object_missing', { object: id, owner: `${folder}/${path}` });
    const slash = path.indexOf('/');
    const files = sessions.get(path.slice(0, slash)) ?? new Map<string, Uint8Array>();
    sessions.set(path.slice(0, slash), files.set(path.slice(slash + 1), bytes));
  });
  return [...sessions].map(([session, files]) => ({ session, files }));
}

function buckets(files: ReadonlyMap<string, Uint8Array>): readonly Uint8Array[] {
  return [...files].filter(([path]) => path !== WINDOW_FILE).map(([, bytes]) => bytes);
}

/** Reads the bytes that records of a snapshot name. */
export interface RecordContents {
  /** With a range, only these lines of what is stored whole. @throws object_missing; format_unreadable */
  read(session: string, reference: ContentReference, range?: LineRange): Promise<Uint8Array>;
}

export async function recordContents(store: Store, snapshot: LoadedSnapshot): Promise<RecordContents> {
  const logs = new Map<string, StoredLog>();
  for (const transcript of await readTranscripts(store, snapshot))
    logs.set(transcript.folder, storedLog(store, transcript));
  return {
    read: async (session, { blob, bytes: length, place }, range) => {
      if (place.in === 'transcript') {
        const line = await logs.get(session)?.line(place.offset);
        const bytes = line === undefined ? undefined : bytesAt(line, place);
        if (bytes?.length === length) return bytes;
        const object = `${place.pointers.slice(0, 8).join(' ').slice(0, 200)} at byte ${String(place.offset)} of the log`;
        throw contextError('object_missing', { object, owner: `an item of the session ${session}` });
      }
      const bytes = blob === undefined ? undefined : await store.read(blob, 'blob');
      if (bytes === undefined) throw contextError('object_missing', { object: blob ?? '', owner: 'an item' });
      return range === undefined ? bytes : linesOf(bytes, range);
    },
  };
}
