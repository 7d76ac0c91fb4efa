/** The Store in the user's git repository: read where it is, written through the private git directory. */
import path from 'node:path';
import { ContextError, contextError } from '../../base/errors.js';
import type { Random } from '../../base/clock.js';
import type { Git } from '../../base/git-command.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId, ObjectInfo, ObjectType } from '../../model/tree/tree.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import { parseCommit, parseTree } from '../git-objects.js';
import type { Ref, RefName, Store, StoredCommit, StoreWriter, TreeDifference } from '../store.js';
import { namesIn, type EarlyReader } from './objects/early-reader.js';
import { compareTrees } from './objects/compare-trees.js';
import { LookUps } from './objects/look-ups.js';
import { COMMANDS, ObjectReader } from './objects/object-reader.js';
import { gitProcess, type GitPlace } from './system/process.js';
import { readTogether, type ReadObject } from './objects/read-ahead.js';
import { readRef, type RefPlace } from './refs/ref-files.js';
import { listRefs } from './refs/ref-list.js';
import { applyOnce, NAMESPACE, RefUpdate, type RefChanges } from './ref-update.js';
import { GitWriter, type WriterParts } from './writer.js';

/** Below this, a walk reads commit after commit; above, `git rev-list` lists them all. */
const SHORT_WALK = 128;

/** For so few snapshots a process of their own is not worth its start: there is one that others read through, too. */
const FEW = 4;

export interface UserHead {
  readonly commit?: ObjectId;
  readonly tree?: ObjectId;
}

/** Where a store is that is only read. */
export interface HistoryPlace extends RefPlace {
  /** Where the user's refs are. */
  readonly user: GitPlace;
  /** Hands out, once, the process that was started to read through before this store was there. */
  readonly early?: () => EarlyReader | undefined;
}

export interface GitStorePlace extends HistoryPlace {
  readonly random: Random;
  /** Makes the private git directory if it is not there. */
  readonly privatePlace: () => GitPlace;
  /** Absolute path of the object directory. */
  readonly objects: string;
  readonly packAdded: (pack: string) => void;
}

export function gitStore(place: GitStorePlace): GitStore {
  const { objectFormat, random, objects, commonDirectory, privatePlace, packAdded } = place;
  const folder = path.join(commonDirectory, 'savepoint');
  return new GitStore(place, (lent) => {
    const places = {
      objects,
      incoming: path.join(folder, 'incoming'),
      commonDirectory,
      syncedObjects: path.join(folder, 'synced-objects'),
    };
    return new GitWriter({ ...lent, ...places, objectFormat, random, place: privatePlace, packAdded });
  });
}

/** Returns a store that cannot be written: whoever only looks need not load what writes. */
export function gitHistory(place: HistoryPlace): GitStore {
  return new GitStore(place, () => {
    throw contextError('invariant_broken', { reason: 'a store that is only looked at was to be written' });
  });
}

/** What a writer has from its store. */
type WriterLoan = Pick<WriterParts, 'readingDone' | 'lookUp' | 'startRefUpdate'>;
type MakeWriter = (lent: WriterLoan) => StoreWriter;

export class GitStore implements Store {
  readonly objectFormat: ObjectFormat;
  readonly #place: HistoryPlace;
  readonly #makeWriter: MakeWriter;
  readonly #user: Git;
  #reader: ObjectReader | undefined;
  /** False once git has turned out to be too old for it. */
  #takesCommands = true;
  readonly #lookUps: LookUps;
  /** Moved the refs of the last writer, and stays for the next one. */
  #refUpdates: RefChanges | undefined;
  #listing: { readonly folders: Set<string>; readonly refs: Promise<readonly Ref[]> } | undefined;
  /** What was read ahead and not yet asked for. */
  readonly #ahead = new Map<ObjectId, ReadObject>();
  /** What an early reader was asked for; it goes with the first that is read ahead. */
  #asked: Promise<readonly ReadObject[]> | undefined;
  #retired: Promise<unknown> = Promise.resolve();

  constructor(place: HistoryPlace, makeWriter: MakeWriter) {
    this.#place = place;
    this.#makeWriter = makeWriter;
    this.objectFormat = place.objectFormat;
    this.#user = gitProcess(place.user);
    this.#lookUps = new LookUps(place.user);
    const early = place.early?.();
    if (early !== undefined) this.#adopt(early);
  }

  #adopt(early: EarlyReader): void {
    if (!early.stays) this.#asked = early.answers();
    else if (early.isAlive()) {
      this.#reader = new ObjectReader(early);
      this.#asked = this.#reader.readAsked(early.asked);
    }
  }

  refs(prefix: string): Promise<readonly Ref[]> {
    // What is asked at the same moment is asked of one process.
    const waiting = this.#listing ?? {
      folders: new Set<string>(),
      refs: Promise.resolve().then(() => this.#listRefs()),
    };
    this.#listing = waiting;
    // A pattern of for-each-ref matches whole components, so the last, incomplete one is matched here.
    waiting.folders.add(prefix.slice(0, prefix.lastIndexOf('/') + 1));
    return waiting.refs.then((refs) => refs.filter(({ name }) => name.startsWith(prefix)));
  }

  async #listRefs(): Promise<readonly Ref[]> {
    const folders = [...(this.#listing?.folders ?? [])];
    this.#listing = undefined;
    const inFiles = listRefs(this.#place, NAMESPACE);
    if (inFiles !== undefined) return inFiles;
    const patterns = folders.map((folder) => `${NAMESPACE}${folder}`.replace(/\/$/, ''));
    // Whoever asks what refs there are reads next what they are at; a process takes some milliseconds to start.
    this.#reader ??= this.#startReader().idle();
    const { stdout } = await this.#user.run({
      args: ['for-each-ref', '--format=%(objectname) %(refname)', ...patterns],
    });
    return stdout
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({
        target: line.slice(0, line.indexOf(' ')),
        name: line.slice(line.indexOf(' ') + 1 + NAMESPACE.length),
      }));
  }

  async resolve(name: RefName): Promise<ObjectId | undefined> {
    const ref = `${NAMESPACE}${name}`;
    return readRef(this.#place, ref) ?? (await this.#open().read(ref))?.id;
  }

  /** Returns the commit that the user's HEAD is at and its tree, which may be `known`; nothing on an unborn branch. */
  async userHead(known?: UserHead): Promise<UserHead> {
    if (known?.commit !== undefined && readRef(this.#place, 'HEAD') === known.commit) return known;
    const found = await this.#open().read('HEAD^{commit}');
    if (found === undefined) return {};
    return { commit: found.id, tree: parseCommit(found.bytes, found.id).tree };
  }

  updateRef(name: RefName, target: ObjectId | undefined, expected: ObjectId | undefined): Promise<void> {
    return applyOnce(this.#startRefUpdate(), [{ name, target, expected }]);
  }

  async info(ids: readonly ObjectId[]): Promise<readonly (ObjectInfo | undefined)[]> {
    if (ids.length === 0) return [];
    const reader = this.#open();
    if (!reader.takesCommands) return this.#lookUps.info(ids);
    try {
      return await reader.checkTogether(ids);
    } catch (error) {
      if (!reader.hasEnded) throw error;
      this.#heed(reader);
      return this.#lookUps.info(ids);
    }
  }

  async read(id: ObjectId, type: ObjectType): Promise<Uint8Array | undefined> {
    const ahead = this.#ahead.get(id);
    this.#ahead.delete(id);
    const found = ahead ?? (await this.#survive((reader) => reader.read(id)));
    if (found?.type !== type) return undefined;
    // A plain view: a Buffer would share memory with what is sliced from it.
    return new Uint8Array(found.bytes.buffer, found.bytes.byteOffset, found.bytes.length);
  }

  async readAhead(commits: readonly ObjectId[], files: readonly string[]): Promise<void> {
    for (const object of (await this.#asked) ?? []) this.#ahead.set(object.id, object);
    this.#asked = undefined;
    const unread = commits.filter((id) => !this.#ahead.has(id));
    const names = namesIn(unread, files);
    const found =
      names.length > FEW * (2 + files.length)
        ? await readTogether(this.#place.user, names)
        : await this.#readFew(names);
    for (const object of found) this.#ahead.set(object.id, object);
  }

  async #readFew(names: readonly string[]): Promise<readonly ReadObject[]> {
    if (names.length === 0) return [];
    const reader = this.#open();
    const answers = await Promise.all(names.map((name) => reader.read(name).catch(() => undefined)));
    return answers.filter((answer) => answer !== undefined);
  }

  async *stream(id: ObjectId): AsyncIterable<Uint8Array> {
    const reader = this.#open();
    let begun = false;
    try {
      for await (const piece of reader.stream(id)) {
        begun = true;
        yield piece;
      }
    } catch (error) {
      if (!reader.hasEnded) throw error;
      this.#heed(reader);
      if (begun) throw contextError('object_missing', { object: id, owner: 'the snapshot' }, error);
      const bytes = await this.read(id, 'blob');
      if (bytes === undefined) throw contextError('object_missing', { object: id, owner: 'the snapshot' }, error);
      yield bytes;
    }
  }

  /**
   * git dies of an object that it cannot read, and takes the requests after it along. Each is asked again of a process
   * of its own; the one that kills that too is as good as missing.
   */
  async #survive<T>(ask: (reader: ObjectReader) => Promise<T>): Promise<T | undefined> {
    const shared = this.#open();
    try {
      return await ask(shared);
    } catch (error) {
      if (!shared.hasEnded) throw error;
      this.#heed(shared);
    }
    const own = this.#startReader();
    try {
      return await ask(own);
    } catch (error) {
      // Started and ended on this object: it is there and cannot be read.
      if (error instanceof ContextError && error.code === 'git_missing') throw error;
      return undefined;
    } finally {
      await own.close();
    }
  }

  async tree(id: ObjectId): Promise<ReturnType<typeof parseTree> | undefined> {
    const bytes = await this.read(id, 'tree');
    return bytes === undefined ? undefined : parseTree(this.objectFormat, bytes, id);
  }

  async commit(id: ObjectId): Promise<StoredCommit | undefined> {
    const bytes = await this.read(id, 'commit');
    return bytes === undefined ? undefined : { id, bytes, ...parseCommit(bytes, id) };
  }

  async *history(
    from: ObjectId,
    options: { readonly until?: ObjectId; readonly limit?: number } = {},
  ): AsyncIterable<ObjectId> {
    const { until, limit = Infinity } = options;
    if (limit > SHORT_WALK) {
      yield* await this.#longHistory(from, options);
      return;
    }
    let at: ObjectId | undefined = from;
    for (let count = 0; at !== undefined && at !== until && count < limit; count += 1) {
      const commit = await this.#demandCommit(at);
      yield at;
      at = commit.parents[0];
    }
  }

  async #longHistory(
    from: ObjectId,
    options: { readonly until?: ObjectId; readonly limit?: number },
  ): Promise<ObjectId[]> {
    const { until, limit } = options;
    await this.#demandCommit(from);
    const count = limit === undefined ? [] : [`--max-count=${String(limit)}`];
    const exclude = until === undefined ? [] : [`^${until}`];
    const { stdout } = await this.#user.run({ args: ['rev-list', '--first-parent', ...count, from, ...exclude] });
    return stdout.toString('latin1').split('\n').filter(Boolean);
  }

  async #demandCommit(id: ObjectId): Promise<StoredCommit> {
    const commit = await this.commit(id);
    if (commit === undefined) throw contextError('object_missing', { object: id, owner: 'a timeline' });
    return commit;
  }

  async *compare(a: ObjectId | undefined, b: ObjectId | undefined): AsyncIterable<TreeDifference> {
    const empty = emptyTreeId(this.objectFormat);
    if ((a ?? empty) === (b ?? empty)) return;
    yield* compareTrees(this.#user, a ?? empty, b ?? empty);
  }

  writer({ readsOn = false }: { readonly readsOn?: boolean } = {}): StoreWriter {
    return this.#makeWriter({
      readingDone: () => {
        if (!readsOn) this.#retire();
      },
      lookUp: () => this.#lookUps.once(),
      startRefUpdate: () => (readsOn ? this.#startRefUpdates() : this.#takeRefUpdates()),
    });
  }

  async close(): Promise<void> {
    this.#ahead.clear();
    await this.#refUpdates?.cancel();
    this.#retire();
    await this.#retired;
  }

  /** Has the reader end while other work goes on; the next read starts another. */
  #retire(): void {
    this.#retired = Promise.all([this.#retired, this.#asked, this.#reader?.close(), this.#lookUps.retire()]);
    this.#asked = undefined;
    this.#reader = undefined;
  }

  #open(): ObjectReader {
    if (this.#reader === undefined || this.#reader.hasEnded) {
      this.#reader = this.#startReader();
    }
    return this.#reader;
  }

  #startReader(): ObjectReader {
    return new ObjectReader(this.#place.user, ...(this.#takesCommands ? COMMANDS : ['--batch']));
  }

  #heed({ isTooOld }: ObjectReader): void {
    if (isTooOld) this.#takesCommands = false;
  }

  /** A git that stays for the next writer. */
  #startRefUpdates(): RefChanges {
    const update = this.#startRefUpdate();
    return {
      apply: async (...changes) => {
        await update.apply(...changes);
        await this.#refUpdates?.cancel();
        this.#refUpdates = update;
      },
      cancel: () => (this.#refUpdates === update ? Promise.resolve() : update.cancel()),
    };
  }

  #takeRefUpdates(): RefChanges {
    const kept = this.#refUpdates ?? this.#startRefUpdate();
    this.#refUpdates = undefined;
    return kept;
  }

  #startRefUpdate(): RefUpdate {
    return new RefUpdate(this.#place.user, this.#place.commonDirectory);
  }
}
