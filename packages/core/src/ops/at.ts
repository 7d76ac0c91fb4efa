/** `at`: the state at a time, commit, tag or sequence number. */
import type { Repository } from './repository.js';
import type { ShowResult } from './show.js';

export interface AtRequest {
  readonly repository: Repository;
  readonly selector: string;
}
export interface AtResult {
  /** How the selector was read, such as `the newest snapshot at or before 2026-11-21T01:00:00.000Z`. */
  readonly reading: string;
  readonly snapshot: ShowResult;
}
export declare function at(request: AtRequest): Promise<AtResult>;
