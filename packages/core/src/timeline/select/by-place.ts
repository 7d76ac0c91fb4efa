/** Snapshots by their place among the others: how far back, by number, tag and time. */
import { formatTime } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { mentions, rowEntry, type CatalogueRow } from '../catalogue-rows.js';
import type { Unreadable } from '../catalogue.js';
import { everyTimeline, newestOf, notFound, rows, SHOWN, uncertain, type Found, type Search } from './search.js';
import { readTime } from './times.js';

export function byHead(search: Search, back: number): Found {
  const newest = newestOf(everyTimeline(search).own, () => true);
  if (newest === undefined) throw notFound(search);
  const all = rows(search, newest.timeline);
  const row = all[back];
  if (row === undefined) throw notFound(search);
  const base =
    search.view.cutoff === undefined ? 'the newest snapshot of this worktree' : 'the newest snapshot in the view';
  return { row, reading: back === 0 ? base : `${String(back)} before ${base}` };
}

export function bySequence(search: Search, { timeline, sequence }: { timeline?: string; sequence: number }): Found {
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
  if (row === undefined) {
    const [unread] = search.catalogue.unreadable.filter((one) => one.timeline === matching[0]);
    throw unread === undefined ? notFound(search) : uncertain(search.text, unread);
  }
  return { row, reading: `snapshot ${String(sequence)} of the timeline ${row.timeline.slice(0, 8)}` };
}

export function byTag(search: Search, tag: string): Found {
  const mentioned = mentions(tag);
  const fits = (row: CatalogueRow) => mentioned(row) && rowEntry(row).tags.includes(tag);
  const { own, others } = everyTimeline(search);
  const row = newestOf(own, fits) ?? newestOf(others, fits);
  if (row === undefined) throw notFound(search);
  return { row, reading: `the newest snapshot with the tag ${tag}` };
}

export async function byTime(search: Search, text: string): Promise<Found> {
  const { end, note } = await readTime(text, search.view.clock);
  const time = formatTime(end);
  const { own } = everyTimeline(search);
  const row = newestOf(own, ({ createdAt }) => createdAt <= time);
  if (row === undefined) throw tooEarly(search, time);
  const unread = unreadableAfter(search, row);
  if (unread !== undefined) throw uncertain(search.text, unread);
  return { row, reading: `the newest snapshot at or before ${time}${note === undefined ? '' : ` (${note})`}` };
}

/** One that stands immediately after this one, whose time nobody knows. */
function unreadableAfter({ catalogue }: Search, { timeline, commit }: CatalogueRow): Unreadable | undefined {
  const found = catalogue.unreadable.filter((one) => one.timeline === timeline);
  if (found.length === 0) return undefined;
  const all = catalogue.timelines.get(timeline) ?? [];
  const after = all[all.findIndex((one) => one.commit === commit) - 1];
  const next = after === undefined ? catalogue.heads.get(timeline) : rowEntry(after).parent;
  return next === commit ? undefined : found[0];
}

// Words such as "yesterday" can be read in more than one way: says how they were, and what there is.
function tooEarly(search: Search, time: string): Error {
  const oldest = everyTimeline(search)
    .own.flat()
    .reduce<CatalogueRow | undefined>(
      (best, row) => (best === undefined || row.createdAt < best.createdAt ? row : best),
      undefined,
    );
  if (oldest === undefined) return notFound(search);
  const selector = `${search.text}, read as ${time}; the oldest of this worktree is ${shortId(oldest.id)} of ${oldest.createdAt}`;
  return contextError('snapshot_not_found', { selector });
}
