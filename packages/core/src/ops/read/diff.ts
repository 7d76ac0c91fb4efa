/** `diff`: what differs between two snapshots, or a snapshot and the present worktree. */
import { formatTime } from '../../base/clock.js';
import { toRepoPath, type BytePath, type RepoPath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import {
  ACTIONS_FOLDER,
  CONTEXT_FOLDER,
  LEDGER_FOLDER,
  TRANSCRIPT_FOLDER,
  WORKTREE_FOLDER,
} from '../../format/v1/layout.js';
import type { Anchor } from '../../model/tree/anchor.js';
import type { Store } from '../../store/store.js';
import { compareWorktrees } from '../../timeline/diff/compare.js';
import { withOmissions } from '../../timeline/diff/omissions.js';
import type { ContentSource } from '../../timeline/diff/content.js';
import { presentWorktree, storedContent } from '../../timeline/diff/present.js';
import type { UnknownReason, WorktreeState } from '../../timeline/diff/worktree-files.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { namedScope } from '../../timeline/rewind/scope.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { folderTree, readFilesystem, readTranscripts, withheldSlices } from '../../timeline/snapshot/slices.js';
import {
  NO_DIFFERENCE,
  recordDifference,
  type ActionBetween,
  type ItemChange,
  type LedgerBetween,
} from '../recorded/record-difference.js';
import { pricesOf } from '../recorded/prices.js';
import type { Repository } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';
import { countLines, fileChanges, type FileChange, type FileChangeForm } from './file-changes.js';

export interface DiffRequest extends FileChangeForm {
  readonly repository: Repository;
  readonly from: string;
  /** Default: the present worktree. */
  readonly to?: string;
  /** Files and directories to keep to. */
  readonly paths?: readonly (string | RepoPath)[];
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

/** One of the two that are compared. */
export interface DiffEnd {
  /** Snapshot id, or absent for the present worktree. */
  readonly id?: string;
  readonly shortId?: string;
  readonly createdAt: string;
  readonly anchor: { readonly commit?: string; readonly branch?: string; readonly dirty: boolean };
}

export interface DiffResult {
  readonly from: DiffEnd;
  readonly to: DiffEnd;
  readonly files: readonly FileChange[];
  /** Empty and removed directories, directory modes. */
  readonly directories: readonly {
    readonly path: string;
    readonly pathBytes?: string;
    readonly change: 'added' | 'removed' | 'mode';
  }[];
  /** Paths where a side did not look and the other holds something, or that a side left out: no change is claimed. */
  readonly unknown: readonly {
    readonly path: string;
    readonly pathBytes?: string;
    readonly side: 'from' | 'to';
    readonly reason: UnknownReason;
  }[];
  /** Filled by later versions. */
  readonly understanding: readonly never[];
  /** What entered the window of a session and what left it. */
  readonly items: readonly ItemChange[];
  /** What agents did between the two. */
  readonly actions: readonly ActionBetween[];
  /** What was spent between the two; empty where one side has no ledger to compare. */
  readonly ledger: Partial<LedgerBetween>;
  /** Bytes of the agent's log between the two, by session. */
  readonly transcripts: readonly { readonly session: string; readonly from: number; readonly to: number }[];
  /** Slices that a foreign side withholds: nothing is said of them. */
  readonly withheld?: readonly { readonly side: 'from' | 'to'; readonly slice: string }[];
  /** Lines are counted where files are read: not with `namesOnly`. */
  readonly totals: { readonly files: number; readonly insertions?: number; readonly deletions?: number };
}

/**
 * Compares two snapshots, or a snapshot with the present worktree, which is read and not recorded.
 * @throws as resolving a selector does; path_outside; argument_malformed; object_missing; worktree_changing
 * @example
 * const { files } = await diff({ repository, from: 'seq:1', to: 'head', patch: true });
 * for (const { change, path } of files) console.log(change, path);
 */
export async function diff(request: DiffRequest): Promise<DiffResult> {
  const { repository } = request;
  const { store } = repository;
  const scope = namedScope(request.paths);
  const view = await viewAt(repository, request.at);
  const from = await snapshotSide(store, (await resolveSelector(view, request.from)).snapshot);
  const to =
    request.to === undefined
      ? await presentSide(repository)
      : await snapshotSide(store, (await resolveSelector(view, request.to)).snapshot);
  const withheld = [...withheldOf('from', from), ...withheldOf('to', to)];
  const found = withheld.some(({ slice }) => slice === WORKTREE_FOLDER)
    ? NOTHING
    : await compareWorktrees(
        from.state,
        to.state,
        ...(request.to === undefined ? [] : [store.compare(from.state.tree, to.state.tree)]),
      );
  const unknown = withOmissions(found.unknown, from.state.filesystem, to.state.filesystem);
  const kept = <T extends { readonly path: BytePath }>(all: readonly T[]) =>
    all.filter(({ path }) => scope.includes(path));
  const files = await fileChanges(kept(found.files), to.content, request);
  // Who asks for paths asks for files.
  const hidden = withheld.some(({ slice }) => RECORD_SLICES.has(slice));
  const wanted = to.snapshot !== undefined && request.paths === undefined && request.namesOnly !== true && !hidden;
  const records = wanted
    ? await recordDifference({ store, prices: () => pricesOf(repository) }, from.snapshot, to.snapshot)
    : NO_DIFFERENCE;
  return {
    from: from.end,
    to: to.end,
    files,
    directories: kept(found.directories).map(({ path, change }) => ({ ...toRepoPath(path), change })),
    unknown: kept(unknown).map(({ path, side, reason }) => ({ ...toRepoPath(path), side, reason })),
    understanding: [],
    ...records,
    transcripts:
      to.snapshot === undefined ||
      request.paths !== undefined ||
      withheld.some(({ slice }) => slice === TRANSCRIPT_FOLDER)
        ? []
        : await transcriptGrowth(store, from.snapshot, to.snapshot),
    ...(withheld.length > 0 && { withheld }),
    totals: { files: files.length, ...(request.namesOnly !== true && countLines(files)) },
  };
}

const NOTHING: Awaited<ReturnType<typeof compareWorktrees>> = { files: [], directories: [], unknown: [] };

function withheldOf(
  side: 'from' | 'to',
  { snapshot }: Side,
): readonly { readonly side: 'from' | 'to'; readonly slice: string }[] {
  return snapshot === undefined ? [] : withheldSlices(snapshot).map((slice) => ({ side, slice }));
}

/** Of which nothing is said where one side withholds one of them. */
const RECORD_SLICES: ReadonlySet<string> = new Set([CONTEXT_FOLDER, ACTIONS_FOLDER, LEDGER_FOLDER]);

interface Side {
  readonly end: DiffEnd;
  readonly state: WorktreeState;
  readonly content: ContentSource;
  readonly snapshot?: LoadedSnapshot;
}

async function snapshotSide(
  store: Store,
  snapshot: LoadedSnapshot,
): Promise<Side & { readonly snapshot: LoadedSnapshot }> {
  const { id, body } = snapshot;
  const filesystem = await readFilesystem(store, snapshot);
  return {
    end: { id, shortId: shortId(id), createdAt: body.createdAt, anchor: endAnchor(body.anchor) },
    state: { tree: folderTree(snapshot, WORKTREE_FOLDER), filesystem, read: (tree) => store.tree(tree) },
    content: storedContent(store),
    snapshot,
  };
}

async function presentSide({ store, worktree, settings, clock }: Repository): Promise<Side> {
  const state = await presentWorktree(store, worktree, settings);
  const end = { createdAt: formatTime(clock.now()), anchor: endAnchor(state.anchor) };
  return { end, state, content: state.content };
}

function endAnchor({ commit, branch, dirty }: Anchor): DiffEnd['anchor'] {
  return { ...(commit !== undefined && { commit }), ...(branch !== undefined && { branch }), dirty };
}

async function transcriptGrowth(
  store: Store,
  before: LoadedSnapshot,
  after: LoadedSnapshot,
): Promise<DiffResult['transcripts']> {
  const [old, young] = await Promise.all([readTranscripts(store, before), readTranscripts(store, after)]);
  const lengths = (all: typeof old) => new Map(all.map(({ source: { session, bytes } }) => [session, bytes]));
  const [from, to] = [lengths(old), lengths(young)];
  const sessions = [...new Set([...from.keys(), ...to.keys()])].sort();
  return sessions
    .map((session) => ({ session, from: from.get(session) ?? 0, to: to.get(session) ?? 0 }))
    .filter((growth) => growth.from !== growth.to);
}
