/** Where git looks for this repository's hooks, and whether that place is ours to write to. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Git } from '../../../base/git-command.js';

export interface HookPlaceRequest {
  readonly commonDirectory: string;
  readonly root: string;
  readonly git: Git;
}

export interface HookPlace {
  readonly folder: string;
  /** Why nothing is written there. */
  readonly problem?: string;
  /** What to know of a place that is written to. */
  readonly advice?: string;
}

/** Where the guard lies for other hooks to call. */
export function guardCopy(commonDirectory: string): string {
  return path.join(commonDirectory, 'savepoint', 'hooks', 'pre-push');
}

/**
 * The line that calls the guard from another hook; it does nothing for those who do not have Savepoint. What git says on
 * standard input can be read once: a hook such as that of git-lfs would leave nothing to the guard, or the guard nothing to
 * it. So the line comes first, and hands on what it read.
 */
export const CALL_LINE =
  'g="$(git rev-parse --git-common-dir)/savepoint/hooks/pre-push"; [ ! -x "$g" ] || ' +
  '{ t="$(mktemp)" && cat >"$t" && "$g" "$@" <"$t" && exec <"$t" && rm "$t"; } || { rm -f "$t"; exit 1; }';

/** Tells whether a hook holds the line that calls the guard. */
export function callsGuard(content: string | undefined): boolean {
  return content !== undefined && /^[^#\n]*savepoint\/hooks\/pre-push/m.test(content);
}

interface Setting {
  readonly scope: string;
  readonly value: string;
}

export async function findHookPlace(request: HookPlaceRequest): Promise<HookPlace> {
  const { commonDirectory, root } = request;
  const setting = await hooksPath(request.git);
  // An empty value makes git look for /pre-push.
  const folder =
    setting === undefined
      ? path.join(commonDirectory, 'hooks')
      : path.resolve(root, setting.value || path.parse(root).root);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) {
    return { folder, problem: `git looks for hooks in ${folder}, which is no folder, so no hook runs at all` };
  }
  const real = realFolder(folder);
  if (setting !== undefined && !['local', 'worktree'].includes(setting.scope) && path.isAbsolute(setting.value)) {
    return { folder, problem: foreign(folder, `core.hooksPath (${setting.scope})`) };
  }
  if (inside(real, realFolder(commonDirectory))) return { folder };
  const name = setting === undefined ? 'a link' : `core.hooksPath (${setting.scope})`;
  if (!inside(real, realFolder(root))) return { folder, problem: foreign(folder, name) };
  return projectPlace({ ...request, folder, real, setting });
}

async function hooksPath(git: Git): Promise<Setting | undefined> {
  const args = ['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const { stdout } = await git.run({ args, accept: [1] });
  const fields = stdout.toString('utf8').split('\0');
  // Every run of git here sets core.hooksPath for itself, so that no hook of the user runs: that one is not the user's.
  return fields
    .flatMap((scope, at) => (at % 2 === 0 && at + 1 < fields.length ? [{ scope, value: fields[at + 1] ?? '' }] : []))
    .filter(({ scope }) => scope !== 'command')
    .at(-1);
}

function foreign(folder: string, name: string): string {
  return `${name} has git look for hooks in ${folder}, which other repositories may share, so nothing was written there`;
}

interface ProjectRequest extends HookPlaceRequest {
  readonly folder: string;
  readonly real: string;
  readonly setting: Setting | undefined;
}

/**
 * Files of the project are not written to, also those that it does not track yet: somebody would commit them. What it
 * ignores is the user's own, or made anew by a hook manager.
 */
async function projectPlace({ folder, real, root, commonDirectory, git, setting }: ProjectRequest): Promise<HookPlace> {
  const hook = path
    .join(path.relative(realFolder(root), real), 'pre-push')
    .split(path.sep)
    .join('/');
  const args = ['check-ignore', '-q', '-z', '--stdin'];
  // git does not follow links inside the worktree: below one it answers with an error.
  const { code } = await git.run({ args, input: Buffer.from(`${hook}\0`), accept: [1, 128] });
  if (code !== 0) {
    return { folder, problem: `the hooks in ${folder} are files of the project, so nothing was written there` };
  }
  const script = path.join(path.dirname(folder), 'pre-push');
  const advice = [
    path.basename(folder) === '_'
      ? `husky writes the hooks in ${folder} anew at every install: run \`savepoint init\` after that, or add this line at the beginning of ${script}: ${CALL_LINE}`
      : undefined,
    setting !== undefined && !path.isAbsolute(setting.value) && hasLinkedWorktrees(commonDirectory)
      ? 'core.hooksPath is relative, so each worktree has hooks of its own: run `savepoint init` in each'
      : undefined,
  ].filter((sentence) => sentence !== undefined);
  return advice.length === 0 ? { folder } : { folder, advice: advice.join('; ') };
}

function hasLinkedWorktrees(commonDirectory: string): boolean {
  try {
    return readdirSync(path.join(commonDirectory, 'worktrees')).length > 0;
  } catch {
    return false;
  }
}

/** Returns the path without links, also where its end does not exist yet. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = path.dirname(folder);
    return parent === folder ? folder : path.join(realFolder(parent), path.basename(folder));
  }
}

function inside(folder: string, around: string): boolean {
  const relative = path.relative(around, folder);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
