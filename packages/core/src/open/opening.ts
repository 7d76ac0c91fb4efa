/** What opening a repository begins with, whoever it is for: where it is, who it is, its settings. */
import path from 'node:path';
import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.js';
import { clauseOf, type ContextError } from '../base/errors.js';
import type { Git } from '../base/git-command.js';
import type { Settings } from '../model/settings.js';
import type { SettingsFiles } from '../ops/config.js';
import type { History, KnownWorktree } from '../ops/repository/repository.js';
import { discoverRepository, type FoundRepository } from '../store/git/discover.js';
import {
  findWorktree,
  readStoreIdentity,
  readWorktrees,
  stillExists,
  type WorktreeIdentity,
} from '../store/git/identities.js';
import { localFiles } from '../store/git/local-files.js';
import type { EarlyReader } from '../store/git/objects/early-reader.js';
import { recallRepository, rememberRepository } from '../store/git/place-cache.js';
import { systemHome } from '../store/git/system/home.js';
import { gitProcess, type GitPlace } from '../store/git/system/process.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import { openKeyFiles } from '../trust/key-files.js';
import type { KeyRing } from '../trust/key-ring.js';
import type { ForeseenSuspects } from '../worktree/place/place.js';
import type { Foreseen } from './foresight.js';
import { configHome, userPlace } from './places.js';
import { readPriceFile } from './price-file.js';
import { effectiveSettings, openSettingsFiles } from './settings-files.js';

export interface OpenRequest {
  /** Any directory inside the worktree. */
  readonly directory: string;
  /** The environment; `GIT_*` in it is ignored. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder; default: the system's. */
  readonly home?: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** What `foreseeCapture` or `foreseeLook` began for this directory. */
  readonly foreseen?: Foreseen;
}

/**
 * Opens the user's keys, in or outside a repository.
 * @example
 * const ring = openKeys({ env: process.env });
 * console.log(await ring.ownKeys());
 */
export function openKeys({ env, home = env['HOME'] ?? systemHome() }: Pick<OpenRequest, 'env' | 'home'>): KeyRing {
  return openKeyFiles({
    configHome: home === '' && !path.isAbsolute(env['XDG_CONFIG_HOME'] ?? '') ? undefined : configHome(env, home),
  });
}

export interface Parts {
  readonly found: FoundRepository;
  readonly env: OpenRequest['env'];
  readonly home: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly user: GitPlace;
  readonly git: Git;
  readonly local: LocalState;
  /** Keeps for the next capture what git said of the place. */
  readonly remember: () => Promise<void>;
  readonly foreseen: () => ForeseenSuspects | undefined;
  readonly early: () => EarlyReader | undefined;
}

function once<T>(value: T | undefined): () => T | undefined {
  let left = value;
  return () => {
    const taken = left;
    left = undefined;
    return taken;
  };
}

export interface Ids {
  readonly repository: string;
  readonly replica: string;
  readonly self: WorktreeIdentity;
}

/** Stands for a worktree that has no snapshot yet: no timeline has an empty name. */
const NOBODY = { id: '', timeline: '', timelines: [], birth: '', main: false };

async function readIds({ local, found }: Parts): Promise<Ids> {
  const [identity, worktrees] = await Promise.all([readStoreIdentity(local), readWorktrees(local)]);
  const self = findWorktree(worktrees, found) ?? { ...NOBODY, root: found.root, gitDirectory: found.gitDirectory };
  return { repository: identity?.repository ?? '', replica: identity?.replica ?? '', self };
}

export interface Opening {
  readonly parts: Parts;
  readonly ids: Ids;
  readonly settings: Settings;
  readonly settingsProblem?: ContextError;
  readonly settingsFiles: SettingsFiles;
  /** Sentences for the user, such as a setting that no version knows. */
  readonly warnings: readonly string[];
}

/** Finds the repository that a directory belongs to, and reads what it is called and how it is set up. */
export async function beginOpening(request: OpenRequest): Promise<Opening> {
  const { directory, env, clock = systemClock, random = systemRandom } = request;
  const home = request.home ?? env['HOME'] ?? systemHome();
  const cachePlace = { home, configHome: configHome(env, home), now: clock.now() };
  const foreseen = request.foreseen?.directory === directory ? request.foreseen : undefined;
  const recalled = foreseen?.found ?? recallRepository(directory, cachePlace);
  const found = recalled ?? (await discoverRepository(gitProcess({ directory, environment: env }), directory));
  const user = userPlace(found, env);
  const local = localFiles(path.join(found.commonDirectory, 'savepoint'), random);
  // It is a cache: where it cannot be written, it is done without.
  const remember = async (): Promise<void> => {
    if (recalled === undefined) await rememberRepository(local, found, cachePlace).catch(() => undefined);
  };
  const places = { found, env, home, clock, random, user, git: gitProcess(user), local, remember };
  const parts: Parts = { ...places, foreseen: once(foreseen?.suspects), early: once(foreseen?.reader) };
  const settingsFiles = openSettingsFiles({ root: found.root, configHome: configHome(env, home) });
  const [read, ids] = await Promise.all([effectiveSettings(settingsFiles), readIds(parts)]);
  const { settings, unknown, refused, problems } = read;
  // Also for those that only read.
  if (ids.repository !== '') await remember();
  const warnings = [
    ...problems.map(
      (problem) =>
        `${clauseOf(problem)}. What only reads goes on without it; nothing is captured until it is corrected.`,
    ),
    ...unknown.map(({ key, path: file }) => `${file} has the unknown setting ${key}, which is ignored.`),
    ...refused.map(({ key, path: file }) => `${file} sets ${key}, which only your own settings can; it is ignored.`),
  ];
  const [settingsProblem] = problems;
  return { parts, ids, settings, ...(settingsProblem && { settingsProblem }), settingsFiles, warnings };
}

/** Returns what looks at the snapshots of a store need. */
export function historyOf(
  { parts, ids, settings, settingsProblem }: Pick<Opening, 'parts' | 'ids' | 'settings' | 'settingsProblem'>,
  store: Store,
): History {
  const { found, env, home, clock, git, local } = parts;
  return {
    id: ids.repository,
    store,
    local,
    worktree: { root: found.root },
    self: known(ids.self),
    worktrees: async () => (await readWorktrees(local)).map(known),
    keys: openKeys({ env, home }),
    settings,
    ...(settingsProblem && { settingsProblem }),
    priceTable: readPriceFile,
    clock,
    revision: (name) => resolveRevision(git, name),
    close: () => store.close(),
  };
}

export function known(identity: WorktreeIdentity): KnownWorktree {
  const { id, timeline, timelines, root } = identity;
  return { id, timeline, timelines, root, exists: stillExists(identity) };
}

async function resolveRevision(git: Git, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git.run({ args, accept: [1, 128] });
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}
