/** Snapshots by what facts say of them, and by the commits that they stand on. */
import { contextError } from '../../base/errors.js';
import { mentions, rowEntry, type CatalogueRow } from '../catalogue-rows.js';
import { readFacts, type StoredFact } from '../facts.js';
import { everyTimeline, newestOf, notFound, rowOf, SHOWN, type Found, type Search } from './search.js';

/** Facts in sight, newest first. */
async function factsInSight({ view }: Search): Promise<readonly StoredFact[]> {
  const { facts } = await readFacts(view.store, view.repository);
  const { cutoff } = view;
  const inSight = cutoff === undefined ? facts : facts.filter(({ body }) => body.at <= cutoff.createdAt);
  return [...inSight].sort((a, b) =>
    a.body.at === b.body.at ? b.body.sequence - a.body.sequence : a.body.at < b.body.at ? 1 : -1,
  );
}

export async function byName(search: Search, name: string): Promise<Found> {
  for (const { body } of await factsInSight(search)) {
    const { content } = body;
    const named = (content.kind === 'name' || content.kind === 'pin') && content.name === name;
    const row = named ? rowOf(search, content.snapshot) : undefined;
    if (row !== undefined) return { row, reading: `the snapshot that was last named ${name}` };
  }
  throw notFound(search);
}

const COMMIT_DIGITS = /^[0-9a-f]{4,64}$/;

export async function byCommit(search: Search, revision: string): Promise<Found> {
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
