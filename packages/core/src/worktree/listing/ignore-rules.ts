/** Which names git's ignore rules match, asked of git itself, and where those rules come from. */
import { statSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { contextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import type { GitDialogue } from '../../base/git-command.js';
import { isRacy, lookAt, statKey } from '../place/file-stat.js';
import type { WorktreePlace } from '../place/place.js';

export const IGNORE_FILE = '.gitignore';

/** One `git check-ignore` process, started at the first question, or before. */
export class IgnoreRules {
  readonly #place: WorktreePlace;
  #dialogue: GitDialogue | undefined;
  #former: Promise<unknown> | undefined;

  constructor(place: WorktreePlace) {
    this.#place = place;
  }

  /** Starts git, which reads at once what rules hold for the whole worktree. */
  start(): GitDialogue {
    this.#dialogue ??= this.#place.userGit.open({
      args: ['check-ignore', '--stdin', '-z', '--verbose', '--non-matching', '--no-index'],
    });
    return this.#dialogue;
  }

  /** Forgets what git has read: rules have changed. */
  renew(): void {
    this.#former = Promise.all([this.#former, this.#dialogue?.close()]);
    this.#dialogue = undefined;
  }

  /** Tells for each path whether a rule matches it, be it tracked or not. A path inside an ignored directory matches. */
  async matches(paths: readonly BytePath[]): Promise<readonly boolean[]> {
    if (paths.length === 0) return [];
    const dialogue = this.start();
    // With `./` before it, no name is taken for pathspec magic such as `:(glob)`.
    dialogue.write(Buffer.from(paths.map((file) => `./${file}\0`).join(''), 'latin1'));
    const fields = await dialogue.fields(paths.length * 4).catch((error: unknown) => {
      // git refuses to judge what lies behind a link: a directory was swapped for one meanwhile.
      throw contextError('worktree_changing', { reason: 'git could not judge all names by the ignore rules' }, error);
    });
    // Each answer is source, line, pattern, path; a pattern that starts with `!` takes the path back in.
    return paths.map((_, at) => {
      const pattern = fields[at * 4 + 2] ?? '';
      return pattern !== '' && !pattern.startsWith('!');
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#former, this.#dialogue?.close()]);
  }
}

const IN_WORKTREE = 'worktree ';

/** Returns the `.gitignore`s among sources. */
export function ignoreFilesAmong(sources: ReadonlyMap<string, string>): BytePath[] {
  return [...sources.keys()].flatMap((name) => (name.startsWith(IN_WORKTREE) ? [name.slice(IN_WORKTREE.length)] : []));
}

/** Returns the status of every file that rules come from: the repository's, the user's, and the given `.gitignore`s. */
export function ruleSources(place: WorktreePlace, ignoreFiles: readonly BytePath[], read: number): Map<string, string> {
  const sources = new Map<string, string>();
  const enter = (name: string, look: () => BigIntStats | undefined): void => {
    const stat = quietly(look);
    if (stat !== undefined) sources.set(name, stat === 'unknown' || isRacy(stat, read) ? '' : statKey(stat));
  };
  // These two may be links, which git follows; a `.gitignore` may not.
  for (const file of [path.join(place.commonDirectory, 'info', 'exclude'), place.excludesFile]) {
    if (file !== undefined) enter(`file ${file}`, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  }
  for (const file of ignoreFiles) enter(`${IN_WORKTREE}${file}`, () => lookAt(place.root, file));
  return sources;
}

function quietly(look: () => BigIntStats | undefined): BigIntStats | 'unknown' | undefined {
  try {
    return look();
  } catch {
    return 'unknown';
  }
}

/** Tells whether no source changed since; '' never counts as the same. */
export function sameSources(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  if (before.size !== now.size) return false;
  for (const [name, key] of now) if (key === '' || before.get(name) !== key) return false;
  return true;
}
