/** Finds the snapshot that a selector names, and says how the selector was read. */
import { contextError } from '../../base/errors.js';
import { askCatalogue, type Unreadable } from '../catalogue.js';
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load.js';
import { walkNewest } from '../newest-first.js';
import { loadShelved, type ShelvedPlace } from '../shelf/shelf.js';
import { timelineHeads, type Head, type View } from '../view.js';
import { byCommit, byName } from './by-fact.js';
import { byId, foreignPlace } from './by-id.js';
import { byHead, bySequence, byTag, byTime } from './by-place.js';
import { notFound, rows, uncertain, type Found, type Search } from './search.js';
import { parseSelector, type Selector } from './selector.js';

export interface Selected {
  readonly snapshot: LoadedSnapshot;
  /** The ref that it was found on; its body may claim another one. */
  readonly timeline: string;
  /** Such as `the newest snapshot at or before 2026-11-21T01:00:00.000Z`. */
  readonly reading: string;
}

/**
 * Returns the snapshot that a selector names, within the view.
 * @throws selector_malformed; selector_ambiguous; selector_uncertain; snapshot_not_found; no_snapshots; object_missing; format_unreadable
 */
export async function resolveSelector(view: View, text: string): Promise<Selected> {
  const selector = parseSelector(text);
  if (selector.form === 'head' && view.cutoff === undefined) return fromHead(view, selector.back, text);
  return askCatalogue(view, async (catalogue) => {
    const search: Search = { view, text, catalogue };
    return (await foreignById(search, selector)) ?? confirm(search, await find(search, selector));
  });
}

/** Returns where the imported snapshot lies that a selector names, or undefined if it names another one. @throws selector_ambiguous */
export async function locateForeign(view: View, text: string): Promise<ShelvedPlace | undefined> {
  const selector = parseSelector(text);
  return askCatalogue(view, async (catalogue) => ({
    place: await foreignPlace({ view, text, catalogue }, selector),
  })).then(({ place }) => place);
}

/** Says where the snapshot of a selector lies, without reading it: for those who look at broken ones, too. */
export async function locateSelector(view: View, text: string): Promise<Head> {
  const selector = parseSelector(text);
  return askCatalogue(view, async (catalogue) => {
    const { row } = await find({ view, text, catalogue }, selector);
    return { timeline: row.timeline, commit: row.commit };
  });
}

// Without a catalogue: the newest of this worktree is near, and most commands ask for nothing else.
async function fromHead(view: View, back: number, text: string): Promise<Selected> {
  const heads = (await timelineHeads(view.store)).filter(({ timeline }) => view.own.includes(timeline));
  const unreadable: Unreadable[] = [];
  const newest = await walkNewest(view.store, heads, { wanted: 1, unreadable }).next();
  if (newest.done === true) {
    // A head that is there but cannot be read has an error of its own.
    for (const head of heads) await loadSnapshot(view.store, head.commit);
    throw contextError('no_snapshots', {});
  }
  const { timeline, snapshot } = newest.value;
  const newer = unreadable.find((one) => one.timeline === timeline);
  if (newer !== undefined) throw uncertain(text, newer);
  if (back === 0) return { snapshot, timeline, reading: 'the newest snapshot of this worktree' };
  let [left, commit] = [back, snapshot.commit.id];
  for await (const id of view.store.history(snapshot.commit.id, { limit: back + 1 })) {
    commit = id;
    left -= 1;
  }
  if (left >= 0) throw contextError('snapshot_not_found', { selector: text });
  return {
    snapshot: await loadSnapshot(view.store, commit),
    timeline,
    reading: `${String(back)} before the newest snapshot`,
  };
}

async function confirm({ view }: Search, { row, reading }: Found): Promise<Selected | undefined> {
  const snapshot = await loadSnapshot(view.store, row.commit);
  return snapshot.id === row.id ? { snapshot, timeline: row.timeline, reading } : undefined;
}

async function find(search: Search, selector: Selector): Promise<Found> {
  switch (selector.form) {
    case 'head':
      return byHead(search, selector.back);
    case 'id':
      return byId(search, selector.prefix);
    case 'sequence':
      return bySequence(search, selector);
    case 'commit':
      return byCommit(search, selector.revision);
    case 'tag':
      return byTag(search, selector.name);
    case 'name':
      return byName(search, selector.name);
    case 'before':
      return beforeThat(search, selector.of);
    case 'time':
      return byTime(search, selector.text);
  }
}

async function foreignById(search: Search, selector: Selector): Promise<Selected | undefined> {
  const place = await foreignPlace(search, selector);
  if (place === undefined) return undefined;
  const snapshot = await loadShelved(search.view.store, place);
  return { snapshot, timeline: snapshot.body.timeline, reading: 'the imported snapshot with this id' };
}

async function beforeThat(search: Search, of: Selector): Promise<Found> {
  const found = await find(search, of);
  const all = rows(search, found.row.timeline);
  const row = all[all.findIndex(({ commit }) => commit === found.row.commit) + 1];
  if (row === undefined) throw notFound(search);
  return { row, reading: `the one before ${found.reading}` };
}
