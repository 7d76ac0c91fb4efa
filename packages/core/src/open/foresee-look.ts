/**
 * Starts git before the program is loaded that looks at snapshots, and asks it for those that a look will come to: on another
 * core that costs hardly any time then. It is a guess: what it brings goes by the ids that git names.
 */
import path from 'node:path';
import { BODY_FILE, FILESYSTEM_FILE, SIGNATURE_FILE } from '../format/v1/layout.js';
import { namesIn, startEarly, type EarlyReader } from '../store/git/objects/early-reader.js';
import { NAMESPACE } from '../store/git/ref-update.js';
import { listRefs } from '../store/git/refs/ref-list.js';
import { readEnd } from '../store/git/system/file-end.js';
import { CATALOGUE } from '../timeline/catalogue.js';
import { guessFromTail, TAIL_BYTES } from '../timeline/guess.js';
import { TIMELINES, type Head } from '../timeline/view.js';
import type { FoundRepository } from '../store/git/discover.js';
import type { ObjectId } from '../model/tree/tree.js';
import { placeInSight, type Foreseen, type ForesightRequest } from './foresight.js';
import { userPlace } from './places.js';

/** Of a look: the process that objects are read through. */
export interface ForeseenLook extends Foreseen {
  readonly reader: EarlyReader;
}

export interface LookForesightRequest extends ForesightRequest {
  /** About so many of the newest snapshots of the worktree will be read. */
  readonly newest: number;
}

/** There a look may make files, which have no name when it has made them. */
const CACHE = path.join('savepoint', path.dirname(CATALOGUE));

/** More of a single one is shown than of one among many. */
const FILES_OF_ONE = [BODY_FILE, SIGNATURE_FILE, FILESYSTEM_FILE];
const FILES_OF_MANY = [BODY_FILE, SIGNATURE_FILE];

/**
 * Returns what a look at the newest snapshots of a worktree will ask of git first, asked already; undefined where that cannot
 * be known.
 *
 * It leaves nothing behind and never throws.
 * @example
 * const place = { directory: process.cwd(), env: process.env };
 * const foreseen = foreseeLook({ ...place, newest: 10 });
 * const { repository } = await openRepository({ ...place, ...(foreseen && { foreseen }) });
 * await repository.close();
 */
export function foreseeLook({ newest, ...request }: LookForesightRequest): ForeseenLook | undefined {
  try {
    const sight = placeInSight(request);
    if (sight?.self === undefined) return undefined;
    const { found, self } = sight;
    const own = self.timelines.map((timeline) => `${TIMELINES}${timeline}`);
    const heads = listRefs(found, NAMESPACE)
      ?.filter(({ name }) => own.includes(name))
      .map(({ name, target }) => ({ timeline: name.slice(TIMELINES.length), commit: target }));
    if (heads === undefined) return undefined;
    const commits = newest > 1 ? guessNewest(found, heads, newest) : heads.map(({ commit }) => commit);
    const names = namesIn(commits, newest > 1 ? FILES_OF_MANY : FILES_OF_ONE);
    const reader = startEarly(userPlace(found, request.env), names, path.join(found.commonDirectory, CACHE));
    return { directory: request.directory, found, reader };
  } catch {
    return undefined;
  }
}

function guessNewest(found: FoundRepository, heads: readonly Head[], newest: number): readonly ObjectId[] {
  const tail = readEnd(path.join(found.commonDirectory, 'savepoint', CATALOGUE), TAIL_BYTES);
  return guessFromTail(tail, found.objectFormat).newest(heads, newest);
}
