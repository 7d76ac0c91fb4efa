/** `at`: the state at a time, commit, tag or sequence number. */
import { resolveSelector } from '../../timeline/select/select.js';
import type { History } from '../repository/repository.js';
import { showSnapshot, type ShowResult } from './show.js';
import { viewAt } from '../repository/view-of.js';

export interface AtRequest {
  readonly repository: History;
  readonly selector: string;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}
export interface AtResult {
  /** How the selector was read, such as `the newest snapshot at or before 2026-11-21T01:00:00.000Z`. */
  readonly reading: string;
  readonly snapshot: ShowResult;
}

/**
 * Shows the state that a selector names, and how the selector was read. @throws as resolving a selector does
 * @example
 * const { reading, snapshot } = await at({ repository, selector: 'seq:1' });
 * console.log(reading, snapshot.shortId);
 */
export async function at(request: AtRequest): Promise<AtResult> {
  const view = await viewAt(request.repository, request.at);
  const { reading, snapshot } = await resolveSelector(view, request.selector);
  return { reading, snapshot: await showSnapshot(request, view, snapshot) };
}
