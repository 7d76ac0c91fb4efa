/**
 * The private git directory of one worktree, `<git common dir>/savepoint/scan/<worktree>/`: git programs run through it
 * see the user's objects but raw bytes only. Its `info/attributes` outranks every `.gitattributes`, so no filter runs
 * and no line ending changes; its config names no promisor remote, so nothing is fetched. Packs made through it are synced
 * by the writer, which knows the order. Nothing in it is truth: all
 * of it can be lost and is made anew.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { overDirectory, writeFailure } from './system/durable.js';

const ATTRIBUTES = '* -text -eol -filter -ident -working-tree-encoding -diff -merge\n';

export type PrivateVariables = Readonly<Record<string, string>>;

export interface PrivateRepositoryPlace {
  readonly directory: string;
  /** The repository's own object directory. */
  readonly objects: string;
  readonly objectFormat: ObjectFormat;
  /** `core.sharedRepository` of the repository, so that packs get the modes that the user's other objects have. */
  readonly shared?: string;
}

/** Makes the directory, or puts right what is not as it should be; returns the variables that point git at it. */
export function preparePrivateRepository(place: PrivateRepositoryPlace): PrivateVariables {
  const { directory } = place;
  const prepared = preparedPrivateRepository(place);
  if (prepared === undefined) {
    try {
      mkdirSync(path.join(directory, 'info'), { recursive: true });
      mkdirSync(path.join(directory, 'refs', 'heads'), { recursive: true });
      for (const [name, content] of filesOf(place)) {
        const file = path.join(directory, name);
        overDirectory(file, () => {
          writeFileSync(file, content);
        });
      }
    } catch (error) {
      throw writeFailure(directory, error);
    }
  }
  return variablesOf(place);
}

/** Returns the variables if everything is as it should be, and writes nothing. */
export function preparedPrivateRepository(place: PrivateRepositoryPlace): PrivateVariables | undefined {
  const { directory } = place;
  // Without the folder of its refs, git does not take it for a repository.
  const isWhole = existsSync(path.join(directory, 'refs', 'heads'));
  const isRight = isWhole && filesOf(place).every(([name, content]) => holds(path.join(directory, name), content));
  return isRight ? variablesOf(place) : undefined;
}

function filesOf(place: PrivateRepositoryPlace): readonly (readonly [string, string])[] {
  return [
    ['info/attributes', ATTRIBUTES],
    ['config', privateConfig(place)],
    ['HEAD', 'ref: refs/heads/none\n'],
  ];
}

function variablesOf({ directory, objects }: PrivateRepositoryPlace): PrivateVariables {
  return { GIT_DIR: directory, GIT_OBJECT_DIRECTORY: objects };
}

function holds(file: string, content: string): boolean {
  try {
    return readFileSync(file, 'utf8') === content;
  } catch {
    return false;
  }
}

function privateConfig({ objectFormat, shared }: PrivateRepositoryPlace): string {
  const extension = objectFormat === 'sha1' ? '' : `[extensions]\n\tobjectFormat = ${objectFormat}\n`;
  return `[core]
\trepositoryformatversion = ${objectFormat === 'sha1' ? '0' : '1'}
\tbare = false
\tfileMode = true
\tsymlinks = true
\tautocrlf = false
\tignoreCase = false
\ttrustctime = true
\tcheckStat = default
\tpreloadIndex = true
\tfsmonitor = false
\tuntrackedCache = false
\tsplitIndex = false
\tfsync = committed,reference
\thooksPath = /dev/null
\tlogAllRefUpdates = false${shared === undefined ? '' : `\n\tsharedRepository = ${shared}`}
[fastimport]
\tunpackLimit = 0
[gc]
\tauto = 0
[index]
\tsparse = false
${extension}`;
}
