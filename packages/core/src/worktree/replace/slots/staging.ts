/** Writes content into slots, checked against its id and synced, many files at a time. */
import { constants } from 'node:fs';
import { contextError } from '../../../base/errors.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import { objectHash, objectId } from '../../../model/tree/object-id.js';
import type { FileState } from '../../../model/tree/tree-change.js';
import type { ObjectId } from '../../../model/tree/tree.js';
import { errorCode, removeIfThere, type Disk, type SystemPath } from '../disk/disk.js';
import type { JournalItem } from '../journal/journal.js';
import { writeAll } from '../journal/journal.js';
import { permissionsOf } from '../disk/presence.js';
import type { ContentSource } from '../replacement.js';
import { inAdvance } from './in-advance.js';
import { slotName, type Side, type Slots } from './slots.js';

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
/** Files that are open until they are synced together. */
const BATCH = 64;
/** No system takes a longer target (PATH_MAX). */
const LONGEST_TARGET = 64 * 1024;

type WantedFile = Extract<FileState, { kind: 'file' }>;

export interface StagingPlace {
  readonly disk: Disk;
  readonly slots: Slots;
  readonly objectFormat: ObjectFormat;
  readonly content: ContentSource;
}

export class Staging {
  readonly #place: StagingPlace;
  /** Targets of links: the system makes them at once, so they need no slot. */
  readonly #targets = new Map<ObjectId, Buffer>();
  /** Items whose exact permission bits the system did not take. */
  readonly inexact = new Set<number>();
  readonly #ready = new Set<string>();
  #unsynced: number[] = [];
  /** A batch that is being synced while the next one is written. */
  #syncing: Promise<void> = Promise.resolve();

  constructor(place: StagingPlace) {
    this.#place = place;
  }

  /** Makes the content of many states ready for its name, and durable. */
  async stageAll(targets: readonly Staged[], side: Side): Promise<void> {
    const files: { readonly target: Staged; readonly id: ObjectId; readonly size: number }[] = [];
    for (const target of targets) {
      const state = target.item[side];
      if (state.kind === 'file') files.push({ target, id: state.blob, size: state.size });
      // Not in between: what was asked for in advance is answered first.
      else await this.stage(target, side);
    }
    const coming = inAdvance(this.#place.content, files);
    try {
      for (const { target } of files) {
        const next = await coming.next();
        await this.stage(target, side, next.done === true ? undefined : next.value.pieces);
      }
    } finally {
      await coming.return(undefined);
    }
    await this.sync();
  }

  /** Makes the content of a state ready for its name. Durable only after `sync`. */
  async stage({ index, item }: Staged, side: Side, pieces?: AsyncIterable<Uint8Array>): Promise<void> {
    const state = item[side];
    if (state.kind === 'link') await this.target(state.blob);
    if (state.kind === 'file') {
      await this.#stageFile({ index, item }, { side, state, pieces: pieces ?? this.#place.content.stream(state.blob) });
      this.#ready.add(slotName({ index, side, origin: 'staged' }));
    }
    if (this.#unsynced.length < BATCH) return;
    await this.#formerBatch();
    this.#syncing = this.#syncBatch();
    // Whoever waits for it hears of a failure.
    this.#syncing.catch(() => undefined);
  }

  /** Tells whether this process staged it: then there is no doubt about the content. */
  isReady(index: number, side: Side): boolean {
    return this.#ready.has(slotName({ index, side, origin: 'staged' }));
  }

  async sync(): Promise<void> {
    await this.#formerBatch();
    await this.#syncBatch();
  }

  #formerBatch(): Promise<void> {
    const former = this.#syncing;
    this.#syncing = Promise.resolve();
    return former;
  }

  async #syncBatch(): Promise<void> {
    const descriptors = this.#unsynced;
    this.#unsynced = [];
    try {
      await this.#place.disk.syncAll(descriptors);
    } finally {
      for (const descriptor of descriptors) this.#place.disk.close(descriptor);
    }
  }

  /** Closes what a failure left open. */
  discard(): void {
    for (const descriptor of this.#unsynced) this.#place.disk.close(descriptor);
    this.#unsynced = [];
  }

  /** Resolves with the target of a link. */
  async target(blob: ObjectId): Promise<Buffer> {
    const known = this.#targets.get(blob);
    if (known !== undefined) return known;
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of this.#place.content.stream(blob)) {
      size += piece.length;
      if (size > LONGEST_TARGET) throw damaged(blob);
      pieces.push(Uint8Array.from(piece));
    }
    const target = Buffer.concat(pieces);
    if (objectId(this.#place.objectFormat, 'blob', target) !== blob) throw damaged(blob);
    this.#targets.set(blob, target);
    return target;
  }

  async #stageFile({ index, item: { home } }: Staged, wanted: Wanted): Promise<void> {
    const { disk, slots } = this.#place;
    const folder = slots.make(home);
    if (folder === undefined) return;
    const place = folder.at(slotName({ index, side: wanted.side, origin: 'staged' }));
    const descriptor = this.#openNew(place);
    this.#unsynced.push(descriptor);
    await this.#fill(descriptor, wanted);
    // After the last byte: set-id bits do not survive a write.
    disk.setPermissions(descriptor, wanted.state.permissions);
    if (permissionsOf(disk.status(descriptor)) !== wanted.state.permissions) this.inexact.add(index);
  }

  // Never written again: a slot may share its bytes with the file that got its name.
  #openNew(place: SystemPath): number {
    const { disk } = this.#place;
    try {
      return disk.open(place, NEW_FILE, 0o600);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      removeIfThere(disk, place);
      return disk.open(place, NEW_FILE, 0o600);
    }
  }

  async #fill(descriptor: number, { state: { blob, size }, pieces }: Wanted): Promise<void> {
    const { disk, objectFormat } = this.#place;
    const hash = objectHash(objectFormat, 'blob', size);
    for await (const piece of pieces) {
      hash.update(piece);
      writeAll(disk, descriptor, piece);
    }
    if (hash.digest('hex') !== blob) throw damaged(blob);
  }
}

interface Staged {
  readonly index: number;
  readonly item: JournalItem;
}

interface Wanted {
  readonly side: Side;
  readonly state: WantedFile;
  readonly pieces: AsyncIterable<Uint8Array>;
}

function damaged(blob: ObjectId): Error {
  return contextError('digest_mismatch', { what: `The object ${blob}` });
}
