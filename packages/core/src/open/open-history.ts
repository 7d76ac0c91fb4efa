/** Opens a repository for those who only look at its snapshots: without what scans, writes, or reads the logs of agents. */
import type { History } from '../ops/repository/repository.js';
import { gitHistory } from '../store/git/git-store.js';
import { beginOpening, historyOf, type OpenRequest } from './opening.js';

/** What is open until `repository.close()`. */
export interface OpenedHistory {
  readonly repository: History;
  /** Sentences for the user, such as a setting that no version knows. */
  readonly warnings: readonly string[];
}

/**
 * Opens the repository that a directory belongs to as far as `list`, `timeline`, `show` and `at` need it. It is there sooner
 * than with `openRepository`.
 * @throws as `openRepository` does
 * @example
 * const { repository } = await openHistory({ directory: process.cwd(), env: process.env });
 * const { snapshots } = await list({ repository });
 * await repository.close();
 */
export async function openHistory(request: OpenRequest): Promise<OpenedHistory> {
  const opening = await beginOpening(request);
  const { parts, warnings } = opening;
  const { user, early } = parts;
  const { objectFormat, gitDirectory, commonDirectory } = parts.found;
  const store = gitHistory({ user, early, objectFormat, gitDirectory, commonDirectory });
  return { repository: historyOf(opening, store), warnings };
}
