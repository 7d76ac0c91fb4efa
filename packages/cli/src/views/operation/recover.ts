/** Text of `recover`. */
import type { RecoverResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { operationView } from './operation.js';

export function recoverView({ outcome, result, left }: RecoverResult, layout: Layout): readonly Line[] {
  if (outcome === 'nothing') return ['No operation is open: there is nothing to recover.'];
  const head =
    outcome === 'completed'
      ? 'The operation that was interrupted is complete now.'
      : 'The operation that was interrupted is rolled back: the files are as they were before it.';
  const told = outcome === 'completed' && result !== undefined;
  if (told) return [styled('good', head), ...operationView(result, { layout, known: false })];
  return [styled('good', head), ...left.map(({ path }): Line => ['  ', styled('bad', 'changed since'), ` ${path}`])];
}
