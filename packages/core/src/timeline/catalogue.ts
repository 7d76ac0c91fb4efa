/**
 * Finds snapshots fast: a file of one JSON line for each, which is only a finder. Whatever it finds is loaded from the
 * store before it is believed, and what it lacks is read from the store and appended. It can be deleted at any time.
 */
import { ContextError, contextError } from '../base/errors.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import {
  encodeLine,
  rowFinder,
  splitRows,
  type CatalogueEntry,
  type CatalogueRow,
  type LineRow,
  type RowFinder,
} from './catalogue-rows.js';
import { loadSnapshot, type LoadedSnapshot } from './snapshot/load.js';
import { timelineHeads, type Cutoff, type Head } from './view.js';

export const CATALOGUE = 'cache/catalogue';

/** A snapshot that could not be read when the catalogue was brought up to date. */
export interface Unreadable {
  readonly timeline: string;
  readonly commit: ObjectId;
  readonly error: ContextError;
}

export interface Catalogue {
  /** Newest first in each timeline, by the chain of commits and not by any clock. */
  readonly timelines: ReadonlyMap<string, readonly CatalogueRow[]>;
  /** Where each timeline ends, whether it can be read or not. */
  readonly heads: ReadonlyMap<string, ObjectId>;
  readonly unreadable: readonly Unreadable[];
}

export function entryOf({ commit, id, body }: Pick<LoadedSnapshot, 'commit' | 'id' | 'body'>): CatalogueEntry {
  const parent = commit.parents[0];
  return {
    commit: commit.id,
    ...(parent !== undefined && { parent }),
    id,
    timeline: body.timeline,
    createdAt: body.createdAt,
    sequence: body.sequence,
    tags: body.tags,
    ...(body.anchor.commit !== undefined && { anchor: body.anchor.commit }),
    ...(body.anchor.branch !== undefined && { branch: body.anchor.branch }),
    ...(body.session !== undefined && { session: body.session.id }),
  };
}

/** Adds a snapshot that became durable, so that the next reader need not. A failure is harmless and is not reported. */
export async function appendToCatalogue(local: LocalState, entry: CatalogueEntry): Promise<void> {
  await appendLines(local, [encodeLine(entry)]);
}

/** Reads the catalogue, brings it up to date with the heads, and leaves out what no head reaches any more. */
export async function openCatalogue(store: Store, local: LocalState): Promise<Catalogue> {
  const [bytes, heads] = await Promise.all([local.read(CATALOGUE), timelineHeads(store)]);
  return bringUpToDate({ store, local, heads }, bytes);
}

/**
 * Asks the catalogue. Where it turns out to be damaged, or the answer is undefined because it does not fit the store, it
 * is made anew from the store and asked once more.
 */
export async function askCatalogue<T>(
  { store, local }: { readonly store: Store; readonly local: LocalState },
  question: (catalogue: Catalogue) => Promise<T | undefined>,
): Promise<T> {
  const answer = await question(await openCatalogue(store, local)).catch((error: unknown) => {
    if (error instanceof ContextError && error.data['catalogue'] === true) return undefined;
    throw error;
  });
  if (answer !== undefined) return answer;
  const second = await question(await rebuildCatalogue(store, local));
  if (second !== undefined) return second;
  throw contextError('invariant_broken', { reason: 'a new catalogue does not fit the store' });
}

async function rebuildCatalogue(store: Store, local: LocalState): Promise<Catalogue> {
  await quietly(() => local.remove(CATALOGUE));
  return bringUpToDate({ store, local, heads: await timelineHeads(store) }, undefined);
}

interface Place {
  readonly store: Store;
  readonly local: LocalState;
  readonly heads: readonly Head[];
}

async function bringUpToDate({ store, local, heads }: Place, bytes: Uint8Array | undefined): Promise<Catalogue> {
  const { rows, torn } = splitRows(bytes, store.objectFormat === 'sha1' ? 40 : 64);
  const walk: Walk = { store, rows, find: rowFinder(rows), added: [], unreadable: [] };
  const timelines = new Map<string, readonly CatalogueRow[]>();
  for (const head of heads) timelines.set(head.timeline, await walkTimeline(walk, head));
  const live = [...timelines.values()].reduce((sum, found) => sum + found.length, 0);
  const dead = rows.length + walk.added.length > live;
  if (torn || (walk.added.length > 0 && dead)) await rewrite(local, timelines);
  else if (walk.added.length > 0) await appendLines(local, walk.added.toReversed());
  const ends = new Map(heads.map(({ timeline, commit }) => [timeline, commit]));
  return { timelines, heads: ends, unreadable: walk.unreadable };
}

/** Returns the rows of a timeline that existed at the cutoff. */
export function rowsInSight(
  catalogue: Catalogue,
  timeline: string,
  cutoff: Cutoff | undefined,
): readonly CatalogueRow[] {
  const rows = catalogue.timelines.get(timeline) ?? [];
  if (cutoff === undefined) return rows;
  const at = timeline === cutoff.timeline ? rows.findIndex(({ commit }) => commit === cutoff.commit) : -1;
  return at >= 0 ? rows.slice(at) : rows.filter(({ createdAt }) => createdAt <= cutoff.createdAt);
}

interface Walk {
  readonly store: Store;
  /** The lines of the file. */
  readonly rows: readonly LineRow[];
  readonly find: RowFinder;
  /** Lines of what was read from the store, newest first within a timeline. */
  readonly added: string[];
  readonly unreadable: Unreadable[];
}

async function walkTimeline(walk: Walk, head: Head): Promise<readonly CatalogueRow[]> {
  const found: CatalogueRow[] = [];
  let near = walk.rows.length;
  let step = FIRST_STEP;
  // A file that was tampered with may lead in a circle; a history in the store cannot.
  let left = walk.rows.length;
  for (let at: ObjectId | undefined = head.commit; at !== undefined;) {
    const place = walk.find(at, near);
    const row = place === undefined ? undefined : walk.rows[place];
    if (row === undefined || place === undefined) {
      at = await readUnknown(walk, { timeline: head.timeline, commit: at }, { step, found });
      step = Infinity;
      continue;
    }
    if (left === 0) break;
    left -= 1;
    near = place;
    found.push(inTimeline(row, head.timeline));
    at = row.parent;
  }
  return found;
}

/** A copy of a snapshot under another ref is listed where it stands. */
function inTimeline(row: LineRow, timeline: string): CatalogueRow {
  if (row.isIn(timeline)) return row;
  const { commit, id, createdAt, line } = row;
  return { commit, id, createdAt, line, timeline };
}

// A capture that could not append is a few commits away; only a lost file is worth listing the whole history.
const FIRST_STEP = 64;
const BATCH = 64;

interface Progress {
  readonly step: number;
  readonly found: CatalogueRow[];
}

/** Loads snapshots from `from` on until a known one, and returns the commit to go on with. */
async function readUnknown(walk: Walk, from: Head, { step, found }: Progress): Promise<ObjectId | undefined> {
  const unknown: ObjectId[] = [];
  try {
    for await (const commit of walk.store.history(from.commit, Number.isFinite(step) ? { limit: step } : {})) {
      if (walk.find(commit, 0) !== undefined) break;
      unknown.push(commit);
    }
  } catch (error) {
    const commit = unknown.at(-1) ?? from.commit;
    walk.unreadable.push(unreadable({ timeline: from.timeline, commit }, error));
    if (unknown.length === 0) return undefined;
  }
  let next: ObjectId | undefined;
  for (let at = 0; at < unknown.length; at += BATCH) {
    const batch = unknown.slice(at, at + BATCH).map((commit) => readRow(walk.store, commit));
    for (const [index, { line, row, error, parent }] of (await Promise.all(batch)).entries()) {
      next = parent;
      if (row !== undefined) found.push(inTimeline(row, from.timeline));
      if (line !== undefined) walk.added.push(line);
      const commit = unknown[at + index] ?? from.commit;
      if (error !== undefined) walk.unreadable.push(unreadable({ timeline: from.timeline, commit }, error));
    }
  }
  return next;
}

interface ReadRow {
  readonly line?: string;
  readonly row?: LineRow | undefined;
  readonly error?: unknown;
  readonly parent: ObjectId | undefined;
}

async function readRow(store: Store, commit: ObjectId): Promise<ReadRow> {
  try {
    const snapshot = await loadSnapshot(store, commit);
    const line = encodeLine(entryOf(snapshot));
    const [row] = splitRows(Buffer.from(line, 'latin1'), commit.length).rows;
    return { line, row, parent: snapshot.commit.parents[0] };
  } catch (error) {
    return { error, parent: (await store.commit(commit).catch(() => undefined))?.parents[0] };
  }
}

function unreadable({ timeline, commit }: Head, error: unknown): Unreadable {
  if (!(error instanceof ContextError)) throw error;
  return { timeline, commit, error };
}

/** Writes only what is alive, each timeline oldest first, as captures would have. */
async function rewrite(local: LocalState, timelines: Catalogue['timelines']): Promise<void> {
  const lines = [...timelines.values()].flatMap((rows) => rows.map(({ line }) => line).reverse());
  const bytes = Buffer.from(lines.join(''), 'latin1');
  await quietly(() => local.write(CATALOGUE, bytes, { cache: true }));
}

async function appendLines(local: LocalState, lines: readonly string[]): Promise<void> {
  await quietly(() => local.append(CATALOGUE, Buffer.from(lines.join(''), 'latin1')));
}

// Reading works on a store that cannot be written, too.
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
  }
}
