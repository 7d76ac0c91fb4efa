/** Text of `maintain`. */
import type { MaintenanceReport } from '@savepoint/core';
import type { Line } from '../terminal/line.js';
import { counted } from './words/wording.js';

export function maintainView({ merged, removed, waiting, skipped }: MaintenanceReport): readonly Line[] {
  if (skipped !== undefined) return [`Nothing was done: ${skipped}.`];
  const lines: Line[] = [merged === 0 ? 'There was nothing to merge.' : `${counted(merged, 'pack')} became one.`];
  if (removed > 0) lines.push(`${counted(removed, 'superfluous pack')} removed.`);
  if (waiting > 0)
    lines.push(`${counted(waiting, 'superfluous pack')} will go when no git program is reading the repository.`);
  return lines;
}
