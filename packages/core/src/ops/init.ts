/** `init` and `uninstall`: the chained pre-push hook that keeps local refs local. */
import type { HookFiles, HookReport } from '../model/hook.js';
import type { Repository } from './repository/repository.js';

export interface InitRequest {
  readonly repository: Repository;
  readonly hooks: HookFiles;
}
export interface InitResult {
  readonly hooks: readonly HookReport[];
}

/**
 * Installs the guard; a hook that is there is kept and called after it. A second call changes nothing.
 * @example
 * const { hooks: installed } = await init({ repository, hooks });
 * console.log(installed.map(({ path }) => path));
 */
export async function init({ hooks }: InitRequest): Promise<InitResult> {
  return { hooks: [await hooks.install()] };
}

/**
 * Removes the guard and leaves the hooks byte for byte as they were before. Snapshots stay.
 * @example
 * await uninstall({ repository, hooks });
 */
export async function uninstall({ hooks }: InitRequest): Promise<InitResult> {
  return { hooks: [await hooks.uninstall()] };
}
