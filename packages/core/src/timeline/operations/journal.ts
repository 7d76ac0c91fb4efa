/** The operations of one worktree: a chain of signed records, appended to and never rewritten. */
import { formatTime, type Clock } from '../../base/clock.js';
import { clauseOf, ContextError, contextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import { SIGNATURE_FILE } from '../../format/v1/layout.js';
import { decodeOperation, encodeOperation } from '../../format/v1/operation.js';
import { decodeSignature, encodeSignature } from '../../format/v1/signature.js';
import { OPERATION_FORMAT, type OperationBody } from '../../model/operation.js';
import type { Witness } from '../../model/snapshot.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { CommitDraft, Store } from '../../store/store.js';
import type { KeyRing } from '../../trust/key-ring.js';
import { signText, verifySignature } from '../../trust/signature.js';
import { winRace } from '../append-race.js';

export const OPERATIONS = 'operations/';
const OPERATION_FILE = 'operation.json';

/** A record that is not believed, and why: as a sentence without its period. */
export interface OperationProblem {
  readonly commit: ObjectId;
  readonly reason: string;
}

export interface Journal {
  /** Newest first. */
  readonly operations: readonly OperationBody[];
  readonly problems: readonly OperationProblem[];
}

export interface JournalPlace {
  readonly store: Store;
  readonly repository: string;
  readonly worktree: string;
}

/** Reads the operations of a worktree. What does not hold is a problem and is not believed. */
export async function readJournal(place: JournalPlace): Promise<Journal> {
  const { store, worktree } = place;
  const operations: OperationBody[] = [];
  const problems: OperationProblem[] = [];
  let younger: OperationBody | undefined;
  for (let at = await store.resolve(OPERATIONS + worktree); at !== undefined;) {
    const commit: ObjectId = at;
    try {
      const record = await readRecord(store, commit);
      at = record.parent;
      const reason = recordProblem(place, record, younger);
      younger = record.body;
      if (reason === undefined) operations.push(record.body);
      else problems.push({ commit, reason });
    } catch (error) {
      if (!(error instanceof ContextError)) throw error;
      problems.push({ commit, reason: clauseOf(error) });
      younger = undefined;
      at = (await store.commit(commit).catch(() => undefined))?.parents[0];
    }
  }
  return { operations, problems };
}

export interface OperationWitnesses {
  readonly seen: readonly Witness[];
  readonly problems: readonly (OperationProblem & { readonly ref: string })[];
}

/** Returns what the operations of all worktrees saw of timelines, and those that are not believed. */
export async function readWitnesses({
  store,
  repository,
}: Omit<JournalPlace, 'worktree'>): Promise<OperationWitnesses> {
  const refs = await store.refs(OPERATIONS);
  const journals = await Promise.all(
    refs.map(async ({ name: ref }) => ({
      ref,
      ...(await readJournal({ store, repository, worktree: ref.slice(OPERATIONS.length) })),
    })),
  );
  return {
    seen: journals.flatMap(({ operations }) => operations.flatMap(({ seen = [] }) => seen)),
    problems: journals.flatMap(({ ref, problems }) => problems.map((problem) => ({ ref, ...problem }))),
  };
}

interface StoredRecord {
  readonly body: OperationBody;
  readonly digest: string;
  readonly parent: ObjectId | undefined;
  readonly signature: 'good' | 'none' | 'bad';
}

async function readRecord(store: Store, id: ObjectId): Promise<StoredRecord> {
  const commit = await store.commit(id);
  const tree = commit && (await store.tree(commit.tree));
  if (commit === undefined || tree === undefined) {
    throw contextError('object_missing', { object: id, owner: 'the operations' });
  }
  const [bytes, signature] = await Promise.all(
    [OPERATION_FILE, SIGNATURE_FILE].map(async (name) => {
      const entry = tree.find((one) => one.name === name);
      return entry && store.read(entry.id, 'blob');
    }),
  );
  if (bytes === undefined) throw contextError('object_missing', { object: OPERATION_FILE, owner: `operation ${id}` });
  const [body, digest] = [decodeOperation(bytes), blake3(bytes)];
  return { body, digest, parent: commit.parents[0], signature: judge(body, digest, signature) };
}

function judge(body: OperationBody, id: string, bytes: Uint8Array | undefined): StoredRecord['signature'] {
  if (body.signer === '') return bytes === undefined ? 'none' : 'bad';
  if (bytes === undefined) return 'bad';
  const claim = { signer: body.signer, format: OPERATION_FORMAT, id, signature: decodeSignature(bytes) } as const;
  return verifySignature(claim) ? 'good' : 'bad';
}

function recordProblem(
  { repository, worktree }: JournalPlace,
  { body, digest, parent, signature }: StoredRecord,
  younger: OperationBody | undefined,
): string | undefined {
  if (signature === 'bad') return 'its signature does not hold';
  if (body.repository !== repository) return 'it was made for another repository';
  if (body.worktree !== worktree) return 'it was made for another worktree';
  if ((parent === undefined) !== (body.previous === undefined)) return 'the operation before it is gone';
  if (younger !== undefined && younger.previous !== digest) return 'the operation after it names another one before it';
  return undefined;
}

export interface JournalWriter extends JournalPlace {
  readonly keys: KeyRing;
  readonly clock: Clock;
}

/** What the journal itself adds to a record. */
export type OperationDraft = Omit<
  OperationBody,
  'format' | 'repository' | 'worktree' | 'sequence' | 'previous' | 'at' | 'signer'
>;

/**
 * Appends a record; one with the same id that is there already is not written twice.
 * @throws head_moved if others kept winning the race; store_unwritable; disk_full
 */
export function appendOperation(writer: JournalWriter, draft: OperationDraft): Promise<OperationBody> {
  return winRace(() => tryAppend(writer, draft));
}

async function tryAppend(place: JournalWriter, draft: OperationDraft): Promise<OperationBody> {
  const { body, commit } = await draftRecord(place, draft);
  if (commit === undefined) return body;
  const writer = place.store.writer();
  try {
    await writer.commit(commit);
    return body;
  } finally {
    await writer.discard();
  }
}

export interface RecordDraft {
  readonly body: OperationBody;
  /** What appends it; absent where it is there already. */
  readonly commit?: CommitDraft;
}

/** Prepares what `appendOperation` writes, for whoever writes it together with something else. */
export async function draftRecord(place: JournalWriter, draft: OperationDraft): Promise<RecordDraft> {
  const { store, repository, worktree, keys, clock } = place;
  const ref = OPERATIONS + worktree;
  const head = await store.resolve(ref);
  const before = head === undefined ? undefined : await readRecord(store, head);
  if (before?.body.id === draft.id) return { body: before.body };
  const key = await keys.signingKey();
  const body: OperationBody = {
    ...draft,
    format: OPERATION_FORMAT,
    repository,
    worktree,
    sequence: (before?.body.sequence ?? 0) + 1,
    ...(before !== undefined && { previous: before.digest }),
    at: formatTime(clock.now()),
    signer: key?.signer ?? '',
  };
  const { bytes, digest } = encodeOperation(body);
  const files = new Map([[OPERATION_FILE, bytes]]);
  if (key !== undefined) files.set(SIGNATURE_FILE, encodeSignature(signText(key, OPERATION_FORMAT, digest)));
  const commit: CommitDraft = {
    ref,
    ...(head !== undefined && { expected: head }),
    message: `savepoint operation ${String(body.sequence)}\n`,
    folders: [],
    seal: () => files,
  };
  return { body, commit };
}
