/** Errors. The repository and its git. */
import type { ErrorEntry } from './entry.js';

export const REPOSITORY = {
  not_a_git_repository: {
    kind: 'no_repository',
    message: '{directory} is not inside a git repository. Nothing was changed.',
    hint: 'Run `git init` there first, or name the repository with `savepoint -C DIR`.',
  },
  directory_not_found: {
    kind: 'not_found',
    message: '{directory} is no directory. Nothing was changed.',
    hint: 'Check the path after `-C`, or go to a directory that is there.',
  },
  directory_gone: {
    kind: 'not_found',
    message: 'The directory that you stand in does not exist any more. Nothing was changed.',
    hint: 'Go to a directory that is there, or name one by its whole path with `savepoint -C DIR`.',
  },
  git_directory_missing: {
    kind: 'no_repository',
    message: 'The .git file above {directory} leads to {gitDirectory}, which is no git directory. Nothing was changed.',
    hint: 'Bring that repository back; if it has moved, run `git worktree repair` in its main worktree.',
  },
  bare_repository: {
    kind: 'no_repository',
    message: '{directory} is a bare repository: it has no files to record. Nothing was changed.',
    hint: 'Run Savepoint in a clone that has a worktree.',
  },
  unsafe_directory: {
    kind: 'refused',
    message: 'Refused to scan {directory}: {reason}. Nothing was scanned or changed.',
    hint: 'Go to the project and run the command there, or name it with `savepoint -C DIR`.',
  },
  repository_refused: {
    kind: 'refused',
    message: 'git refuses to work in {directory}: {reason}. Nothing was changed.',
    hint: 'If the repository is yours, run `git config --global --add safe.directory {directory}`.',
  },
  repository_unsupported: {
    kind: 'refused',
    message: 'The repository {directory} cannot be used: {reason}. Nothing was changed.',
    hint: 'Use a git version that supports this repository; `git status` there says more.',
  },
  git_missing: {
    kind: 'no_repository',
    message: 'The program git was not found. Nothing was changed.',
    hint: 'Install git 2.34 or later and make sure that it is on the PATH.',
  },
  git_too_old: {
    kind: 'no_repository',
    message: 'git {version} is too old: Savepoint needs git 2.34 or later. Nothing was changed.',
    hint: 'Install a newer git.',
  },
  git_failed: {
    kind: 'internal',
    message: '`git {command}` failed: {reason}.',
    hint: 'Run `git fsck` to see whether the repository is healthy.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
