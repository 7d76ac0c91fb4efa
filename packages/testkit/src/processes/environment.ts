/** Environments for children: clean ones, and one that points every `GIT_*` variable at a victim. */
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string>>;

/** Returns an environment that knows nothing of the caller's: no `GIT_*`, no agent, an own home, UTF-8. */
export function cleanEnvironment(home: string): Environment {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    ...(process.env['TMPDIR'] === undefined ? {} : { TMPDIR: process.env['TMPDIR'] }),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
  };
}

const IDENTITY = { name: 'Test Author', mail: 'author@example.org', date: '2026-01-02T03:04:05Z' };

/** Adds what the fixtures' own git needs: an identity, a fixed time, no system configuration. */
export function gitEnvironment(home: string): Environment {
  return {
    ...cleanEnvironment(home),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: IDENTITY.name,
    GIT_AUTHOR_EMAIL: IDENTITY.mail,
    GIT_AUTHOR_DATE: IDENTITY.date,
    GIT_COMMITTER_NAME: IDENTITY.name,
    GIT_COMMITTER_EMAIL: IDENTITY.mail,
    GIT_COMMITTER_DATE: IDENTITY.date,
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Returns variables that lead a careless program into the repository at `victim`, or make it write there. */
export function hostileVariables(victim: string): Environment {
  const gitDirectory = join(victim, '.git');
  return {
    GIT_DIR: gitDirectory,
    GIT_COMMON_DIR: gitDirectory,
    GIT_WORK_TREE: victim,
    GIT_INDEX_FILE: join(gitDirectory, 'index'),
    GIT_OBJECT_DIRECTORY: join(gitDirectory, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(gitDirectory, 'objects'),
    GIT_NAMESPACE: 'victim',
    GIT_PREFIX: 'victim/',
    GIT_CONFIG: join(gitDirectory, 'config'),
    GIT_CONFIG_GLOBAL: join(gitDirectory, 'config'),
    GIT_CONFIG_SYSTEM: join(gitDirectory, 'config'),
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'core.worktree',
    GIT_CONFIG_VALUE_0: victim,
    GIT_CONFIG_KEY_1: 'core.hooksPath',
    GIT_CONFIG_VALUE_1: join(victim, 'hooks'),
    GIT_CONFIG_PARAMETERS: `'core.worktree=${victim}'`,
    GIT_SHALLOW_FILE: join(gitDirectory, 'shallow'),
    GIT_GRAFT_FILE: join(gitDirectory, 'grafts'),
    GIT_TRACE: join(victim, 'trace'),
    GIT_TRACE2_EVENT: join(victim, 'trace2'),
    GIT_EXTERNAL_DIFF: `touch '${join(victim, 'external-diff-ran')}' #`,
    GIT_LITERAL_PATHSPECS: '0',
    GIT_GLOB_PATHSPECS: '1',
    GIT_DEFAULT_HASH: 'sha256',
  };
}
