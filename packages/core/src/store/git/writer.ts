/**
 * Writes one snapshot, or one and the record beside it: `git fast-import` makes a pack in a folder of its own, the pack is
 * synced and moved into the object store, the refs move by compare-and-swap, and at last every new object is looked up
 * again, because a prune that ran meanwhile may have taken what was not reachable yet.
 */
import type { Hash } from 'node:crypto';
import { ContextError, contextError } from '../../base/errors.js';
import { systemClock } from '../../base/clock.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { objectHash, objectId } from '../../model/tree/object-id.js';
import { encodeCommit } from '../git-objects.js';
import type { CommitDraft, StoredCommit, StoreWriter } from '../store.js';
import { writeFailure } from './system/durable.js';
import { broughtObjects, editedBlobs, namesOf, touchedDirectories, type Written } from './objects/brought-objects.js';
import type { FastImport } from './objects/fast-import.js';
import { syncLooseObjects } from './objects/loose-objects.js';
import type { LookUp } from './objects/look-ups.js';
import { holdsAll, type OwnPack } from './objects/own-pack.js';
import { isGcRunning } from './packs/gc.js';
import { IncomingPack, type IncomingPlace } from './packs/incoming-pack.js';
import { NewObjects } from './packs/new-objects.js';
import { applyOnce, type RefChanges } from './ref-update.js';

export interface WriterParts extends IncomingPlace {
  readonly objectFormat: ObjectFormat;
  readonly commonDirectory: string;
  /** File that says up to when the user's loose objects are durable, `<git common dir>/savepoint/synced-objects`. */
  readonly syncedObjects: string;
  /** Called when nothing more is read for this snapshot. */
  readonly readingDone: () => void;
  /** Starts the process that looks objects up: a new one, which sees what is there now. */
  readonly lookUp: () => LookUp;
  readonly startRefUpdate: () => RefChanges;
}

/** What there is to look objects up in. */
interface Checks {
  readonly pack: OwnPack | undefined;
  readonly check: LookUp | undefined;
}

export class GitWriter implements StoreWriter {
  readonly #parts: WriterParts;
  readonly #incoming: IncomingPack;
  readonly #ids = new Set<ObjectId>();

  constructor(parts: WriterParts) {
    this.#parts = parts;
    this.#incoming = new IncomingPack(parts);
  }

  prepare(): void {
    // Whoever needs it hears of a failure then.
    this.#incoming.importer().catch(() => undefined);
  }

  async blob(bytes: Uint8Array): Promise<ObjectId> {
    const id = objectId(this.#parts.objectFormat, 'blob', bytes);
    if (this.#ids.has(id)) return id;
    await (await this.#incoming.importer()).blob(bytes);
    this.#ids.add(id);
    return id;
  }

  async blobFrom(size: number, chunks: AsyncIterable<Uint8Array>): Promise<ObjectId> {
    const hash = objectHash(this.#parts.objectFormat, 'blob', size);
    await (await this.#incoming.importer()).blobFrom(size, hashing(chunks, hash));
    const id = hash.digest('hex');
    this.#ids.add(id);
    return id;
  }

  async commit(draft: CommitDraft, beside?: CommitDraft): Promise<StoredCommit> {
    try {
      return await this.#commit(beside === undefined ? [draft] : [draft, beside]);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  async #commit(drafts: readonly CommitDraft[]): Promise<StoredCommit> {
    const importer = await this.#incoming.importer();
    const parts: Omit<Written, 'id'>[] = [];
    for (const draft of drafts) parts.push(await writeDraft(importer, draft));
    const finishing = importer.finish(this.#parts.objectFormat);
    finishing.catch(() => undefined);
    // They need some milliseconds to start, which git now takes to finish the pack.
    this.#parts.readingDone();
    const update = this.#parts.startRefUpdate();
    const check = drafts.some((draft) => this.#takes(draft)) ? this.#parts.lookUp() : undefined;
    try {
      const [ids] = await Promise.all([finishing, this.#syncTaken(drafts)]);
      const pack = this.#incoming.install();
      const written = parts.map((part, at): Written => ({ ...part, id: ids[at] ?? '' }));
      // What it has taken already shows before anybody can see the refs, and name as a witness what will be taken back.
      if (isGcRunning(this.#parts.commonDirectory)) await this.#secure(written, pack);
      await this.#moveRefs(written, update);
      // It ends while the objects are looked up.
      update.cancel().catch(() => undefined);
      return await this.#describe(written, { pack, check });
    } finally {
      // The refs have moved, or nobody is to see the pack.
      this.#incoming.release();
      await Promise.all([update.cancel(), check?.close()]);
    }
  }

  /** Tells whether a commit has files of the store as it was: what lies in the own pack will not be all of it. */
  #takes(draft: CommitDraft): boolean {
    return editedBlobs(draft).some((id) => !this.#ids.has(id));
  }

  async #moveRefs(written: readonly Written[], update: RefChanges): Promise<void> {
    try {
      await update.apply(
        ...written.map(({ draft, id }) => ({ name: draft.ref, target: id, expected: draft.expected })),
      );
    } catch (error) {
      // They may have moved and not be durable: then this snapshot is not to be seen either.
      if (!(error instanceof ContextError && error.code === 'ref_locked')) await this.#takeBack(written);
      throw error;
    }
  }

  async #describe(written: readonly Written[], { pack, check }: Checks): Promise<StoredCommit> {
    const [first] = written;
    if (first === undefined) throw contextError('invariant_broken', { reason: 'nothing was written' });
    const { draft, id } = first;
    const known = check === undefined && pack !== undefined ? this.#inPack(written, pack) : undefined;
    const tree = known ?? (await this.#lookUp(written, { pack, check: check ?? this.#parts.lookUp() }));
    const parents = draft.expected === undefined ? [] : [draft.expected];
    return { id, tree, parents, bytes: encodeCommit({ tree, parents, message: draft.message }) };
  }

  /** What the snapshot takes from the repository as it is must be durable too. */
  async #syncTaken(drafts: readonly CommitDraft[]): Promise<void> {
    const { objects, syncedObjects: marker } = this.#parts;
    const folders = drafts.flatMap((draft) => draft.folders);
    const files = folders.flatMap(({ set }) => set.map(({ id }) => id).filter((id) => !this.#ids.has(id)));
    const trees = folders.flatMap(({ base }) => base ?? []);
    try {
      await syncLooseObjects({ objects, marker, now: systemClock.now() }, [...trees, ...files]);
    } catch (error) {
      throw writeFailure(objects, error);
    }
  }

  /** Returns the tree of the first commit if everything new lies in the pack; it may be in the store since before. */
  #inPack(written: readonly Written[], pack: OwnPack): ObjectId | undefined {
    const { objectFormat } = this.#parts;
    const brought = written.map((one) => broughtObjects(objectFormat, one));
    const ids = brought.flatMap((one) => [...(one?.ids ?? [])]);
    const isThere = !brought.includes(undefined) && holdsAll(objectFormat, pack, [...ids, ...this.#ids]);
    return isThere ? brought[0]?.tree : undefined;
  }

  /** Asks git, which also knows what it found to be in the store already. Returns the tree of the first commit. */
  async #lookUp(written: readonly Written[], { pack, check }: Checks & { readonly check: LookUp }): Promise<ObjectId> {
    const taken = this.#taken(written, pack);
    // Asked before: one that has ended by now has removed all that it was going to, and then that is seen.
    const isGcSeen = isGcRunning(this.#parts.commonDirectory);
    try {
      return await (isGcSeen ? taken.secure(check) : taken.find(check));
    } catch (error) {
      if (error instanceof ContextError && error.code === 'object_missing') await this.#takeBack(written);
      throw error;
    }
  }

  async #secure(written: readonly Written[], pack: OwnPack | undefined): Promise<void> {
    const check = this.#parts.lookUp();
    try {
      await this.#taken(written, pack).secure(check);
    } finally {
      await check.close();
    }
  }

  #taken(written: readonly Written[], pack: OwnPack | undefined): NewObjects {
    return new NewObjects({ ...this.#parts, folder: this.#incoming.folder, pack }, [
      ...written.flatMap(namesOf),
      ...this.#ids,
    ]);
  }

  async #takeBack(written: readonly Written[]): Promise<void> {
    try {
      const changes = written.map(({ draft, id }) => ({ name: draft.ref, target: draft.expected, expected: id }));
      await applyOnce(this.#parts.startRefUpdate(), changes);
    } catch {
      // Somebody built on it already; verification will name what is missing.
    }
  }

  discard(): Promise<void> {
    return this.#incoming.discard();
  }
}

/** Of more directories the trees are not asked for beforehand, but looked up by git. */
const DIRECTORIES_MOST = 64;

async function writeDraft(importer: FastImport, draft: CommitDraft): Promise<Omit<Written, 'id'>> {
  await importer.beginCommit(draft.expected, draft.message);
  for (const edit of draft.folders) await importer.editFolder(edit);
  const names = draft.folders.map(({ folder }) => folder);
  const touched = draft.folders.flatMap((edit) => [...touchedDirectories(edit)]);
  const trees = await importer.trees(touched.length > DIRECTORIES_MOST ? names : [...new Set([...names, ...touched])]);
  const folders = new Map([...trees].filter(([name]) => names.includes(name)));
  const roots = draft.seal(folders);
  for (const [name, bytes] of roots) await importer.file(name, bytes);
  return { draft, roots, folders, touched, trees };
}

async function* hashing(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
