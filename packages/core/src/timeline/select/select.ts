/** Finds the snapshot that a selector names, and says how the selector was read. */
import { formatTime } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { SnapshotId } from '../../model/snapshot.js';
import { askCatalogue, rowsInSight, type Catalogue } from '../catalogue.js';
import { mentions, rowEntry, type CatalogueRow } from '../catalogue-rows.js';
import { readFacts, type StoredFact } from '../facts.js';
import { loadSnapshot, type LoadedSnapshot } from '../load.js';
import { walkNewest } from '../newest-first.js';
import { loadShelved, REMOTES, shelvedPlaces, type ShelvedPlace } from '../shelf/shelf.js';
import { timelineHeads, type Head, type View } from '../view.js';
import { parseSelector, type Selector } from './selector.js';
import { readTime } from './times.js';

export interface Selected {
  readonly snapshot: LoadedSnapshot;
  /** The ref that it was found on; its body may claim another one. */
  readonly timeline: string;
  /** Such as `the newest snapshot at or before 2026-11-21T01:00:00.000Z`. */
  readonly reading: string;
}

/**
 * Returns the snapshot that a selector names, within the view.
 * @throws selector_malformed; selector_ambiguous; snapshot_not_found; no_snapshots; object_missing; format_unreadable
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

interface Search {
  readonly view: View;
  readonly text: string;
  readonly catalogue: Catalogue;
}

interface Found {
  readonly row: CatalogueRow;
  readonly reading: string;
}

// Without a catalogue: the newest of this worktree is near, and most commands ask for nothing else.
async function fromHead(view: View, back: number, text: string): Promise<Selected> {
  const heads = (await timelineHeads(view.store)).filter(({ timeline }) => view.own.includes(timeline));
  const newest = await walkNewest(view.store, heads, { wanted: 1, unreadable: [] }).next();
  if (newest.done === true) {
    // A head that is there but cannot be read has an error of its own.
    for (const head of heads) await loadSnapshot(view.store, head.commit);
    throw contextError('no_snapshots', {});
  }
  const { timeline, snapshot } = newest.value;
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

function notFound({ text, catalogue }: Search): Error {
  const some = [...catalogue.timelines.values()].some((rows) => rows.length > 0);
  return some ? contextError('snapshot_not_found', { selector: text }) : contextError('no_snapshots', {});
}

function rows({ view, catalogue }: Search, timeline: string): readonly CatalogueRow[] {
  return rowsInSight(catalogue, timeline, view.cutoff);
}

/** Rows of every timeline, this worktree's first. */
function everyTimeline(search: Search): {
  readonly own: readonly CatalogueRow[][];
  readonly others: readonly CatalogueRow[][];
} {
  const { view, catalogue } = search;
  const of = (timelines: readonly string[]) => timelines.map((timeline) => [...rows(search, timeline)]);
  return { own: of(view.own), others: of([...catalogue.timelines.keys()].filter((one) => !view.own.includes(one))) };
}

/** Returns the row with the latest time among the first that fits in each timeline. */
function newestOf(
  timelines: readonly (readonly CatalogueRow[])[],
  fits: (row: CatalogueRow) => boolean,
): CatalogueRow | undefined {
  const firsts = timelines.map((all) => all.find(fits)).filter((row) => row !== undefined);
  return firsts.reduce<CatalogueRow | undefined>((best, row) => {
    if (best === undefined || row.createdAt > best.createdAt) return row;
    return row.createdAt === best.createdAt && row.timeline < best.timeline ? row : best;
  }, undefined);
}

function byHead(search: Search, back: number): Found {
  const newest = newestOf(everyTimeline(search).own, () => true);
  if (newest === undefined) throw notFound(search);
  const all = rows(search, newest.timeline);
  const row = all[back];
  if (row === undefined) throw notFound(search);
  const base =
    search.view.cutoff === undefined ? 'the newest snapshot of this worktree' : 'the newest snapshot in the view';
  return { row, reading: back === 0 ? base : `${String(back)} before ${base}` };
}

async function byId(search: Search, prefix: string): Promise<Found> {
  const found = rowsById(search, prefix);
  return { row: await onlyOne(search, found), reading: `the snapshot whose id begins with ${prefix}` };
}

function rowsById(search: Search, prefix: string): readonly CatalogueRow[] {
  const { own, others } = everyTimeline(search);
  const found = new Map<SnapshotId, CatalogueRow>();
  for (const row of [...own, ...others].flat()) {
    if (row.id.startsWith(prefix) && !found.has(row.id)) found.set(row.id, row);
  }
  return [...found.values()];
}

async function foreignById(search: Search, selector: Selector): Promise<Selected | undefined> {
  const place = await foreignPlace(search, selector);
  if (place === undefined) return undefined;
  const snapshot = await loadShelved(search.view.store, place);
  return { snapshot, timeline: snapshot.body.timeline, reading: 'the imported snapshot with this id' };
}

/** Imports have ids and nothing else by which one asks for them; what was in sight earlier is not theirs to change. */
async function foreignPlace(search: Search, selector: Selector): Promise<ShelvedPlace | undefined> {
  if (selector.form !== 'id' || search.view.cutoff !== undefined) return undefined;
  const { prefix } = selector;
  const own = rowsById(search, prefix);
  const imported = (await shelvedPlaces(search.view.store, REMOTES)).filter(({ id }) => id.startsWith(prefix));
  const places = new Map(imported.filter(({ id }) => own.every((row) => row.id !== id)).map((one) => [one.id, one]));
  const [first] = places.values();
  if (first === undefined || places.size + own.length === 1) return first;
  const ids = [...own.map(({ id }) => id), ...places.keys()];
  throw contextError('selector_ambiguous', {
    selector: search.text,
    count: ids.length,
    candidates: ids.slice(0, SHOWN).join(', '),
    snapshots: ids.slice(0, SHOWN).map((id) => ({ id, shortId: shortId(id) })),
  });
}

const SHOWN = 10;

async function onlyOne(search: Search, found: readonly CatalogueRow[]): Promise<CatalogueRow> {
  const [first] = found;
  if (first === undefined) throw notFound(search);
  if (found.length === 1) return first;
  const short = distinctIds(found);
  throw contextError('selector_ambiguous', {
    selector: search.text,
    count: found.length,
    candidates: `${short.slice(0, SHOWN).join(', ')}${found.length > SHOWN ? ', …' : ''}`,
    snapshots: await Promise.all(
      found.slice(0, SHOWN).map(async ({ id, commit, createdAt, timeline }, index) => {
        const loaded = await loadSnapshot(search.view.store, commit).catch(() => undefined);
        return { id, shortId: short[index], createdAt, timeline, message: loaded?.body.message ?? '' };
      }),
    ),
  });
}

/** Short ids, lengthened until they differ. */
function distinctIds(found: readonly CatalogueRow[]): readonly string[] {
  for (let digits = shortId('0'.repeat(64)).length; digits < 64; digits += 4) {
    const short = found.map(({ id }) => id.slice(0, digits));
    if (new Set(short).size === short.length) return short;
  }
  return found.map(({ id }) => id);
}

function bySequence(search: Search, { timeline, sequence }: { timeline?: string; sequence: number }): Found {
  const known = [...search.catalogue.timelines.keys()];
  const matching = timeline === undefined ? [search.view.manual] : known.filter((one) => one.startsWith(timeline));
  if (matching.length > 1) {
    const candidates = matching.slice(0, SHOWN).join(', ');
    throw contextError('selector_ambiguous', {
      selector: search.text,
      count: matching.length,
      candidates,
      timelines: matching,
    });
  }
  const mentioned = `"sequence":${String(sequence)},`;
  const all = rows(search, matching[0] ?? '');
  const row = all.find((one) => one.line.includes(mentioned) && rowEntry(one).sequence === sequence);
  if (row === undefined) throw notFound(search);
  return { row, reading: `snapshot ${String(sequence)} of the timeline ${row.timeline.slice(0, 8)}` };
}

function byTag(search: Search, tag: string): Found {
  const mentioned = mentions(tag);
  const fits = (row: CatalogueRow) => mentioned(row) && rowEntry(row).tags.includes(tag);
  const { own, others } = everyTimeline(search);
  const row = newestOf(own, fits) ?? newestOf(others, fits);
  if (row === undefined) throw notFound(search);
  return { row, reading: `the newest snapshot with the tag ${tag}` };
}

/** Facts in sight, newest first. */
async function factsInSight({ view }: Search): Promise<readonly StoredFact[]> {
  const { facts } = await readFacts(view.store, view.repository);
  const { cutoff } = view;
  const inSight = cutoff === undefined ? facts : facts.filter(({ body }) => body.at <= cutoff.createdAt);
  return [...inSight].sort((a, b) =>
    a.body.at === b.body.at ? b.body.sequence - a.body.sequence : a.body.at < b.body.at ? 1 : -1,
  );
}

function rowOf(search: Search, id: SnapshotId): CatalogueRow | undefined {
  const { own, others } = everyTimeline(search);
  return [...own, ...others].flat().find((row) => row.id === id);
}

async function byName(search: Search, name: string): Promise<Found> {
  for (const { body } of await factsInSight(search)) {
    const { content } = body;
    const named = (content.kind === 'name' || content.kind === 'pin') && content.name === name;
    const row = named ? rowOf(search, content.snapshot) : undefined;
    if (row !== undefined) return { row, reading: `the snapshot that was last named ${name}` };
  }
  throw notFound(search);
}

const COMMIT_DIGITS = /^[0-9a-f]{4,64}$/;

async function byCommit(search: Search, revision: string): Promise<Found> {
  const facts = await factsInSight(search);
  const digits = COMMIT_DIGITS.test(revision.toLowerCase()) ? revision.toLowerCase() : undefined;
  const direct = digits === undefined ? undefined : snapshotOfCommit(search, digits, facts);
  if (direct !== undefined) return direct;
  const commit = await search.view.revision?.(revision);
  const found = commit === undefined ? undefined : snapshotOfCommit(search, commit, facts);
  if (found === undefined) throw notFound(search);
  return found;
}

function snapshotOfCommit(search: Search, prefix: string, facts: readonly StoredFact[]): Found | undefined {
  const mentioned = mentions(prefix);
  const links = facts.flatMap(({ body: { content } }) => (content.kind === 'link' ? [content] : []));
  const linked = links.filter(({ commit, id }) => commit.startsWith(prefix) && rowOf(search, id) !== undefined);
  const { own, others } = everyTimeline(search);
  const anchored = [...own, ...others].flat().filter((row) => mentioned(row) && anchorOf(row)?.startsWith(prefix));
  const commits = [...new Set([...linked.map(({ commit }) => commit), ...anchored.map((row) => anchorOf(row) ?? '')])];
  if (commits.length > 1) {
    const candidates = commits
      .slice(0, SHOWN)
      .map((commit) => `commit ${commit.slice(0, 12)}`)
      .join(', ');
    throw contextError('selector_ambiguous', {
      selector: search.text,
      count: commits.length,
      candidates,
      commits: commits.slice(0, SHOWN),
    });
  }
  const [commit = ''] = commits;
  const link = linked[0] && rowOf(search, linked[0].id);
  if (link !== undefined) return { row: link, reading: `the newest snapshot linked to commit ${commit.slice(0, 12)}` };
  const fits = (row: CatalogueRow) => mentioned(row) && anchorOf(row) === commit;
  const row = newestOf(own, fits) ?? newestOf(others, fits);
  return row && { row, reading: `the newest snapshot anchored at commit ${commit.slice(0, 12)}` };
}

function anchorOf(row: CatalogueRow): string | undefined {
  return rowEntry(row).anchor;
}

async function beforeThat(search: Search, of: Selector): Promise<Found> {
  const found = await find(search, of);
  const all = rows(search, found.row.timeline);
  const row = all[all.findIndex(({ commit }) => commit === found.row.commit) + 1];
  if (row === undefined) throw notFound(search);
  return { row, reading: `the one before ${found.reading}` };
}

async function byTime(search: Search, text: string): Promise<Found> {
  const { end, note } = await readTime(text, search.view.clock);
  const time = formatTime(end);
  const { own } = everyTimeline(search);
  const row = newestOf(own, ({ createdAt }) => createdAt <= time);
  if (row === undefined) throw notFound(search);
  return { row, reading: `the newest snapshot at or before ${time}${note === undefined ? '' : ` (${note})`}` };
}
