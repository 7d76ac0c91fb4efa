/** The Store in the user's git repository: read where it is, written through the private git directory. */
import path from 'node:path';
import { contextError } from '../../base/errors.js';
import type { Random } from '../../base/clock.js';
import type { Git } from '../../base/git-command.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId, ObjectInfo, ObjectType } from '../../model/tree/tree.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import { parseCommit, parseTree } from '../git-objects.js';
import type { Ref, RefName, Store, StoredCommit, StoreWriter, TreeDifference } from '../store.js';
import type { EarlyReader } from './objects/early-reader.js';
import { compareTrees } from './objects/compare-trees.js';
import { StoredObjects } from './objects/stored-objects.js';
import { gitProcess, type GitPlace } from './system/process.js';
import { readRef, type RefPlace } from './refs/ref-files.js';
import { listRefs } from './refs/ref-list.js';
import { applyOnce, NAMESPACE, RefUpdate, type RefChanges } from './ref-update.js';
import { GitWriter, type WriterParts } from './writer.js';

/** Below this, a walk reads commit after commit; above, `git rev-list` lists them all. */
const SHORT_WALK = 128;

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
  readonly #objects: StoredObjects;
  /** Moved the refs of the last writer, and stays for the next one. */
  #refUpdates: RefChanges | undefined;
  #listing: { readonly folders: Set<string>; readonly refs: Promise<readonly Ref[]> } | undefined;

  constructor(place: HistoryPlace, makeWriter: MakeWriter) {
    this.#place = place;
    this.#makeWriter = makeWriter;
    this.objectFormat = place.objectFormat;
    this.#user = gitProcess(place.user);
    this.#objects = new StoredObjects(place.user, place.early?.());
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
    this.#objects.prepare();
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
    return readRef(this.#place, ref) ?? (await this.#objects.find(ref))?.id;
  }

  /** Returns the commit that the user's HEAD is at and its tree, which may be `known`; nothing on an unborn branch. */
  async userHead(known?: UserHead): Promise<UserHead> {
    if (known?.commit !== undefined && readRef(this.#place, 'HEAD') === known.commit) return known;
    const found = await this.#objects.find('HEAD^{commit}');
    if (found === undefined) return {};
    return { commit: found.id, tree: parseCommit(found.bytes, found.id).tree };
  }

  updateRef(name: RefName, target: ObjectId | undefined, expected: ObjectId | undefined): Promise<void> {
    return applyOnce(this.#startRefUpdate(), [{ name, target, expected }]);
  }

  info(ids: readonly ObjectId[]): Promise<readonly (ObjectInfo | undefined)[]> {
    return this.#objects.info(ids);
  }

  async read(id: ObjectId, type: ObjectType): Promise<Uint8Array | undefined> {
    const found = await this.#objects.read(id);
    if (found?.type !== type) return undefined;
    // A plain view: a Buffer would share memory with what is sliced from it.
    return new Uint8Array(found.bytes.buffer, found.bytes.byteOffset, found.bytes.length);
  }

  readAhead(commits: readonly ObjectId[], files: readonly string[]): Promise<void> {
    return this.#objects.readAhead(commits, files);
  }

  stream(id: ObjectId): AsyncIterable<Uint8Array> {
    return this.#objects.stream(id);
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
        if (!readsOn) this.#objects.retire();
      },
      lookUp: () => this.#objects.lookUp(),
      startRefUpdate: () => (readsOn ? this.#startRefUpdates() : this.#takeRefUpdates()),
    });
  }

  async close(): Promise<void> {
    await this.#refUpdates?.cancel();
    await this.#objects.close();
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
