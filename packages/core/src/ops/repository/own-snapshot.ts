/** Which snapshots may be written back, or published: those that this repository made itself. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { Repository } from './repository.js';

/**
 * What others made is shown only: its author says what was there and what was not, and nobody here can tell.
 * @throws snapshot_foreign
 */
export function demandOwn({ id: own }: Pick<Repository, 'id'>, { id, body, foreign }: LoadedSnapshot): void {
  const isHere = own === '' || body.repository === own;
  if (foreign === undefined && isHere) return;
  const reason = foreign === undefined ? 'was made in another repository' : 'was imported';
  throw contextError('snapshot_foreign', { snapshot: shortId(id), reason });
}
