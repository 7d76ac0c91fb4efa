/** `recover`: completes or rolls back an operation that was interrupted. */
import type { OperationResult } from './perform.js';
import type { Repository } from './repository.js';

export interface RecoverRequest {
  readonly repository: Repository;
  /** Put everything back as it was before the operation; default: complete it. */
  readonly rollBack?: boolean;
}

export interface RecoverResult {
  /** `nothing`: no operation was open, and nothing was changed. */
  readonly outcome: 'nothing' | 'completed' | 'rolled_back';
  /** The operation that was open; `operation`, `snapshot` are there where it was completed. */
  readonly result?: OperationResult;
}
