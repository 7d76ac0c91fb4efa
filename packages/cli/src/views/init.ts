/** Text of `init` and `uninstall`. */
import type { HookReport, InitResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../terminal/line.js';
import { mark } from './words/wording.js';

export function initView({ hooks }: InitResult, layout: Layout): readonly Line[] {
  const next = hooks.some(({ installed }) => installed)
    ? ['No push sends local snapshots now. Next: `savepoint capture`.']
    : ['The snapshots are still there: `savepoint list`.'];
  return [...hooks.flatMap((hook) => hookLines(hook, layout)), ...next];
}

function hookLines({ hook, path, installed, changed, chained, problem }: HookReport, layout: Layout): readonly Line[] {
  const done = installed ? (changed ? 'installed' : 'was installed already') : changed ? 'removed' : 'is not installed';
  const line: Line = [
    styled(problem === undefined ? 'good' : 'notice', mark(problem === undefined, layout)),
    ` ${hook} hook ${done}: ${path}`,
  ];
  return chained === undefined ? [line] : [line, `  it calls the hook that was there first: ${chained}`];
}
