/** The records of a snapshot in the making: what folds and hands add to those of the snapshot before. */
import { asContextError } from '../../../base/errors.js';
import type { LogDialect } from '../../../agents/log-reader.js';
import { compareUtf8 } from '../../../base/bytes.js';
import type { BytePath } from '../../../base/path.js';
import { blake3 } from '../../../format/digest.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, SESSION_FILE, WINDOW_FILE } from '../../../format/v1/layout.js';
import { partPath } from '../../../format/v1/parts.js';
import { encodeWindow } from '../../../format/v1/state/items.js';
import { decodeSessions, encodeSessions } from '../../../format/v1/state/session.js';
import type { WindowRecord } from '../../../model/context/item.js';
import type { SessionRecord } from '../../../model/context/session.js';
import type { Slice } from '../../../model/snapshot.js';
import type { BlobSink, ObjectId } from '../../../model/tree/tree.js';
import { redactText } from '../../../redact/redactor.js';
import type { LocalState } from '../../../store/local-state.js';
import type { Store } from '../../../store/store.js';
import { findInFolder } from '../../snapshot/folders.js';
import type { LoadedSnapshot } from '../../snapshot/load.js';
import { rootFile } from '../../snapshot/slices.js';
import { digestOfFiles, FolderDraft, type FolderFiles } from '../folder-files.js';
import { recordTrees, RECORD_FOLDERS, type KeptRecords, type LinkedBlob, type RecordFolder } from '../keep-records.js';
import { folderName } from '../session-folder.js';
import type { FollowedLog, TakePart } from '../transcript-draft.js';
import { editBuckets, type SessionChanges } from './bucket-edit.js';
import { LogFold } from './log-fold.js';
import { recallRecords, referencesIn, type FoldPosition, type RecordMemory } from './record-memory.js';

export interface RecordPlace {
  readonly store: Store;
  readonly sink: BlobSink;
  readonly local: LocalState;
  readonly timeline: string;
  /** Absolute path of the worktree. */
  readonly directory: string;
  readonly previous: LoadedSnapshot | undefined;
}

export interface RecordEdit extends KeptRecords {
  readonly memory: Omit<RecordMemory, 'trees'>;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** Below `transcript/`, as it was before this capture. */
export interface StoredParts {
  readonly files: FolderFiles;
  readonly stored: (path: BytePath) => Promise<Uint8Array | undefined>;
}

export class RecordDraft {
  readonly #place: RecordPlace;
  readonly #drafts: Readonly<Record<RecordFolder, FolderDraft>>;
  readonly #sessions: Map<string, SessionRecord>;
  readonly #positions: Map<string, FoldPosition>;
  readonly #open: Map<string, Uint8Array>;
  readonly #linked: Map<ObjectId, LinkedBlob>;
  readonly #notes: string[] = [];
  readonly #folds = new Map<string, LogFold>();
  readonly #windows = new Map<string, WindowRecord>();

  private constructor(place: RecordPlace, memory: RecordMemory, sessions: readonly SessionRecord[]) {
    this.#place = place;
    const drafts = RECORD_FOLDERS.map((folder) => {
      const before = { folder, tree: memory.trees[folder], files: memory.files[folder] };
      return [folder, new FolderDraft(place.sink, before)] as const;
    });
    this.#drafts = Object.fromEntries(drafts) as Record<RecordFolder, FolderDraft>;
    this.#sessions = new Map(sessions.map((session) => [session.id, session]));
    this.#positions = new Map(memory.positions);
    this.#open = new Map(memory.open);
    this.#linked = new Map(memory.linked.map((blob) => [blob.id, blob]));
  }

  static async begin(place: RecordPlace): Promise<RecordDraft> {
    const { store, previous } = place;
    const bytes = previous === undefined ? undefined : await rootFile(store, previous, SESSION_FILE);
    const memory = await recallRecords(place, recordTrees(previous));
    return new RecordDraft(place, memory, bytes === undefined ? [] : decodeSessions(bytes));
  }

  /** Follows a log while it is stored. */
  follow({ folder, location, kept }: FollowedLog, dialect: LogDialect, parts: StoredParts): TakePart {
    const part = (index: number): BytePath => `${folder}/${partPath(index)}.jsonl`;
    let start = 0;
    for (let index = 0; index < kept; index += 1) start += parts.files.get(part(index))?.bytes ?? 0;
    const { parent } = location;
    const fold = new LogFold({
      log: {
        format: this.#place.store.objectFormat,
        session: {
          id: folder,
          agent: location.agent,
          agentSessionId: redactText(location.session).text,
          ...(parent === undefined ? {} : { parent: folderName({ session: parent }, 0) }),
        },
        directory: this.#place.directory,
        dialect,
      },
      position: this.#positions.get(folder),
      kept,
      start,
      read: async (index) => (await parts.stored(part(index))) ?? new Uint8Array(),
    });
    this.#folds.set(folder, fold);
    return (bytes, continues) => this.#guarded(folder, () => fold.take(bytes, continues));
  }

  /** Adds records of a session, or all of them. */
  async add(changes: SessionChanges, session: SessionRecord): Promise<void> {
    const stored = (folder: RecordFolder, path: BytePath): Promise<Uint8Array | undefined> => this.stored(folder, path);
    // What cannot be written must be known before anything is edited.
    encodeSessions([session]);
    await editBuckets({ drafts: this.#drafts, open: this.#open, stored }, changes);
    this.#sessions.set(session.id, session);
  }

  /** Takes a session out with all its records, and what only these have below `content/`. */
  async remove(folder: string): Promise<void> {
    const { store, previous } = this.#place;
    const trees = recordTrees(previous);
    for (const name of RECORD_FOLDERS) {
      for (const path of [...this.#drafts[name].files.keys()].filter((one) => one.startsWith(`${folder}/`))) {
        this.#drafts[name].remove(path);
        this.#open.delete(`${name}/${path}`);
      }
    }
    this.#sessions.delete(folder);
    const named = new Set<ObjectId>();
    for (const name of [CONTEXT_FOLDER, ACTIONS_FOLDER] as const) {
      for (const path of this.#drafts[name].files.keys()) {
        const file = await findInFolder((id) => store.tree(id), trees[name], path);
        const bytes = this.#open.get(`${name}/${path}`) ?? (file && (await store.read(file.id, 'blob')));
        for (const { blob, place } of bytes === undefined ? [] : referencesIn(name, path, bytes))
          if (place.in === 'content' && blob !== undefined) named.add(blob);
      }
    }
    for (const id of [...this.#linked.keys()]) if (!named.has(id)) this.#linked.delete(id);
  }

  /** Sets what is in the window of a session, whatever its log says by now. */
  setWindow(folder: string, window: WindowRecord): void {
    this.#windows.set(folder, window);
  }

  /** Returns a file of records of the last snapshot. */
  async stored(folder: RecordFolder, path: BytePath): Promise<Uint8Array | undefined> {
    const { store, previous } = this.#place;
    const file = await findInFolder((id) => store.tree(id), recordTrees(previous)[folder], path);
    return file === undefined ? undefined : store.read(file.id, 'blob');
  }

  /** Returns what is known of a session. */
  session(id: string): SessionRecord | undefined {
    return this.#sessions.get(id);
  }

  /** Stores bytes below `content/`. */
  async link(bytes: Uint8Array): Promise<ObjectId> {
    const id = await this.#place.sink.blob(bytes);
    this.#linked.set(id, { id, bytes: bytes.length, digest: blake3(bytes) });
    return id;
  }

  async finish(): Promise<RecordEdit> {
    for (const [folder, fold] of this.#folds) {
      await this.#guarded(folder, async () => {
        const { session, position, ...changes } = await fold.finish();
        await this.add({ ...changes, folder }, session);
        // Last in the map: the sessions at work stay remembered.
        this.#positions.delete(folder);
        if (position !== undefined) this.#positions.set(folder, position);
      });
    }
    for (const [folder, window] of this.#windows)
      await this.#drafts[CONTEXT_FOLDER].update(`${folder}/${WINDOW_FILE}`, encodeWindow(window));
    return this.#edit();
  }

  // Records can be made again from the log; that they cannot be made now must not cost the snapshot.
  async #guarded(folder: string, work: () => Promise<void>): Promise<void> {
    try {
      if (this.#folds.has(folder)) await work();
    } catch (error) {
      const { code, message } = asContextError(error);
      if (code !== 'invariant_broken' && code !== 'format_unreadable') throw error;
      this.#folds.delete(folder);
      this.#positions.delete(folder);
      this.#notes.push(`Items, actions and ledger of the session ${folder} were not brought up to date: ${message}`);
    }
  }

  #edit(): RecordEdit {
    const files = new Map<string, Uint8Array>();
    const slices: Slice[] = RECORD_FOLDERS.flatMap((name) => {
      const { files: below } = this.#drafts[name];
      return below.size === 0 ? [] : [{ name, algorithm: 'blake3' as const, ...digestOfFiles(below) }];
    });
    if (this.#sessions.size > 0) {
      const bytes = encodeSessions(withChildren([...this.#sessions.values()]));
      files.set(SESSION_FILE, bytes);
      slices.push({ name: 'session', algorithm: 'blake3', digest: blake3(bytes), bytes: bytes.length, parts: 1 });
    }
    const content = [...this.#linked.values()];
    return {
      folders: RECORD_FOLDERS.map((folder) => this.#drafts[folder].edit()),
      slices,
      files,
      content,
      memory: {
        files: {
          [CONTEXT_FOLDER]: this.#drafts[CONTEXT_FOLDER].files,
          [ACTIONS_FOLDER]: this.#drafts[ACTIONS_FOLDER].files,
          [LEDGER_FOLDER]: this.#drafts[LEDGER_FOLDER].files,
        },
        positions: this.#positions,
        open: this.#open,
        linked: content,
      },
      notes: this.#notes,
    };
  }
}

/** Each session names its parent; what a parent began follows from that, and may be known to its own log as well. */
function withChildren(sessions: readonly SessionRecord[]): readonly SessionRecord[] {
  const children = new Map<string, Set<string>>();
  for (const { id, parent } of sessions) {
    if (parent !== undefined) children.set(parent, (children.get(parent) ?? new Set()).add(id));
  }
  return sessions.map((session) => {
    const begun = children.get(session.id);
    if (begun === undefined) return session;
    const all = new Set([...begun, ...(session.children ?? [])]);
    return { ...session, children: [...all].sort(compareUtf8) };
  });
}
