/** `maintain`: keeps the store small; a capture starts it in the background when it is due. */
import type { MaintenanceReport } from '../model/maintenance.js';
import type { Repository } from './repository/repository.js';

export interface MaintainRequest {
  readonly repository: Pick<Repository, 'maintenance'>;
}

/**
 * Merges the small packs that captures added, and removes those that a merge made superfluous when no git program can
 * be reading them. What it cannot do now it leaves for the next time.
 * @example
 * const { merged } = await maintain({ repository });
 * console.log(merged);
 */
export function maintain({ repository }: MaintainRequest): Promise<MaintenanceReport> {
  return repository.maintenance.run();
}
