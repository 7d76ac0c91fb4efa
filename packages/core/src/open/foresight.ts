/**
 * Starts the longest work of a capture, git's look at every file, before the program that captures is loaded: on another
 * core it costs hardly any time then. It is a guess: the scan believes it only where it would have asked the very same.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FoundRepository } from '../store/git/discover.js';
import { findWorktree, parseWorktrees, WORKTREES_FILE, type WorktreeIdentity } from '../store/git/identities.js';
import type { EarlyReader } from '../store/git/objects/early-reader.js';
import { recallRepository } from '../store/git/place-cache.js';
import { preparedPrivateRepository } from '../store/git/private-repository.js';
import { gitProcess } from '../store/git/system/process.js';
import { foreseeSuspects } from '../worktree/index/suspects.js';
import type { ForeseenSuspects } from '../worktree/place/place.js';
import { configHome, privatePlaceOf, scanFolder } from './places.js';

/** What was asked beforehand, for `openRepository` of the same directory. */
export interface Foreseen {
  readonly directory: string;
  readonly found: FoundRepository;
  readonly suspects?: ForeseenSuspects;
  readonly reader?: EarlyReader;
}

/** Of a capture: which files may have changed. */
export interface ForeseenCapture extends Foreseen {
  readonly suspects: ForeseenSuspects;
}

export interface ForesightRequest {
  /** Any directory inside the worktree. */
  readonly directory: string;
  /** The environment; `GIT_*` in it is ignored. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns what the next capture of a worktree will ask of git first, asked already; undefined where that cannot be known.
 *
 * It writes nothing and never throws.
 * @example
 * const place = { directory: process.cwd(), env: process.env };
 * const foreseen = foreseeCapture(place);
 * const { repository } = await openRepository({ ...place, ...(foreseen && { foreseen }) });
 * await repository.close();
 */
export function foreseeCapture(request: ForesightRequest): ForeseenCapture | undefined {
  const { directory, env } = request;
  try {
    const sight = placeInSight(request);
    if (sight === undefined) return undefined;
    const { found, self, now } = sight;
    const folder = scanFolder(found, self?.id ?? '');
    const variables = preparedPrivateRepository(privatePlaceOf(found, folder));
    if (variables === undefined) return undefined;
    const git = gitProcess({ directory: found.root, environment: env, variables });
    const suspects = foreseeSuspects({ git, root: found.root, folder, now });
    return suspects && { directory, found, suspects };
  } catch {
    return undefined;
  }
}

export interface PlaceInSight {
  readonly found: FoundRepository;
  /** Absent where nothing was captured yet. */
  readonly self: WorktreeIdentity | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Returns where a repository is and which worktree, as far as that is known without git. @throws where there was no capture */
export function placeInSight({ directory, env }: ForesightRequest): PlaceInSight | undefined {
  const { HOME: home } = env;
  if (home === undefined) return undefined;
  const now = Date.now();
  const found = recallRepository(directory, { home, configHome: configHome(env, home), now });
  if (found === undefined) return undefined;
  const worktrees = parseWorktrees(readFileSync(path.join(found.commonDirectory, 'savepoint', WORKTREES_FILE)));
  return { found, self: findWorktree(worktrees, found), now };
}
