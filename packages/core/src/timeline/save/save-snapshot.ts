/** Saves what was captured as the new head of a timeline: body, signature, trees, commit, ref; the head moves last. */
import type { Clock, Random } from '../../base/clock.js';
import { formatTime } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import { encodeBody } from '../../format/v1/body.js';
import { BODY_FILE, commitMessage, CONTENT_FOLDER, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { encodeSignature } from '../../format/v1/signature.js';
import {
  SNAPSHOT_FORMAT,
  type Origin,
  type SessionReference,
  type SnapshotBody,
  type SnapshotId,
  type Witness,
} from '../../model/snapshot.js';
import type { Trigger } from '../../model/trigger.js';
import type { FolderEdit, FolderTrees } from '../../model/tree/tree.js';
import { redactText } from '../../redact/redactor.js';
import type { CommitDraft, Store, StoredCommit, StoreWriter } from '../../store/store.js';
import type { KeyRing, SigningKey } from '../../trust/key-ring.js';
import { signText } from '../../trust/signature.js';
import type { Scan } from '../../worktree/worktree.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { TIMELINES, type Head } from '../view.js';
import { contentPath, countRedactions, makeSlices, type Captured, type Slices } from './body.js';
import { chooseWitnesses } from './heads.js';
import type { KeptRecords, LinkedBlob } from './keep-records.js';
import type { TranscriptEdit } from './transcript-draft.js';

export interface SavePlace {
  readonly store: Store;
  readonly writer: StoreWriter;
  readonly keys: KeyRing;
  readonly clock: Clock;
  readonly random: Random;
  /** Random 128 bits of the store. */
  readonly repository: string;
  readonly timeline: string;
}

export interface SnapshotContent {
  /** Asked once more before anything is visible. */
  readonly signal?: AbortSignal;
  readonly heads: readonly Head[];
  readonly previous?: LoadedSnapshot;
  readonly message: string;
  readonly tags: readonly string[];
  readonly trigger: Trigger;
  readonly session?: SessionReference;
  /** Of a snapshot that an operation made. */
  readonly origin?: Origin;
  readonly scan: Scan;
  readonly transcripts: TranscriptEdit;
  readonly records: KeptRecords;
  /** True where a snapshot is wanted even if nothing changed. */
  readonly always: boolean;
  /** What becomes visible in the same moment. */
  readonly beside?: CommitDraft;
}

export interface SavedSnapshot {
  readonly id: SnapshotId;
  readonly body: SnapshotBody;
  /** False where the head has the very same content; then this is the head. */
  readonly saved: boolean;
  readonly commit: StoredCommit;
  readonly folders: FolderTrees;
  /** What stands beside the folders, by name; empty where nothing was saved. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

class NothingChanged extends Error {
  readonly folders: FolderTrees;

  constructor(folders: FolderTrees) {
    super('nothing changed');
    this.folders = folders;
  }
}

/** @throws head_moved; object_missing; disk_full; store_unwritable */
export async function saveSnapshot(place: SavePlace, content: SnapshotContent): Promise<SavedSnapshot> {
  const linked = await linkContent(place.store, content);
  const captured: Captured = {
    objectFormat: place.store.objectFormat,
    scan: content.scan,
    content: linked,
    transcripts: content.transcripts.memory,
    records: content.records,
  };
  const edits = folderEdits(content, linked);
  const known = knownTrees(edits);
  if (known !== undefined && isUnchanged(content, makeSlices(captured, known))) return unchanged(content, known);
  const [key, seen] = await Promise.all([place.keys.signingKey(), chooseWitnesses(place, content.heads)]);
  const draft = new BodyDraft({ place, content, captured, key, seen });
  try {
    const expected = content.previous?.commit.id;
    const snapshot: CommitDraft = {
      ref: `${TIMELINES}${place.timeline}`,
      ...(expected === undefined ? {} : { expected }),
      message: commitMessage(draft.sequence),
      folders: edits,
      held: [...(content.previous?.entries.values() ?? [])].map(({ id }) => id),
      seal: (folders) => {
        // git may have taken its time; still nothing has happened.
        content.signal?.throwIfAborted();
        return draft.seal(folders);
      },
    };
    const commit = await place.writer.commit(snapshot, content.beside);
    return { ...draft.sealed(), commit, saved: true };
  } catch (error) {
    if (error instanceof NothingChanged) return unchanged(content, error.folders);
    throw error;
  }
}

function unchanged({ previous }: SnapshotContent, folders: FolderTrees): SavedSnapshot {
  if (previous === undefined) throw contextError('invariant_broken', { reason: 'nothing is the same as no snapshot' });
  return { id: previous.id, body: previous.body, commit: previous.commit, folders, files: new Map(), saved: false };
}

function folderEdits({ scan, transcripts, records }: SnapshotContent, linked: readonly LinkedBlob[]): FolderEdit[] {
  const content: FolderEdit = {
    folder: CONTENT_FOLDER,
    remove: [],
    set: linked.map(({ id }) => ({ path: contentPath(id), mode: '100644', id })),
  };
  const staged = scan.staged === undefined ? [] : [scan.staged.folder];
  const edits = [scan.files, ...staged, transcripts.folder, ...records.folders, content];
  return edits.filter(({ base, set }) => base !== undefined || set.length > 0);
}

/** The trees that the folders will have, where no edit changes one. */
function knownTrees(edits: readonly FolderEdit[]): FolderTrees | undefined {
  if (edits.some(({ set, remove }) => set.length + remove.length > 0)) return undefined;
  return new Map(edits.flatMap(({ folder, base }) => (base === undefined ? [] : [[folder, base] as const])));
}

function isUnchanged({ previous, always, scan, session }: SnapshotContent, { slices }: Slices): boolean {
  if (previous === undefined || always) return false;
  const { body } = previous;
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const digests = (list: SnapshotBody['slices']): unknown => list.map(({ name, digest }) => [name, digest]);
  return (
    same(digests(slices), digests(body.slices)) &&
    body.anchor.commit === scan.anchor.commit &&
    body.anchor.branch === redactedBranch(scan) &&
    // A session that is at work no more, or is not looked for this time, is no change.
    (session === undefined || body.session?.id === session.id)
  );
}

function redactedBranch({ anchor }: Scan): string | undefined {
  return anchor.branch === undefined ? undefined : redactText(anchor.branch).text;
}

/**
 * Digests of the blobs that `content/` links. One of the user's index that is not in the store (a partial clone) cannot
 * be linked; one of a file must be, or the snapshot would name what it does not have.
 */
async function linkContent(store: Store, { scan, records }: SnapshotContent): Promise<readonly LinkedBlob[]> {
  const files = new Set(scan.filesystem.diverted.map(({ blob }) => blob));
  const linked = await Promise.all(
    [...scan.content].map(async ([id, fresh]) => {
      const bytes = fresh ?? (await store.read(id, 'blob'));
      if (bytes === undefined && files.has(id)) throw contextError('object_missing', { object: id, owner: 'a file' });
      return bytes === undefined ? [] : [{ id, bytes: bytes.length, digest: blake3(bytes) }];
    }),
  );
  const all = [...linked.flat(), ...records.content];
  return [...new Map(all.map((blob) => [blob.id, blob])).values()];
}

interface DraftParts {
  readonly place: SavePlace;
  readonly content: SnapshotContent;
  readonly captured: Captured;
  readonly key: SigningKey | undefined;
  readonly seen: readonly Witness[];
}

type Sealed = Pick<SavedSnapshot, 'id' | 'body' | 'folders' | 'files'>;

/** The body in the making: it is sealed when the trees have their ids. */
class BodyDraft {
  readonly #parts: DraftParts;
  readonly sequence: number;
  #sealed: Sealed | undefined;

  constructor(parts: DraftParts) {
    this.#parts = parts;
    this.sequence = (parts.content.previous?.body.sequence ?? 0) + 1;
  }

  /** @throws NothingChanged */
  seal(folders: FolderTrees): ReadonlyMap<string, Uint8Array> {
    const { content, captured, key } = this.#parts;
    const made = makeSlices(captured, folders);
    if (isUnchanged(content, made)) throw new NothingChanged(folders);
    const body = this.#body(made);
    const { bytes, id } = encodeBody(body);
    const files = new Map([[BODY_FILE, bytes], ...made.files]);
    if (key !== undefined) files.set(SIGNATURE_FILE, encodeSignature(signText(key, SNAPSHOT_FORMAT, id)));
    this.#sealed = { id, body, folders, files };
    return files;
  }

  sealed(): Sealed {
    if (this.#sealed === undefined) throw contextError('invariant_broken', { reason: 'the snapshot was not sealed' });
    return this.#sealed;
  }

  #body({ slices }: Slices): SnapshotBody {
    const { place, content, captured, key, seen } = this.#parts;
    const { scan, previous, session, origin } = content;
    const message = redactText(content.message);
    const tags = content.tags.map((tag) => redactText(tag));
    const branch = redactText(scan.anchor.branch ?? '');
    const { omitted, boundaries } = scan.filesystem;
    return {
      format: SNAPSHOT_FORMAT,
      repository: place.repository,
      timeline: place.timeline,
      sequence: this.sequence,
      parents: previous === undefined ? [] : [previous.id],
      ...(origin === undefined ? {} : { origin }),
      createdAt: formatTime(place.clock.now()),
      signer: key?.signer ?? '',
      message: message.text,
      tags: [...new Set(tags.map(({ text }) => text))],
      trigger: content.trigger,
      ...(session === undefined ? {} : { session }),
      anchor: { ...scan.anchor, ...(scan.anchor.branch === undefined ? {} : { branch: branch.text }) },
      slices,
      totals: scan.totals,
      redactions: countRedactions(captured.transcripts, [
        ...[message, branch, ...tags].map(({ kinds }) => kinds),
        content.records.redacted ?? {},
      ]),
      boundaries,
      omitted,
      complete: omitted.length === 0,
      seen,
    };
  }
}
