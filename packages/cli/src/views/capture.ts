/** Text of `capture`. */
import type { CaptureResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../terminal/line.js';
import { labelled } from '../terminal/table.js';
import { omissionLines, redactionWords } from './words/losses.js';
import { anchorWords, counted, mark, shortKey, size, sliceNames, subject } from './words/wording.js';

export function captureView(result: CaptureResult, layout: Layout): readonly Line[] {
  const { id, shortId, unchanged, omitted } = result;
  if (unchanged) {
    const sentence = ' is unchanged: nothing differs from it, so no new snapshot was made';
    return [['Snapshot ', styled('bold', shortId), sentence], ...labelled([['id', id]]), ...lossLines(omitted)];
  }
  return [
    ['Snapshot ', styled('bold', shortId), ' captured'],
    ...labelled(rows(result, layout)),
    ...lossLines(omitted),
  ];
}

function rows(result: CaptureResult, layout: Layout): readonly (readonly [string, Line])[] {
  const { id, message, tags, anchor, totals, boundaries, session, slices, redactions, signer } = result;
  const agent = session && `${session.agent} ${session.id}${session.guessed === true ? ' (guessed)' : ''}`;
  const kept = boundaries.length === 0 ? '' : `; ${counted(boundaries.length, 'boundary', 'boundaries')} left alone`;
  const all: readonly (readonly [string, Line] | undefined)[] = [
    ['id', id],
    message === '' ? undefined : ['message', subject(message)],
    tags.length === 0 ? undefined : ['tags', tags.join(', ')],
    ['commit', anchorWords(anchor)],
    ['files', `${counted(totals.files, 'file')}, ${size(totals.bytes)}${kept}`],
    agent === undefined ? undefined : ['session', agent],
    ['slices', sliceNames(slices, layout)],
    redactions.count === 0 ? undefined : ['redacted', redactionWords(result)],
    ['signed', signer === '' ? styled('bad', 'no') : `${shortKey(signer, layout)} ${mark(true, layout)}`],
  ];
  return all.filter((row) => row !== undefined);
}

function lossLines(omitted: CaptureResult['omitted']): readonly Line[] {
  if (omitted.length === 0) return [];
  return [styled('bad', `Left out: ${counted(omitted.length, 'path')}`), ...omissionLines(omitted)];
}
