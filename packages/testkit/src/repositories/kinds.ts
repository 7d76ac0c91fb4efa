/** The catalogue of fixture repositories that a capture must cope with. */
import { gitIsAtLeast } from '../processes/git.js';
import { plainRepository, type FixtureRepository } from './repository.js';
import * as indexed from './indexed.js';
import * as nested from './nested.js';
import * as shaped from './shaped.js';
import * as stopped from './stopped.js';

export interface RepositoryKind {
  readonly name: string;
  make(): FixtureRepository;
  /** Why this machine cannot make it. */
  readonly impossible?: string;
}

/** Every kind with a worktree; `bare` stands apart, because it has none. */
export const REPOSITORY_KINDS: readonly RepositoryKind[] = [
  { name: 'plain', make: () => plainRepository() },
  { name: 'unborn', make: shaped.unborn },
  { name: 'detached', make: shaped.detached },
  { name: 'merge conflict', make: stopped.mergeConflict },
  { name: 'rebase stop', make: stopped.rebaseStop },
  { name: 'cherry-pick stop', make: stopped.cherryPickStop },
  { name: 'revert stop', make: stopped.revertStop },
  { name: 'am stop', make: stopped.amStop },
  { name: 'bisect', make: stopped.bisecting },
  { name: 'shallow clone', make: shaped.shallow },
  { name: 'partial clone', make: shaped.partialClone },
  { name: 'linked worktree', make: shaped.linkedWorktree },
  { name: 'separate git directory', make: shaped.separateGitDirectory },
  { name: 'link to the git directory', make: shaped.linkedGitDirectory },
  { name: 'SHA-256', make: shaped.sha256 },
  {
    name: 'reftable',
    make: shaped.reftable,
    ...(gitIsAtLeast('2.45') ? {} : { impossible: 'this git has no reftable' }),
  },
  { name: 'sparse checkout', make: indexed.sparse },
  { name: 'sparse index', make: indexed.sparseIndex },
  { name: 'submodules', make: nested.submodules },
  { name: 'nested repositories', make: nested.nestedRepositories },
  { name: 'alternates', make: shaped.alternates },
  { name: 'split index', make: indexed.splitIndex },
  { name: 'untracked cache', make: indexed.untrackedCache },
  { name: 'fsmonitor', make: indexed.fsmonitor },
  { name: 'assume-unchanged', make: indexed.assumeUnchanged },
  { name: 'skip-worktree', make: indexed.skipWorktree },
  { name: 'intent-to-add', make: indexed.intentToAdd },
  { name: 'staged delete', make: indexed.stagedDelete },
];
