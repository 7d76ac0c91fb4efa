/** `init` and `uninstall`: the chained pre-push hook that keeps local refs local. */
import type { HookFiles, HookReport } from '../model/hook.js';
import type { Repository } from './repository.js';

export interface InitRequest {
  readonly repository: Repository;
  readonly hooks: HookFiles;
}
export interface InitResult {
  readonly hooks: readonly HookReport[];
}
export declare function init(request: InitRequest): Promise<InitResult>;
export declare function uninstall(request: InitRequest): Promise<InitResult>;
