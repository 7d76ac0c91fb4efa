/** Finds the snapshots that a list asks for, newest first, imports among them. */
import { formatTime } from '../../base/clock.js';
import { ContextError } from '../../base/errors.js';
import { askCatalogue, entryOf, rowsInSight, type Unreadable } from '../../timeline/catalogue.js';
import { mentions, rowEntry, type CatalogueEntry, type CatalogueRow } from '../../timeline/catalogue-rows.js';
import { guessFromCatalogue } from '../../timeline/guess.js';
import { readSnapshotFiles, type LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { listCursor, mergeNewest, orError, walkNewest } from '../../timeline/newest-first.js';
import type { ProofMemory } from '../../timeline/proof-memory.js';
import { readTime } from '../../timeline/select/times.js';
import { loadShelved, REMOTES, shelvedPlaces } from '../../timeline/shelf/shelf.js';
import { timelineHeads, type Head, type View } from '../../timeline/view.js';

/** Which snapshots are wanted. */
export interface Wish {
  readonly tag?: string;
  readonly session?: string;
  readonly branch?: string;
  /** ISO time or words such as "2 hours ago"; a day counts from its beginning. */
  readonly since?: string;
  /** Default: all. */
  readonly limit?: number;
  /** Every timeline of every worktree, and imports. */
  readonly all?: boolean;
}

export async function wantedHeads(view: View, { all, session, branch }: Wish): Promise<readonly Head[]> {
  const heads = await timelineHeads(view.store);
  const everywhere = all === true || session !== undefined || branch !== undefined;
  return everywhere ? heads : heads.filter(({ timeline }) => view.own.includes(timeline));
}

export interface Search {
  readonly view: View;
  readonly heads: readonly Head[];
  readonly unreadable: Unreadable[];
  readonly wish: Wish;
  readonly proofs: ProofMemory;
}

export type Found = AsyncGenerator<{ readonly snapshot: LoadedSnapshot }>;

// Starts reading the first ones before any is asked for. One more than the limit tells whether there are more.
export async function wantedSnapshots(search: Search): Promise<{ readonly found: Found }> {
  const { view, heads, unreadable, wish, proofs } = search;
  const { limit = Infinity, tag, session, branch, since } = wish;
  const filtered = [tag, session, branch, since, view.cutoff].some((filter) => filter !== undefined);
  if (filtered) return { found: filteredSnapshots(search) };
  const guess = await guessFromCatalogue(view.store, view.local);
  return { found: walkNewest(view.store, heads, { wanted: limit + 1, unreadable, guess, decode: proofs.decode }) };
}

/** Puts what was imported between one's own snapshots, by its time; what is in a timeline here is no import. */
export async function* withImports(search: Search, own: Found): AsyncGenerator<LoadedSnapshot> {
  const imports = search.wish.all === true && search.view.cutoff === undefined ? await wantedImports(search) : [];
  const seen = new Set<string>();
  let next = 0;
  for await (const { snapshot } of own) {
    seen.add(snapshot.id);
    for (; (imports[next]?.body.createdAt ?? '') > snapshot.body.createdAt; next += 1) {
      const one = imports[next];
      if (one !== undefined && !seen.has(one.id)) yield one;
    }
    yield snapshot;
  }
  for (const one of imports.slice(next)) if (!seen.has(one.id)) yield one;
}

async function wantedImports({ view, unreadable, wish }: Search): Promise<readonly LoadedSnapshot[]> {
  const { store } = view;
  const { since } = wish;
  const from = since === undefined ? '' : formatTime((await readTime(since, view.clock)).start);
  const found = new Map<string, LoadedSnapshot>();
  for (const place of await shelvedPlaces(store, REMOTES)) {
    const snapshot = await orError(() => loadShelved(store, place));
    if (snapshot instanceof ContextError) {
      unreadable.push({ timeline: place.ref, commit: place.commit, error: snapshot });
    } else if (snapshot.body.createdAt >= from && matches(entryOf(snapshot), wish)) found.set(snapshot.id, snapshot);
  }
  return [...found.values()].sort((a, b) => (a.body.createdAt < b.body.createdAt ? 1 : -1));
}

async function* filteredSnapshots(search: Search): Found {
  const { view, heads, unreadable, wish, proofs } = search;
  const { since } = wish;
  const from = since === undefined ? undefined : formatTime((await readTime(since, view.clock)).start);
  const timelines = new Set(heads.map(({ timeline }) => timeline));
  const cursors = await askCatalogue(view, async (catalogue) => {
    const fits = rowFilter(wish, from);
    const found = [...timelines].map((timeline) =>
      listCursor(timeline, rowsInSight(catalogue, timeline, view.cutoff).filter(fits)),
    );
    unreadable.push(...catalogue.unreadable.filter(({ timeline }) => timelines.has(timeline)));
    return found;
  });
  for await (const { commit, timeline } of mergeNewest<CatalogueRow>(cursors)) {
    const snapshot = await orError(async () => proofs.decode(await readSnapshotFiles(view.store, commit)));
    if (snapshot instanceof ContextError) unreadable.push({ timeline, commit, error: snapshot });
    // The catalogue is only a finder: what it said of the snapshot is looked up in the snapshot.
    else if (matches(entryOf(snapshot), wish)) yield { snapshot };
  }
}

function rowFilter(wish: Wish, from: string | undefined): (row: CatalogueRow) => boolean {
  const words = [wish.tag, wish.session, wish.branch].filter((word) => word !== undefined);
  const mentioned = words.map((word) => mentions(word));
  return (row) => {
    if (from !== undefined && row.createdAt < from) return false;
    return words.length === 0 || (mentioned.every((isIn) => isIn(row)) && matches(rowEntry(row), wish));
  };
}

function matches(entry: CatalogueEntry, { tag, session, branch }: Wish): boolean {
  if (tag !== undefined && !entry.tags.includes(tag)) return false;
  if (branch !== undefined && entry.branch !== branch) return false;
  return session === undefined || isSession(entry.session, session);
}

/** A session is named by its id, or by at least four characters that it begins with. */
function isSession(id: string | undefined, wanted: string): boolean {
  return id === wanted || (wanted.length >= 4 && id?.startsWith(wanted) === true);
}
