/** Text of `at`: how the words were read, then the snapshot. */
import type { AtResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { showView } from './show.js';

export function atView({ reading, snapshot }: AtResult, layout: Layout): readonly Line[] {
  return [styled('faint', `Read as ${reading}`), ...showView(snapshot, layout)];
}
