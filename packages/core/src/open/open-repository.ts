/** Opens a repository: chooses the store, the agents and the keys, and hands out what the ops work on. */
import os from 'node:os';
import path from 'node:path';
import { openLogFile } from '../agents/log-file.js';
import { systemClock, systemRandom, type Clock, type Random } from '../base/clock.js';
import type { Git } from '../base/git-command.js';
import type { HookFiles } from '../model/hook.js';
import type { Settings } from '../model/settings.js';
import type { SettingsFiles } from '../ops/config.js';
import type { GitRemotes } from '../ops/read/status.js';
import type { KnownWorktree, Repository } from '../ops/repository/repository.js';
import { discoverRepository, excludesFile, gitVersion, type FoundRepository } from '../store/git/discover.js';
import { gitStore, type GitStore } from '../store/git/git-store.js';
import { gitHooks } from '../store/git/hooks/git-hooks.js';
import {
  claimStoreIdentity,
  claimWorktree,
  findWorktree,
  readStoreIdentity,
  readWorktrees,
  stillExists,
  type WorktreeIdentity,
} from '../store/git/identities.js';
import type { EarlyReader } from '../store/git/objects/early-reader.js';
import { fileLease } from '../store/git/locks/lease.js';
import { localFiles } from '../store/git/local-files.js';
import { notePacks } from '../store/git/packs/pack-list.js';
import { mirrorRemotes } from '../store/git/remotes.js';
import { recallRepository, rememberRepository } from '../store/git/place-cache.js';
import { packListFile, packMaintenance } from '../store/git/packs/pack-maintenance.js';
import { preparePrivateRepository } from '../store/git/private-repository.js';
import { gitProcess, type GitPlace } from '../store/git/system/process.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import { loadSnapshot } from '../timeline/load.js';
import { timelineHeads } from '../timeline/view.js';
import { openKeyFiles } from '../trust/key-files.js';
import type { KeyRing } from '../trust/key-ring.js';
import { emptyDirectory } from '../worktree/empty-directory.js';
import { gitWorktree } from '../worktree/git-worktree.js';
import { realDisk } from '../worktree/replace/disk/disk.js';
import { fileReplacements } from '../worktree/replace/files/file-replacements.js';
import type { ForeseenSuspects } from '../worktree/place/place.js';
import type { Replacements } from '../worktree/replace/replacement.js';
import { agentsOf } from './agents.js';
import { readPriceFile } from './price-file.js';
import type { Foreseen } from './foresight.js';
import { configHome, objectsOf, privatePlaceOf, userPlace, worktreeFolder } from './places.js';
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

export interface OpenedRepository {
  readonly repository: Repository;
  readonly hooks: HookFiles;
  readonly remotes: GitRemotes;
  readonly settingsFiles: SettingsFiles;
  /** Sentences for the user, such as a setting that no version knows. */
  readonly warnings: readonly string[];
}

/**
 * Opens the repository that a directory belongs to.
 *
 * Nothing is written: ids are made by the first capture.
 * @throws not_a_git_repository; bare_repository; repository_refused; repository_unsupported; unsafe_directory; git_missing; git_too_old; settings_unreadable
 * @example
 * const { repository } = await openRepository({ directory: process.cwd(), env: process.env });
 * const { snapshots } = await list({ repository });
 * await repository.close();
 */
export async function openRepository(request: OpenRequest): Promise<OpenedRepository> {
  const { directory, env, clock = systemClock, random = systemRandom } = request;
  const home = request.home ?? env['HOME'] ?? os.homedir();
  const cachePlace = { home, configHome: configHome(env, home), now: clock.now() };
  const foreseen = request.foreseen?.directory === directory ? request.foreseen : undefined;
  const recalled = foreseen?.found ?? recallRepository(directory, cachePlace);
  const found = recalled ?? (await discoverRepository(gitProcess({ directory, environment: env }), directory));
  const user = userPlace(found, env);
  const local = localFiles(path.join(found.commonDirectory, 'savepoint'), random);
  const remember = recalled === undefined ? () => rememberRepository(local, found, cachePlace) : async () => undefined;
  const places = { found, env, home, clock, random, user, git: gitProcess(user), local, remember };
  const parts: Parts = { ...places, foreseen: once(foreseen?.suspects), early: once(foreseen?.reader) };
  const settingsFiles = openSettingsFiles({ root: found.root, configHome: configHome(env, home) });
  const [{ settings, unknown, refused }, ids] = await Promise.all([effectiveSettings(settingsFiles), readIds(parts)]);
  const repository = makeRepository({ ...parts, settings }, ids);
  // Also for those that only read; it is a cache, and where nothing can be written it is done without.
  if (ids.repository !== '') await parts.remember().catch(() => undefined);
  const hooks = gitHooks({ ...found, git: parts.git });
  const warnings = [
    ...unknown.map(({ key, path: file }) => `${file} has the unknown setting ${key}, which is ignored.`),
    ...refused.map(({ key, path: file }) => `${file} sets ${key}, which only your own settings can; it is ignored.`),
  ];
  const remotes = { mirrorRemotes: () => mirrorRemotes(parts.git) };
  return { repository, hooks, remotes, settingsFiles, warnings };
}

/**
 * Opens the user's keys, in or outside a repository.
 * @example
 * const ring = openKeys({ env: process.env });
 * console.log(await ring.ownKeys());
 */
export function openKeys({ env, home = env['HOME'] ?? os.homedir() }: Pick<OpenRequest, 'env' | 'home'>): KeyRing {
  return openKeyFiles({
    configHome: home === '' && !path.isAbsolute(env['XDG_CONFIG_HOME'] ?? '') ? undefined : configHome(env, home),
  });
}

interface Parts {
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

interface Ids {
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

async function makeIds({ local, found, random }: Parts, store: Store, ids: Ids): Promise<Ids> {
  if (ids.repository !== '' && ids.self.id !== '') return ids;
  const known = ids.repository === '' ? await repositoryOfSnapshots(store) : undefined;
  const { repository, replica } = await claimStoreIdentity(local, random, known);
  return { repository, replica, self: await claimWorktree(local, random, found) };
}

/** The id that snapshots in the store name: the file with it may be lost, the snapshots are not. */
async function repositoryOfSnapshots(store: Store): Promise<string | undefined> {
  for (const { commit } of await timelineHeads(store)) {
    const snapshot = await loadSnapshot(store, commit).catch(() => undefined);
    if (snapshot !== undefined) return snapshot.body.repository;
  }
  return undefined;
}

function makeRepository(parts: Parts & { readonly settings: Settings }, ids: Ids): Repository {
  const { found, env, home, clock, random, git, local, settings } = parts;
  const store = makeStore(parts, ids);
  const repository: Repository = {
    id: ids.repository,
    replica: ids.replica,
    store,
    local,
    worktree: gitWorktree(
      {
        ...found,
        ...given('excludesFile', excludesFile(found.config, { ...env, HOME: home })),
        head: (known) => store.userHead(known),
        userGit: git,
        privateGit: () => gitProcess(privatePlace(parts, ids)),
        memoryDirectory: ownDirectory('scan', parts, ids),
        ...given('searchPath', env['PATH']),
        clock,
        foreseen: parts.foreseen,
      },
      makeReplacements(parts, ids),
    ),
    elsewhere: (directory) => elsewhere(parts, directory),
    self: known(ids.self),
    worktrees: async () => (await readWorktrees(local)).map(known),
    keys: openKeys({ env, home }),
    agents: agentsOf({ env, home }),
    openLog: async (file) => openLogFile(file),
    settings,
    priceTable: readPriceFile,
    clock,
    random,
    revision: (name) => resolveRevision(git, name),
    enrol: async () => {
      const made = await makeIds(parts, store, ids);
      await parts.remember();
      return made === ids ? repository : makeRepository(parts, made);
    },
    gitVersion: () => gitVersion(git),
    maintenance: packMaintenance({ ...found, objects: objectsOf(found), git, local, clock, random }),
    close: async () => {
      await Promise.all([repository.worktree.close(), store.close()]);
    },
  };
  return repository;
}

function makeStore(parts: Parts, ids: Ids): GitStore {
  const { found, random, user, early } = parts;
  return gitStore({
    early,
    objectFormat: found.objectFormat,
    random,
    user,
    privatePlace: () => privatePlace(parts, ids),
    objects: objectsOf(found),
    gitDirectory: found.gitDirectory,
    commonDirectory: found.commonDirectory,
    packAdded: (pack) => {
      notePacks(packListFile(found.commonDirectory), '+', [pack]);
    },
  });
}

function makeReplacements(parts: Parts, ids: Ids): Replacements {
  return replacementsIn(parts, { root: parts.found.root, journalDirectory: ownDirectory('restores', parts, ids) });
}

function replacementsIn(
  { found, clock, random }: Parts,
  { root, journalDirectory }: { readonly root: string; readonly journalDirectory: string },
): Replacements {
  const lease = fileLease(path.join(journalDirectory, 'lease'), random);
  const { objectFormat } = found;
  return fileReplacements({ root, objectFormat, journalDirectory, lease, clock, random, disk: realDisk });
}

// A journal of its own each time: what was begun in a directory that was empty is never completed.
function elsewhere(parts: Parts, directory: string): Replacements {
  const { found, random } = parts;
  const journalDirectory = path.join(found.commonDirectory, 'savepoint', 'restores', `to-${random.hex(16)}`);
  return replacementsIn(parts, {
    root: emptyDirectory(directory, [found.gitDirectory, found.commonDirectory]),
    journalDirectory,
  });
}

/** This worktree's folder of a kind. */
function ownDirectory(kind: 'scan' | 'restores', { found }: Parts, { self }: Ids): string {
  return worktreeFolder(found, kind, self.id);
}

function privatePlace(parts: Parts, ids: Ids): GitPlace {
  const { found, env } = parts;
  const variables = preparePrivateRepository(privatePlaceOf(found, ownDirectory('scan', parts, ids)));
  return { directory: found.root, environment: env, variables };
}

function known(identity: WorktreeIdentity): KnownWorktree {
  const { id, timeline, timelines, root } = identity;
  return { id, timeline, timelines, root, exists: stillExists(identity) };
}

async function resolveRevision(git: Git, name: string): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { code, stdout } = await git.run({ args, accept: [1, 128] });
  return code === 0 ? stdout.toString('latin1').trim() : undefined;
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [N in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [N in K]: V });
}
