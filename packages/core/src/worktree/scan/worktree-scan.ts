/** One scan of a worktree: what changed since the memory it starts from, as edits of the last snapshot's tree. */
import type { BytePath } from '../../base/path.js';
import type { Anchor } from '../../model/tree/anchor.js';
import type { FlaggedEntry } from '../../model/tree/staged.js';
import { IndexFile } from '../index/index-file.js';
import { collapse, type IndexFacts } from '../index/user-index.js';
import { capturedFiles } from '../listing/captured-files.js';
import { directoryFileOf } from '../listing/directory-file.js';
import { isBelowDirectories, listWorktree, type Listing } from '../listing/directories.js';
import { lookAtStatuses, MANY_DIRECTORIES, readStatuses } from '../listing/directory-status.js';
import { IgnoreRules } from '../listing/ignore-rules.js';
import { KnownDirectories } from '../listing/known-directories.js';
import type { ForeseenDirectories, Head, WorktreePlace } from '../place/place.js';
import { findDirt, findDirtAt, readBranch, stillHolds, type ScannedFiles } from './anchor.js';
import { candidates, everything, type Present } from './candidates.js';
import { contentOf, type FileLedger } from './file-changes.js';
import { readFiles } from './file-reading.js';
import { filesystemRecord, listedRecord } from './filesystem-record.js';
import { renewIndex } from './index-renewal.js';
import { isSettled } from '../file/mode-counts.js';
import type { BegunLook, Handover } from './early-look.js';
import type { Scan, ScanRequest } from './scan.js';
import { saveMemory, type Dirt, type ListedRecord, type ScanMemory } from './scan-memory.js';
import { UserIndex, type UserState } from './user-state.js';

export interface ScanParts {
  readonly place: WorktreePlace;
  readonly request: ScanRequest;
  /** What it starts from: the memory of the scan before, and the look that began early; absent to read everything. */
  readonly begun?: { readonly memory: ScanMemory; readonly look: BegunLook | undefined } | undefined;
  /** Of a scan that another one is to follow: who asked for it ends them. */
  readonly rules: IgnoreRules | undefined;
  /** Takes what is left for the scan that follows. */
  readonly keep: (handover: Handover) => void;
}

export class WorktreeScan {
  readonly #place: WorktreePlace;
  readonly #request: ScanRequest;
  readonly #memory: ScanMemory | undefined;
  readonly #index: IndexFile | undefined;
  readonly #look: BegunLook | undefined;
  readonly #rules: IgnoreRules | undefined;
  readonly #keep: ScanParts['keep'];
  #suspects: readonly BytePath[] | undefined;
  readonly #began: number;
  #noGnuStat: boolean;

  constructor({ place, request, begun, rules, keep }: ScanParts) {
    this.#place = place;
    this.#request = request;
    this.#memory = begun?.memory;
    this.#look = begun?.look;
    this.#rules = rules;
    this.#keep = keep;
    this.#index = begun && (begun.look?.index ?? new IndexFile(place, begun.memory.index));
    this.#began = place.clock.now();
    this.#noGnuStat = begun?.memory.noGnuStat === true;
  }

  /** Resolves with the scan, or undefined where the memory cannot be used. */
  async run(): Promise<Scan | undefined> {
    if (this.#index?.isPresent() === false) return undefined;
    if (this.#memory === undefined) this.#request.progress?.({ phase: 'listing', files: 0, total: 0 });
    const recent = this.#look?.recent();
    const foreseen = this.#look === undefined ? this.#index?.takeForeseen() : undefined;
    const suspects = recent ? Promise.resolve(recent) : (this.#look?.suspects() ?? this.#index?.changedPaths(foreseen));
    // Where something else fails first, nobody listens to this one any more.
    suspects?.catch(() => undefined);
    this.#request.begun?.();
    const statuses = this.#statuses(foreseen?.directories);
    const userIndex = new UserIndex(this.#place, this.#memory, this.#began);
    const reading = userIndex.read();
    reading.catch(() => undefined);
    // Which commit HEAD is at says nothing of the names: they are listed while git starts.
    const facts = userIndex.remembered ?? (await reading).facts;
    const own = recent && ancestorsOf(this.#request.own?.paths ?? []);
    const listing = await this.#list({ statuses, facts, userIndex, ...(own && { changed: own }) });
    const user = await userIndex.judgeForced(await reading, listing);
    // What lies behind a link is not where git would find it.
    const isReal = (file: BytePath): boolean => isBelowDirectories(this.#place.root, file, listing.directories);
    const forced = user.facts.forced.filter(isReal);
    const present = { listing, forced, files: capturedFiles(listing.directories, forced) };
    const changed = await suspects;
    this.#suspects = changed;
    if (this.#memory !== undefined && changed === undefined) return undefined;
    const looked =
      this.#memory === undefined || changed === undefined
        ? everything(present)
        : candidates(this.#memory, present, [...changed, ...(this.#request.own?.paths ?? [])]);
    const { relisted } = looked;
    const from = { place: this.#place, request: this.#request, memory: this.#memory, index: this.#index };
    const ledger = await readFiles({ ...from, began: this.#began }, looked);
    if (!isSettled(ledger.modes)) return undefined;
    return this.#scan({ ...present, user, userIndex, ledger, relisted });
  }

  async #statuses(foreseen?: ForeseenDirectories): Promise<Buffer | undefined> {
    const known = this.#memory?.directories;
    const { directoryCache, manyDirectories = MANY_DIRECTORIES } = this.#request;
    if (!directoryCache || !(known instanceof KnownDirectories)) return undefined;
    const answered = foreseen?.file === directoryFileOf(known) ? await foreseen?.answer : undefined;
    if (answered !== undefined) return answered;
    if (known.size >= manyDirectories && !this.#noGnuStat) {
      const answer = await readStatuses(this.#place, known.encodedPaths);
      if (typeof answer !== 'string') return answer;
      this.#noGnuStat = answer === 'no_gnu_stat';
    }
    return lookAtStatuses(this.#place, known.paths());
  }

  async #list({ statuses, facts, userIndex, changed }: Listed): Promise<Listing> {
    const rules = this.#look?.rules ?? this.#rules ?? new IgnoreRules(this.#place);
    const { signal, directoryCache } = this.#request;
    try {
      return await listWorktree({
        place: this.#place,
        rules,
        known: this.#memory?.directories ?? new Map(),
        statuses,
        knownRules: this.#memory?.rules ?? new Map(),
        submodules: new Set(facts.submodules),
        holdsTracked: (directory) => userIndex.holdsTracked(directory, facts),
        trustDirectories: directoryCache,
        began: this.#began,
        ...(changed && { changed }),
        ...(signal === undefined ? {} : { signal }),
      });
    } finally {
      if (rules !== this.#rules) await rules.close();
    }
  }

  async #scan(found: Found): Promise<Scan> {
    const { user, userIndex, files, ledger } = found;
    const dirt = await this.#dirt(found);
    const { staged, skipped } = user.facts;
    const entries = skipped.length === 0 ? [] : await userIndex.entries();
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

  async #dirt({ user, userIndex, files, ledger, relisted }: Found): Promise<Dirt> {
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
    return findDirt(this.#place, await userIndex.entries(), scanned);
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
    const { user, userIndex, listing, forced, ledger } = found;
    const rules = this.#rules;
    const handed = rules === undefined ? undefined : this.#index;
    const [place, began] = [this.#place, this.#began];
    const { index, files } =
      handed === undefined
        ? renewIndex({ place, began, index: this.#index, files: found.files, ledger })
        : { index: handed.name, files: ledger.files };
    const memory: ScanMemory = {
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
      userIndex: { ...user.facts, judged: userIndex.judged },
      dirt,
      ...(this.#noGnuStat ? { noGnuStat: true } : {}),
    };
    if (handed === undefined || rules === undefined) saveMemory(place.memoryDirectory, memory);
    else this.#keep({ memory, index: handed, rules, suspects: this.#suspects });
  }
}

interface Listed {
  readonly statuses: Promise<Buffer | undefined>;
  readonly facts: Pick<IndexFacts, 'submodules' | 'judged'>;
  readonly userIndex: UserIndex;
  /** Directories in which alone names may have come or gone. */
  readonly changed?: ReadonlySet<BytePath>;
}

interface Outcome {
  readonly dirt: Dirt;
  readonly listed: ListedRecord;
  /** Folder `worktree/` of the snapshot. */
  readonly tree: string | undefined;
}

interface Found extends Present {
  readonly user: UserState;
  readonly userIndex: UserIndex;
  readonly ledger: FileLedger;
  /** True where a path came or went. */
  readonly relisted: boolean;
}

/** The paths and all directories above them. */
function ancestorsOf(paths: readonly BytePath[]): ReadonlySet<BytePath> {
  const found = new Set<BytePath>(['']);
  for (const path of paths) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) found.add(path.slice(0, end));
  }
  return found;
}

function isEqualList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function isIntent({ flags }: FlaggedEntry): boolean {
  return flags.includes('intent_to_add');
}
