/** Opens a repository: chooses the store, the agents and the keys, and hands out what the ops work on. */
import path from 'node:path';
import { openLogFile } from '../agents/log-file.js';
import type { HookFiles } from '../model/hook.js';
import type { SettingsFiles } from '../ops/config.js';
import type { GitRemotes } from '../ops/read/status.js';
import type { Repository } from '../ops/repository/repository.js';
import { excludesFile, gitVersion } from '../store/git/discover.js';
import { gitStore, type GitStore } from '../store/git/git-store.js';
import { gitHooks } from '../store/git/hooks/git-hooks.js';
import { beginTimeline, claimStoreIdentity, claimWorktree } from '../store/git/identities.js';
import { fileLease } from '../store/git/locks/lease.js';
import { notePacks } from '../store/git/packs/pack-list.js';
import { mirrorRemotes } from '../store/git/remotes.js';
import { packListFile, packMaintenance } from '../store/git/packs/pack-maintenance.js';
import { preparePrivateRepository } from '../store/git/private-repository.js';
import { gitProcess, type GitPlace } from '../store/git/system/process.js';
import type { Store } from '../store/store.js';
import { repositoryOfSnapshots } from '../timeline/own-repository.js';
import { emptyDirectory } from '../worktree/empty-directory.js';
import { gitWorktree } from '../worktree/git-worktree.js';
import { realDisk } from '../worktree/replace/disk/disk.js';
import { fileReplacements } from '../worktree/replace/files/file-replacements.js';
import type { Replacements } from '../worktree/replace/replacement.js';
import { agentsOf } from './agents.js';
import { beginOpening, historyOf, known, type Ids, type Opening, type OpenRequest, type Parts } from './opening.js';
import { objectsOf, privatePlaceOf, worktreeFolder } from './places.js';

/** A repository, open until `repository.close()`, and what stands beside it for the verbs that set up. */
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
 * @throws not_a_git_repository; bare_repository; repository_refused; repository_unsupported; unsafe_directory; git_missing; git_too_old
 * @example
 * const { repository } = await openRepository({ directory: process.cwd(), env: process.env });
 * const { snapshots } = await list({ repository });
 * await repository.close();
 */
export async function openRepository(request: OpenRequest): Promise<OpenedRepository> {
  const { parts, ids, settingsFiles, warnings, ...found } = await beginOpening(request);
  const repository = makeRepository({ ...parts, ...found }, ids);
  const hooks = gitHooks({ ...parts.found, git: parts.git });
  const remotes = { mirrorRemotes: () => mirrorRemotes(parts.git) };
  return { repository, hooks, remotes, settingsFiles, warnings };
}

type FoundSettings = Pick<Opening, 'settings' | 'settingsProblem'>;

async function makeIds({ local, found, random }: Parts, store: Store, ids: Ids): Promise<Ids> {
  if (ids.repository !== '' && ids.self.id !== '') return ids;
  const known = ids.repository === '' ? await repositoryOfSnapshots(store) : undefined;
  const { repository, replica } = await claimStoreIdentity(local, random, known);
  return { repository, replica, self: await claimWorktree(local, random, found) };
}

function makeRepository(parts: Parts & FoundSettings, ids: Ids): Repository {
  const { found, env, home, clock, random, git, local, settings, settingsProblem } = parts;
  const store = makeStore(parts, ids);
  const repository: Repository = {
    ...historyOf({ parts, ids, settings, ...(settingsProblem && { settingsProblem }) }, store),
    replica: ids.replica,
    store,
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
    agents: agentsOf({ env, home }),
    openLog: async (file) => openLogFile(file),
    random,
    enrol: async () => {
      const made = await makeIds(parts, store, ids);
      await parts.remember();
      return made === ids ? repository : makeRepository(parts, made);
    },
    beginTimeline: async (former) => known(await beginTimeline(local, random, { ...found, former })),
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

function given<K extends string, V>(key: K, value: V | undefined): { readonly [N in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [N in K]: V });
}
