/** Where git looks for this repository's hooks, and whether that place is ours to write to. */
import path from 'node:path';
import type { Git } from '../../../base/git-command.js';

export interface HookPlaceRequest {
  readonly commonDirectory: string;
  readonly root: string;
  readonly git: Git;
}

export interface HookPlace {
  readonly folder: string;
  /** Why nothing is written there, and what to do instead. */
  readonly problem?: string;
}

/** Where the guard lies for hook managers to call. */
export function guardCopy(commonDirectory: string): string {
  return path.join(commonDirectory, 'savepoint', 'hooks', 'pre-push');
}

/** The line that calls the guard from another hook. */
export const CALL_LINE = '"$(git rev-parse --git-common-dir)/savepoint/hooks/pre-push" "$@" || exit 1';

export async function findHookPlace({ commonDirectory, root, git }: HookPlaceRequest): Promise<HookPlace> {
  const args = ['config', '-z', '--show-scope', '--type=path', '--get-all', 'core.hooksPath'];
  const { stdout } = await git.run({ args, accept: [1] });
  const fields = stdout.toString('utf8').split('\0');
  // Every run of git here sets core.hooksPath for itself, so that no hook of the user runs: that one is not the user's.
  const settings = fields.flatMap((scope, at) =>
    at % 2 === 0 && scope !== 'command' ? [{ scope, value: fields[at + 1] ?? '' }] : [],
  );
  const { scope = '', value = '' } = settings.filter((setting) => setting.value !== '').at(-1) ?? {};
  if (value === '') return { folder: path.join(commonDirectory, 'hooks') };
  const folder = path.resolve(root, value);
  return { folder, problem: problemOf(folder, scope, { commonDirectory, root }) };
}

function problemOf(
  folder: string,
  scope: string,
  places: { readonly commonDirectory: string; readonly root: string },
): string {
  const inside = (directory: string): boolean => `${folder}/`.startsWith(`${directory}/`);
  const whose =
    inside(places.root) && !inside(places.commonDirectory)
      ? 'a folder of the project'
      : 'a folder that other repositories may share';
  const setting = `core.hooksPath (${scope}) has git look for hooks in ${folder}, ${whose}, so nothing was written there`;
  return `${setting}. Add this line to the pre-push hook there: ${CALL_LINE}`;
}
