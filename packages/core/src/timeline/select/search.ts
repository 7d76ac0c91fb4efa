/** What is looked through when a selector is resolved. */
import { contextError, reasonOf } from '../../base/errors.js';
import type { SnapshotId } from '../../model/snapshot.js';
import { rowsInSight, type Catalogue, type Unreadable } from '../catalogue.js';
import type { CatalogueRow } from '../catalogue-rows.js';
import type { View } from '../view.js';

/** So many candidates of an ambiguous selector are shown. */
export const SHOWN = 10;

export interface Search {
  readonly view: View;
  readonly text: string;
  readonly catalogue: Catalogue;
}

export interface Found {
  readonly row: CatalogueRow;
  readonly reading: string;
}

export function notFound({ text, catalogue }: Search): Error {
  const some = [...catalogue.timelines.values()].some((rows) => rows.length > 0);
  return some ? contextError('snapshot_not_found', { selector: text }) : contextError('no_snapshots', {});
}

/** A snapshot that cannot be read may be what was asked for: an older one is no answer then. */
export function uncertain(selector: string, { error }: Unreadable): Error {
  return contextError('selector_uncertain', { selector, reason: reasonOf(error) }, error);
}

export function rows({ view, catalogue }: Search, timeline: string): readonly CatalogueRow[] {
  return rowsInSight(catalogue, timeline, view.cutoff);
}

/** Rows of every timeline, this worktree's first. */
export function everyTimeline(search: Search): {
  readonly own: readonly CatalogueRow[][];
  readonly others: readonly CatalogueRow[][];
} {
  const { view, catalogue } = search;
  const of = (timelines: readonly string[]) => timelines.map((timeline) => [...rows(search, timeline)]);
  return { own: of(view.own), others: of([...catalogue.timelines.keys()].filter((one) => !view.own.includes(one))) };
}

/** Returns the row with the latest time among the first that fits in each timeline. */
export function newestOf(
  timelines: readonly (readonly CatalogueRow[])[],
  fits: (row: CatalogueRow) => boolean,
): CatalogueRow | undefined {
  const firsts = timelines.map((all) => all.find(fits)).filter((row) => row !== undefined);
  return firsts.reduce<CatalogueRow | undefined>((best, row) => {
    if (best === undefined || row.createdAt > best.createdAt) return row;
    return row.createdAt === best.createdAt && row.timeline < best.timeline ? row : best;
  }, undefined);
}

export function rowOf(search: Search, id: SnapshotId): CatalogueRow | undefined {
  const { own, others } = everyTimeline(search);
  return [...own, ...others].flat().find((row) => row.id === id);
}
