/** Snapshots by their id or the beginning of it, imports among them. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { CatalogueRow } from '../catalogue-rows.js';
import { loadSnapshot } from '../snapshot/load.js';
import { REMOTES, shelvedPlaces, type ShelvedPlace } from '../shelf/shelf.js';
import { everyTimeline, notFound, SHOWN, type Found, type Search } from './search.js';
import type { Selector } from './selector.js';

export async function byId(search: Search, prefix: string): Promise<Found> {
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

/** Imports have ids and nothing else by which one asks for them; what was in sight earlier is not theirs to change. */
export async function foreignPlace(search: Search, selector: Selector): Promise<ShelvedPlace | undefined> {
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
