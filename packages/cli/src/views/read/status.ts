/** Text of `status`. */
import type { StatusResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { labelled } from '../../terminal/table.js';
import { age, counted, mark, shortKey, subject } from '../words/wording.js';

/** `now` in milliseconds. */
export function statusView(result: StatusResult, layout: Layout, now: number): readonly Line[] {
  const { warnings } = result;
  const lines = [styled('bold', 'Savepoint in '), styled('bold', result.root)];
  if (warnings.length === 0)
    return [
      lines,
      ...labelled(rows(result, layout, now)),
      styled('good', `${mark(true, layout)} Nothing needs your attention`),
    ];
  return [lines, ...labelled(rows(result, layout, now)), ...warnings.flatMap(warningLines)];
}

function rows(result: StatusResult, layout: Layout, now: number): readonly (readonly [string, Line])[] {
  const { snapshots, timelines, key, git, failures } = result;
  const { last } = failures;
  const all: readonly (readonly [string, Line] | undefined)[] = [
    ['head', headWords(result, now)],
    ['snapshots', `${counted(snapshots, 'snapshot')} on ${counted(timelines, 'timeline')}`],
    ['key', keyWords(key, layout)],
    ['git', `${git.version ?? 'version unknown'}, ${git.objectFormat}`],
    last && [
      'failures',
      styled(
        'bad',
        `${counted(failures.count, 'capture')} failed since, the last ${age(last.at, now)}: ${last.message}`,
      ),
    ],
    // The first capture gives them their ids.
    result.repository === ''
      ? undefined
      : ['store', `${result.repository.slice(0, 12)}, worktree ${result.worktree.slice(0, 12)}`],
  ];
  return all.filter((row) => row !== undefined);
}

function keyWords({ signer, problem }: StatusResult['key'], layout: Layout): Line {
  if (signer !== undefined) return shortKey(signer, layout);
  return problem === undefined ? 'none yet; the first capture makes one' : styled('bad', problem);
}

function headWords({ head }: StatusResult, now: number): Line {
  if (head === undefined) return 'none yet; `savepoint capture` takes the first snapshot';
  const message = head.message === '' ? '' : `  ${subject(head.message)}`;
  return [
    `${head.shortId}  ${age(head.createdAt, now)}${message}`,
    ...(head.complete ? [] : [styled('bad', ' (incomplete)')]),
  ];
}

function warningLines({ message, hint }: StatusResult['warnings'][number]): readonly Line[] {
  const line: Line = [styled('notice', 'warning: '), message];
  return hint === undefined ? [line] : [line, [styled('faint', '  hint: '), hint]];
}
