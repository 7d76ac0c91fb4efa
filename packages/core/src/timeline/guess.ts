/** Guesses from the end of the catalogue which commits a walk will come to, so that they can be read in one go. */
import type { ObjectFormat } from '../model/tree/anchor.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import { CATALOGUE } from './catalogue.js';
import { rowFinder, splitRows, type CatalogueRow, type LineRow } from './catalogue-rows.js';
import type { Head } from './view.js';

const NEWLINE = 0x0a;

/** What a cache knows of the ancestors of commits: they are asked for together, and it need not be right. */
export interface Guess {
  /** Returns a commit and its ancestors, newest first. */
  ancestors(commit: ObjectId, count: number): readonly ObjectId[];
  /** Returns the newest commits of these timelines. */
  newest(heads: readonly Head[], count: number): readonly ObjectId[];
}

/** Of so many bytes at its end the newest snapshots are guessed. */
export const TAIL_BYTES = 64 * 1024;

/** Returns a guess of the ancestors of commits from the end of the catalogue. */
export async function guessFromCatalogue(store: Store, local: LocalState): Promise<Guess> {
  return guessFromTail((await local.readEnd(CATALOGUE, TAIL_BYTES)) ?? new Uint8Array(), store.objectFormat);
}

/** Returns the guess from the last `TAIL_BYTES` of the catalogue. */
export function guessFromTail(tail: Uint8Array, objectFormat: ObjectFormat): Guess {
  // In the middle of a file it begins in the middle of a line.
  const whole = tail.length < TAIL_BYTES ? tail : tail.subarray(tail.indexOf(NEWLINE) + 1);
  const { rows } = splitRows(whole, objectFormat === 'sha1' ? 40 : 64);
  const find = rowFinder(rows);
  const walk = (commit: ObjectId, count: number): Pick<CatalogueRow, 'commit' | 'createdAt'>[] => {
    const found: Pick<CatalogueRow, 'commit' | 'createdAt'>[] = [];
    let near = rows.length;
    for (let at: ObjectId | undefined = commit; at !== undefined && found.length < count;) {
      const place: number | undefined = find(at, near);
      const row: LineRow | undefined = place === undefined ? undefined : rows[place];
      // One that is not in the file is the newest, which a capture could not append.
      found.push({ commit: at, createdAt: row?.createdAt ?? '~' });
      near = place ?? near;
      at = row?.parent;
    }
    return found;
  };
  return {
    ancestors: (commit, count) => walk(commit, count).map((row) => row.commit),
    newest: (heads, count) => {
      const all = heads.flatMap((head) => walk(head.commit, count));
      if (heads.length > 1) all.sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
      return [...new Set([...heads.map(({ commit }) => commit), ...all.slice(0, count).map(({ commit }) => commit)])];
    },
  };
}
