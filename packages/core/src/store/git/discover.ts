/** Finds the repository that a directory belongs to, as git itself does, or says clearly why there is none. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { contextError, type ContextError } from '../../base/errors.js';
import type { Git } from '../../base/git-command.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { systemHome } from './system/home.js';

export interface FoundRepository {
  readonly root: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  readonly objectFormat: ObjectFormat;
  /** Of git's configuration, keys in lower case; the last value of each. */
  readonly config: ReadonlyMap<string, string>;
}

/** What Savepoint asks of git's configuration, user-wide and of the repository. */
const CONFIG_KEYS = '^core\\.(excludesfile|sharedrepository|hookspath)$';

/**
 * @throws directory_not_found; not_a_git_repository; git_directory_missing; bare_repository; repository_refused;
 * repository_unsupported; unsafe_directory; git_missing; git_too_old
 */
export async function discoverRepository(git: Git, directory: string): Promise<FoundRepository> {
  // A program that cannot be started there looks like one that is not installed.
  if (!isDirectory(directory)) throw contextError('directory_not_found', { directory });
  if (isOutside(directory)) throw contextError('not_a_git_repository', { directory });
  const [places, config] = await Promise.all([findPlaces(git, directory), readConfig(git)]);
  if (places.root === path.parse(places.root).root) {
    throw contextError('unsafe_directory', { directory: places.root, reason: 'it is the root of the file system' });
  }
  return { ...places, config };
}

/**
 * Tells that git will find nothing from here upwards, which takes it longer to say than many a command takes: a repository has
 * a `.git` at its root, and a git directory a `HEAD`.
 */
function isOutside(directory: string): boolean {
  const isThere = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  try {
    for (let at = realpathSync(directory); ; at = path.dirname(at)) {
      if (isThere(path.join(at, '.git')) || isThere(path.join(at, 'HEAD'))) return false;
      if (at === path.dirname(at)) return true;
    }
  } catch {
    // What cannot be looked at, git shall explain.
    return false;
  }
}

async function findPlaces(git: Git, directory: string): Promise<Omit<FoundRepository, 'config'>> {
  const first = ['--is-bare-repository', '--is-inside-work-tree', '--show-object-format'];
  const paths = ['--absolute-git-dir', '--git-common-dir', '--show-toplevel'];
  const { code, stdout, stderr } = await git.run({
    args: ['rev-parse', '--path-format=absolute', ...first, ...paths],
    accept: [1, 128, 129],
  });
  const lines = stdout.toString('utf8').split('\n');
  const [bare, inside, format = ''] = lines;
  if (bare === 'true') throw contextError('bare_repository', { directory });
  // Before 2.31, git repeats an option that it does not know as if it were an answer.
  if (code !== 0 || bare !== 'false') throw await refusal({ git, directory, stderr, inside });
  if (format !== 'sha1' && format !== 'sha256') {
    throw contextError('repository_unsupported', { directory, reason: `its object format ${format} is not known` });
  }
  const named =
    lines.length === first.length + paths.length + 1 ? lines.slice(first.length, -1) : await oneByOne(git, paths);
  const [gitDirectory = '', commonDirectory = '', root = ''] = named;
  return { root, gitDirectory, commonDirectory, objectFormat: format };
}

// A path may hold a line feed; then each is asked for alone, and all but the last line feed is the path.
async function oneByOne(git: Git, questions: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(
    questions.map((question) => git.run({ args: ['rev-parse', '--path-format=absolute', question] })),
  );
  return answers.map(({ stdout }) => stdout.toString('utf8').replace(/\n$/, ''));
}

interface Refusal {
  readonly git: Git;
  readonly directory: string;
  readonly stderr: string;
  readonly inside: string | undefined;
}

const SUPPORTED = { major: 2, minor: 34 };

async function refusal({ git, directory, stderr, inside }: Refusal): Promise<ContextError> {
  const reason =
    stderr
      .trim()
      .replace(/^fatal: /, '')
      .split('\n')[0] ?? '';
  if (/dubious ownership|unsafe repository/.test(stderr))
    return contextError('repository_refused', { directory, reason });
  const gone = /not a git repository: (.+)/i.exec(stderr)?.[1];
  if (gone !== undefined) return contextError('git_directory_missing', { directory, gitDirectory: gone });
  if (/not a git repository/i.test(stderr)) return contextError('not_a_git_repository', { directory });
  const version = await gitVersion(git);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < SUPPORTED.major || (major === SUPPORTED.major && minor < SUPPORTED.minor)) {
    return contextError('git_too_old', { version });
  }
  if (inside === 'false')
    return contextError('unsafe_directory', {
      directory,
      reason: 'it is inside a git directory, which has no files to record',
    });
  return contextError('repository_unsupported', { directory, reason });
}

function isDirectory(name: string): boolean {
  try {
    return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    // What cannot be reached is for git to judge.
    return (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

/** Returns git's version, such as `2.39.5`. */
export async function gitVersion(git: Git): Promise<string> {
  const { stdout } = await git.run({ args: ['version'] });
  return /\d+\.\d+(?:\.\d+)?/.exec(stdout.toString('utf8'))?.[0] ?? 'unknown';
}

async function readConfig(git: Git): Promise<ReadonlyMap<string, string>> {
  const { stdout } = await git.run({
    args: ['config', '-z', '--type=path', '--get-regexp', CONFIG_KEYS],
    accept: [1, 128],
  });
  const entries = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('\n'));
  return new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('\n')), entry.slice(entry.indexOf('\n') + 1)]));
}

/** Returns the file of ignore rules that holds for all repositories of the user, as git looks for it. */
export function excludesFile(
  config: ReadonlyMap<string, string>,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const named = config.get('core.excludesfile');
  if (named !== undefined) return named === '' ? undefined : named;
  const { XDG_CONFIG_HOME: xdg, HOME: home = systemHome() } = environment;
  const base = xdg !== undefined && xdg !== '' ? xdg : home === '' ? undefined : path.join(home, '.config');
  return base === undefined ? undefined : path.join(base, 'git', 'ignore');
}
