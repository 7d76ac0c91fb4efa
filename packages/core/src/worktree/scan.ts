/** One scan of a worktree: what changed since the memory it starts from, as edits of the last snapshot's tree. */
import type { BytePath } from '../base/path.js';
import type { Anchor } from '../model/anchor.js';
import type { FlaggedEntry } from '../model/staged.js';
import type { TreeMode } from '../model/tree.js';
import { readBranch, findDirt, findDirtAt, stillHolds, type ScannedFiles } from './anchor.js';
import { capturedFiles, compareListings, type CapturedFiles } from './listing/captured-files.js';
import { isBelowDirectories, listWorktree, type Listing } from './listing/directories.js';
import { dropFile, enterFile, type FileLedger } from './file-changes.js';
import { isRacyForGit, lookAt, statKey } from './place/file-stat.js';
import { filesystemRecord, listedRecord } from './filesystem-record.js';
import { lookAtStatuses, MANY_DIRECTORIES, readStatuses } from './listing/directory-status.js';
import { KnownDirectories } from './listing/known-directories.js';
import { IgnoreRules, sameSources } from './listing/ignore-rules.js';
import { IndexFile, removeOtherIndexes, writeNewIndex, type IndexFileName } from './index/index-file.js';
import { Intake, type Taken } from './intake.js';
import { isSettled, newModeTable, settle, type ModeTable } from './mode-counts.js';
import type { Head, WorktreePlace } from './place/place.js';
import type { PrivateEntry } from './index/private-index.js';
import { saveMemory, type ListedRecord, type Dirt, type FileMemory, type ScanMemory } from './scan-memory.js';
import {
  collapse,
  indexState,
  isSameIndex,
  readForced,
  readIndex,
  readIndexFacts,
  type IndexEntry,
  type IndexFacts,
  type IndexState,
} from './index/user-index.js';
import type { Scan, ScanRequest } from './worktree.js';

/** So many files may differ from the private index before it is written again, plus one in fifty. */
const STALE_FILES = 64;
const STALE_SHARE = 50;

interface UserState {
  readonly head: Head;
  readonly facts: IndexFacts;
  /** Read only when the facts were not remembered. */
  readonly entries?: readonly IndexEntry[];
}

export class WorktreeScan {
  readonly #place: WorktreePlace;
  readonly #request: ScanRequest;
  readonly #memory: ScanMemory | undefined;
  readonly #index: IndexFile | undefined;
  readonly #began: number;
  readonly #judged = new Map<BytePath, boolean>();
  #entries: readonly IndexEntry[] | undefined;

  constructor(place: WorktreePlace, request: ScanRequest, memory: ScanMemory | undefined) {
    this.#place = place;
    this.#request = request;
    this.#memory = memory;
    this.#index = memory === undefined ? undefined : new IndexFile(place, memory.index);
    this.#began = place.clock.now();
  }

  /** Resolves with the scan, or undefined where the memory cannot be used. */
  async run(): Promise<Scan | undefined> {
    if (this.#index?.isPresent() === false) return undefined;
    if (this.#memory === undefined) this.#request.progress?.({ phase: 'listing', files: 0, total: 0 });
    const suspects = this.#index?.changedPaths();
    // Where something else fails first, nobody listens to this one any more.
    suspects?.catch(() => undefined);
    this.#request.begun?.();
    const statuses = this.#statuses();
    const state = indexState(this.#place, this.#memory?.userIndex, this.#began);
    const reading = this.#readUser(state);
    reading.catch(() => undefined);
    // Which commit HEAD is at says nothing of the names: they are listed while git starts.
    const listing = await this.#list(this.#rememberedFacts(state) ?? (await reading), statuses);
    const user = await this.#judgeForced(await reading, listing);
    // What lies behind a link is not where git would find it.
    const isReal = (file: BytePath): boolean => isBelowDirectories(this.#place.root, file, listing.directories);
    const forced = user.facts.forced.filter(isReal);
    const files = capturedFiles(listing.directories, forced);
    const candidates = await this.#candidates(listing, { files, forced }, suspects);
    if (candidates === undefined) return undefined;
    const ledger = await this.#read(candidates);
    if (!isSettled(ledger.modes)) return undefined;
    return this.#scan({ user, listing, forced, files, ledger, relisted: candidates.relisted });
  }

  // Which tracked files are ignored hangs on the rules as well as on the index.
  async #judgeForced(user: UserState, { rules }: Listing): Promise<UserState> {
    if (user.entries !== undefined || sameSources(this.#memory?.rules ?? new Map(), rules)) return user;
    return { ...user, facts: { ...user.facts, forced: await readForced(this.#place) } };
  }

  /** Facts of the index as it is, whatever HEAD is now. */
  #rememberedFacts(state: IndexState): Pick<UserState, 'facts'> | undefined {
    const facts = this.#memory?.userIndex;
    return facts !== undefined && isSameIndex(facts, state) ? { facts: { ...facts, ...state } } : undefined;
  }

  async #readUser(state: IndexState): Promise<UserState> {
    const head = await this.#place.head(this.#memory?.head);
    const remembered = this.#rememberedFacts(state);
    if (remembered !== undefined && remembered.facts.commit === head.commit) return { head, ...remembered };
    const { facts, entries } = await readIndexFacts(this.#place, head, state);
    return { head, facts, entries };
  }

  async #statuses(): Promise<Buffer | undefined> {
    const known = this.#memory?.directories;
    const { directoryCache, manyDirectories = MANY_DIRECTORIES } = this.#request;
    if (!directoryCache || !(known instanceof KnownDirectories)) return undefined;
    const asked = known.size < manyDirectories ? undefined : await readStatuses(this.#place, known.encodedPaths);
    return asked ?? lookAtStatuses(this.#place, known.paths());
  }

  async #list({ facts, entries }: Omit<UserState, 'head'>, statuses: Promise<Buffer | undefined>): Promise<Listing> {
    const rules = new IgnoreRules(this.#place);
    const { signal, directoryCache } = this.#request;
    try {
      return await listWorktree({
        place: this.#place,
        rules,
        known: this.#memory?.directories ?? new Map(),
        statuses,
        knownRules: this.#memory?.rules ?? new Map(),
        submodules: new Set(facts.submodules),
        holdsTracked: (directory) => this.#holdsTracked(directory, facts, entries),
        trustDirectories: directoryCache,
        began: this.#began,
        ...(signal === undefined ? {} : { signal }),
      });
    } finally {
      await rules.close();
    }
  }

  async #holdsTracked(directory: BytePath, facts: IndexFacts, entries: UserState['entries']): Promise<boolean> {
    if (this.#judged.size === 0) for (const [path, holds] of facts.judged) this.#judged.set(path, holds);
    const known = this.#judged.get(directory);
    if (known !== undefined) return known;
    this.#entries ??= entries ?? (await readIndex(this.#place));
    const holds = this.#entries.some(({ path }) => path.startsWith(`${directory}/`));
    this.#judged.set(directory, holds);
    return holds;
  }

  /** Resolves with the paths to look at and those to drop, or undefined where the private index is no use. */
  async #candidates(
    listing: Listing,
    captured: { readonly files: CapturedFiles; readonly forced: readonly BytePath[] },
    suspects: Promise<readonly BytePath[] | undefined> | undefined,
  ): Promise<Candidates | undefined> {
    const memory = this.#memory;
    if (memory === undefined || suspects === undefined) {
      return { look: new Set(captured.files.all()), drop: [], relisted: true };
    }
    const changed = await suspects;
    if (changed === undefined) return undefined;
    const { added, removed } = compareListings(memory.directories, listing.directories);
    const look = new Set(added);
    const forcedBefore = new Set(memory.forced);
    for (const file of captured.forced) if (!forcedBefore.has(file)) look.add(file);
    for (const file of changed) if (captured.files.has(file)) look.add(file);
    for (const file of memory.files.keys()) if (captured.files.has(file)) look.add(file);
    const drop = [...removed, ...memory.forced, ...memory.files.keys()].filter((file) => !captured.files.has(file));
    return { look, drop: [...new Set(drop)], relisted: added.length + removed.length > 0 };
  }

  async #read({ look, drop }: Candidates): Promise<FileLedger> {
    const memory = this.#memory;
    const ledger: FileLedger = {
      files: new Map(memory?.files),
      modes: copyModes(memory),
      totals: { ...(memory?.totals ?? { files: 0, bytes: 0 }) },
      set: [],
      remove: [],
      content: new Map(),
      indexed: (file) => this.#index?.find(file),
    };
    for (const file of drop) dropFile(ledger, file);
    const retried = await this.#retried();
    const paths = [...look].filter((file) => retried.has(file) || !this.#isKnown(file));
    await this.#take(paths, (file, taken) => {
      enterFile(ledger, file, taken);
    });
    if (memory === undefined) settle(ledger.modes, inTree(ledger.files));
    return ledger;
  }

  /** Files that a limit kept out before and that it may not keep out now. */
  async #retried(): Promise<ReadonlySet<BytePath>> {
    const { maxFileBytes, objects } = this.#request;
    const limited = [...(this.#memory?.files ?? [])].filter(
      ([, { left }]) => left === 'too_large' || left === 'over_limit',
    );
    const stored = limited.length === 0 ? [] : await objects.info(limited.map(([, { blob }]) => blob));
    const again = limited.filter(
      ([, { left, size }], at) => left === 'over_limit' || size <= maxFileBytes || stored[at],
    );
    return new Set(again.map(([file]) => file));
  }

  #isKnown(file: BytePath): boolean {
    const known = this.#memory?.files.get(file);
    if (known === undefined || known.key === '') return false;
    const stat = lookAt(this.#place.root, file);
    return stat !== undefined && statKey(stat) === known.key;
  }

  async #take(paths: readonly BytePath[], enter: (file: BytePath, taken: Taken) => void): Promise<void> {
    const { sink, objects, maxFileBytes, maxNewBytes, progress, signal } = this.#request;
    const { root, objectFormat } = this.#place;
    const limits = { maxFileBytes, maxNewBytes };
    const intake = new Intake({ root, objectFormat, sink, objects, ...limits, began: this.#began, enter });
    for (const [at, file] of paths.entries()) {
      if (at % 512 === 511) {
        progress?.({ phase: 'reading', files: at, total: paths.length });
        // Lets an interruption through.
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
      await intake.take(file);
    }
    await intake.flush();
  }

  async #scan(found: Found): Promise<Scan> {
    const { user, files, ledger } = found;
    const dirt = await this.#dirt(found);
    const { staged, skipped } = user.facts;
    const entries = skipped.length === 0 ? [] : (user.entries ?? (await readIndex(this.#place)));
    const absent = new Set(skipped.filter((file) => !files.has(file)));
    const sparse = collapse(
      entries.map((entry) => entry.path),
      absent,
    );
    const listed = this.#listed(found, sparse);
    const filesystem = filesystemRecord({ files: ledger.files, modes: ledger.modes, listed });
    const { unmerged, flagged, set, remove } = staged;
    const isStaged = set.length + remove.length + unmerged.length > 0;
    const index = { folder: 'index', set, remove, ...(user.head.tree === undefined ? {} : { base: user.head.tree }) };
    const tree = this.#memory?.tree;
    return {
      files: {
        folder: 'worktree',
        remove: ledger.remove,
        set: ledger.set,
        ...(tree === undefined ? {} : { base: tree }),
      },
      ...(isStaged || flagged.length > 0 ? { staged: { record: { unmerged, flagged }, folder: index } } : {}),
      filesystem,
      content: new Map([...filesystem.diverted, ...unmerged].map(({ blob }) => [blob, ledger.content.get(blob)])),
      anchor: await this.#anchor(user.head, isStaged || dirt.kind !== 'clean' || flagged.some(isIntent)),
      totals: { ...ledger.totals },
      remember: (worktreeTree) => {
        this.#remember(found, { dirt, listed, tree: worktreeTree });
        return Promise.resolve();
      },
    };
  }

  async #dirt({ user, files, ledger, relisted }: Found): Promise<Dirt> {
    const scanned: ScannedFiles = { files, content: (file) => contentOf(ledger, file) };
    const known = this.#memory?.dirt;
    const changed = relisted || ledger.set.length + ledger.remove.length > 0;
    if (user.entries === undefined && known !== undefined) {
      if (stillHolds(known, scanned, changed)) return known;
      const [first] = ledger.set;
      const dirt =
        known.kind === 'clean' && first !== undefined && (await findDirtAt(this.#place, first.path, scanned));
      if (dirt) return dirt;
    }
    return findDirt(this.#place, user.entries ?? (await readIndex(this.#place)), scanned);
  }

  async #anchor(head: Head, dirty: boolean): Promise<Anchor> {
    const branch = await readBranch(this.#place);
    return {
      ...(head.commit === undefined ? {} : { commit: head.commit }),
      ...(branch === undefined ? {} : { branch }),
      dirty,
      ...(head.tree === undefined ? {} : { headTree: head.tree }),
      objectFormat: this.#place.objectFormat,
    };
  }

  #listed({ user, listing, forced }: Found, sparse: readonly BytePath[]): ListedRecord {
    const { directories } = listing;
    const { submodules } = user.facts;
    const before = this.#memory;
    const isSame =
      directories === before?.directories &&
      sparse.length === 0 &&
      before.userIndex?.skipped.length === 0 &&
      isEqualList(forced, before.forced) &&
      isEqualList(submodules, before.userIndex.submodules);
    return isSame ? before.listed : listedRecord({ directories, submodules, sparse, forced: new Set(forced) });
  }

  #remember(found: Found, { dirt, listed, tree }: Outcome): void {
    const { user, listing, forced, ledger } = found;
    const { index, files } = this.#renewIndex(found);
    saveMemory(this.#place.memoryDirectory, {
      tree,
      index,
      directories: listing.directories,
      listed,
      files,
      rules: listing.rules,
      forced,
      exceptions: ledger.modes.exceptions,
      usual: ledger.modes.usual,
      counts: ledger.modes.counts,
      totals: ledger.totals,
      head: user.head,
      userIndex: { ...user.facts, judged: [...this.#judged] },
      dirt,
    });
    removeOtherIndexes(this.#place, index);
  }

  /** Moves files into the private index once enough of them differ from it. */
  #renewIndex({ files: captured, ledger }: Found): RenewedIndex {
    const rest = new Map<BytePath, FileMemory>();
    for (const [file, memory] of ledger.files) {
      if (memory.left !== 'absent' && !this.#isSettled(memory)) rest.set(file, memory);
    }
    const format = (file: BytePath): PrivateEntry | undefined => this.#entry(ledger.files.get(file));
    if (this.#index === undefined) {
      const paths = [...inTree(ledger.files)].map(([file]) => file);
      return { index: writeNewIndex(this.#place, paths, format), files: rest };
    }
    const stale = ledger.files.size - rest.size + ledger.remove.length;
    const unchanged = { index: this.#index.name, files: ledger.files };
    if (stale <= STALE_FILES + ledger.totals.files / STALE_SHARE) return unchanged;
    const index = this.#index.patch(ledger.files.keys(), { entry: format, keep: (file) => captured.has(file) });
    return index === undefined ? unchanged : { index, files: rest };
  }

  /** True for a file that git can watch from now on. */
  #isSettled({ left, key, size }: FileMemory): boolean {
    // An index has sizes modulo 2^32.
    return left === undefined && key !== '' && size < 2 ** 32 && !isRacyForGit(key, this.#began);
  }

  #entry(memory: FileMemory | undefined): PrivateEntry | undefined {
    if (memory === undefined || memory.left !== undefined) return undefined;
    const { mode, blob, size, key } = memory;
    return { mode: parseInt(mode, 8), blob, size, key: this.#isSettled(memory) ? key : '' };
  }
}

interface RenewedIndex {
  readonly index: IndexFileName;
  readonly files: ReadonlyMap<BytePath, FileMemory>;
}

interface Outcome {
  readonly dirt: Dirt;
  readonly listed: ListedRecord;
  /** Folder `worktree/` of the snapshot. */
  readonly tree: string | undefined;
}

interface Candidates {
  readonly look: ReadonlySet<BytePath>;
  readonly drop: readonly BytePath[];
  /** True where a path came or went. */
  readonly relisted: boolean;
}

interface Found {
  readonly user: UserState;
  readonly listing: Listing;
  readonly forced: readonly BytePath[];
  readonly files: CapturedFiles;
  readonly ledger: FileLedger;
  readonly relisted: boolean;
}

function isEqualList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function isIntent({ flags }: FlaggedEntry): boolean {
  return flags.includes('intent_to_add');
}

function copyModes(memory: ScanMemory | undefined): ModeTable {
  if (memory === undefined) return newModeTable();
  const { counts, usual, exceptions } = memory;
  return {
    counts: { file: new Map(counts.file), executable: new Map(counts.executable) },
    usual: { ...usual },
    exceptions: new Map(exceptions),
  };
}

function* inTree(files: FileLedger['files']): Iterable<readonly [BytePath, TreeMode]> {
  for (const [file, { mode, left }] of files) if (left === undefined) yield [file, mode];
}

function contentOf(ledger: FileLedger, file: BytePath): { readonly blob: string; readonly mode: string } | undefined {
  const memory = ledger.files.get(file);
  if (memory !== undefined) return memory.left === 'absent' ? undefined : memory;
  const indexed = ledger.indexed(file);
  return indexed === undefined ? undefined : { blob: indexed.blob, mode: indexed.mode.toString(8) };
}
