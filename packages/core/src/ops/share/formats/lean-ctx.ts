/** `CONTEXT_SNAPSHOT_V1`, the file of lean-ctx: taken in as evidence, and written as far as it has a place. */
import { contextError } from '../../../base/errors.js';
import { looksLikeLeanCtx, writeLeanCtx } from '../../../format/lean-ctx/codec.js';
import { shortId } from '../../../format/v1/body.js';
import { ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER } from '../../../format/v1/layout.js';
import type { FileSet } from '../../../model/tree/tree.js';
import { distilLeanCtx, signLeanCtx } from '../../../timeline/lean-ctx/distil.js';
import { gateLeanCtx } from '../../../timeline/lean-ctx/gate.js';
import { readProven, verifyLeanCtx, type ProvenLeanCtx } from '../../../timeline/lean-ctx/read.js';
import { wrapLeanCtx } from '../../../timeline/lean-ctx/wrap.js';
import type { PublishChoice } from '../../../timeline/publish/publication.js';
import { addToShelf } from '../../../timeline/shelf/add.js';
import {
  importedRef,
  loadShelved,
  REMOTES,
  shelvedPlaces,
  type ShelvedSnapshot,
} from '../../../timeline/shelf/shelf.js';
import type { SigningKey } from '../../../trust/key-ring.js';
import type { Repository } from '../../repository/repository.js';
import { distillableOf } from './distillable.js';
import type { ImportedSnapshot, ImportFormat, ImportTask, Publication, PublishFormat } from './format-port.js';

/** Slices of which the file has the gist. */
const DISTILLED: ReadonlySet<string> = new Set([ACTIONS_FOLDER, CONTEXT_FOLDER, LEDGER_FOLDER, 'session']);
const LOCK_MILLISECONDS = 60_000;
/** What stands as the producing program and its version: what the file was made from. */
const PRODUCER = 'savepoint.snapshot/1';

export const publishLeanCtx: PublishFormat = {
  name: 'lean-ctx',
  ending: '.ctxsnapshot.json',
  prepare: async (repository: Repository, choice: PublishChoice): Promise<Publication> => {
    const { snapshot, files, slices } = choice;
    const { id, body } = snapshot;
    if (files.length > 0 || slices !== undefined) {
      const reason = 'a lean-ctx snapshot has a place neither for files nor for slices';
      throw contextError('bundle_impossible', { snapshot: shortId(id), reason });
    }
    const { snapshot: distilled, unknown } = distilLeanCtx(await distillableOf(repository.store, snapshot), PRODUCER);
    gateLeanCtx(distilled, shortId(id), choice.search);
    const bytes = writeLeanCtx(signLeanCtx(distilled, await demandKey(repository)));
    return {
      snapshot,
      bytes: bytes.length,
      files: [{ path: 'ctxsnapshot.json', slice: '', bytes: bytes.length }],
      withheld: body.slices
        .filter(({ name }) => !DISTILLED.has(name))
        .map(({ name, bytes: size }) => ({ path: name, reason: 'no_place', bytes: size })),
      unknown,
      pieces: async function* () {
        yield await Promise.resolve(bytes);
      },
    };
  },
};

async function demandKey({ keys }: Repository): Promise<SigningKey> {
  const key = await keys.signingKey();
  if (key !== undefined) return key;
  throw contextError('key_unusable', { path: keys.location, reason: keys.problem() ?? 'there is none' });
}

export const importLeanCtx: ImportFormat = {
  name: 'lean-ctx',
  recognises: looksLikeLeanCtx,
  verify: async (chunks, judge) => [await verifyLeanCtx(chunks, judge)],
  inspect: async (chunks, task) => {
    demandTrust(task, await readProven(chunks));
  },
  take: async (chunks, task) => {
    const proven = await readProven(chunks);
    demandTrust(task, proven);
    return task.repository.local.locked('imports', LOCK_MILLISECONDS, async () => [await take(proven, task)]);
  },
};

function demandTrust({ judge, requireTrusted }: ImportTask, { id, signer }: ProvenLeanCtx): void {
  if (!requireTrusted || judge.signer({ signer, snapshot: id }) === 'valid') return;
  throw contextError('signer_unknown', { snapshot: shortId(id), signer });
}

async function take(proven: ProvenLeanCtx, { repository, judge }: ImportTask): Promise<ImportedSnapshot> {
  const { id, signer } = proven;
  const told = {
    signer,
    verdict: judge.signer({ signer, snapshot: id }),
    withheld: [],
    parents: [],
    own: false,
    original: { format: 'lean-ctx/1', id },
  } as const;
  const known = await knownImport(repository, proven);
  if (known !== undefined) {
    const { createdAt, message } = known.body;
    return { ...told, id: known.id, createdAt, message, added: 0 };
  }
  const [key, enrolled] = [await demandKey(repository), await repository.enrol()];
  const wrapped = wrapLeanCtx({ ...proven, repository: enrolled.id, key });
  const { createdAt, message } = wrapped.body;
  const added = await shelve(enrolled, wrapped, key);
  return { ...told, id: wrapped.id, createdAt, message, added };
}

/** Looks for the same snapshot, also where it was taken in with another key or in another spelling. */
async function knownImport({ store }: Repository, { id, signer }: ProvenLeanCtx): Promise<ShelvedSnapshot | undefined> {
  for (const place of await shelvedPlaces(store, REMOTES)) {
    // One that is damaged is not there; `verify` tells of it.
    const shelved = await loadShelved(store, place).catch(() => undefined);
    const original = shelved?.body.original;
    if (original?.id === id && original.signer === signer) return shelved;
  }
  return undefined;
}

async function shelve(
  { store, replica }: Repository,
  { id, files }: ReturnType<typeof wrapLeanCtx>,
  { signer }: SigningKey,
): Promise<number> {
  const writer = store.writer();
  try {
    const sets: FileSet[] = [];
    for (const [path, bytes] of files) sets.push({ path, mode: '100644', id: await writer.blob(bytes) });
    const ref = importedRef(signer, replica);
    const message = `savepoint import of ${shortId(id)}\n`;
    return (await addToShelf({ store, writer, ref, message, additions: [{ id, files: sets, withheld: [] }] }))[0] ?? 0;
  } finally {
    await writer.discard();
  }
}
