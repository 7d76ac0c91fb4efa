/** Text of `import`. */
import type { ImportedSnapshot, ImportResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { labelled } from '../../terminal/table.js';
import { clockTime, counted, grouped, shortId, subject, verdictPiece } from '../words/wording.js';

export function importView({ snapshots }: ImportResult, layout: Layout): readonly Line[] {
  return [
    ...snapshots.flatMap((snapshot) => snapshotLines(snapshot, layout)),
    ...(snapshots.every(({ own }) => own) ? [] : [styled('faint', FOREIGN)]),
  ];
}

const FOREIGN =
  'This is the record of somebody else: look at it with `savepoint show`, and believe it as far as you trust its signer.';

function snapshotLines(snapshot: ImportedSnapshot, layout: Layout): readonly Line[] {
  const { id, verdict, own, added, signer, createdAt, message, withheld, parents } = snapshot;
  const state = own ? 'is your own, and here already' : added === 0 ? 'was here already' : 'imported';
  const absent = parents.filter((parent) => parent.state === 'withheld').map((parent) => shortId(parent.id));
  const rows: readonly (readonly [string, Line] | undefined)[] = [
    ['signer', signer],
    ['time', clockTime(createdAt)],
    message === '' ? undefined : ['message', subject(message)],
    added === 0 ? undefined : ['new', counted(added, 'file')],
    withheld.length === 0 ? undefined : ['withheld', withheld.slice(0, SHOWN).join(', ') + more(withheld.length)],
    absent.length === 0 ? undefined : ['parents', `${absent.join(', ')} withheld`],
  ];
  return [
    ['Snapshot ', styled('bold', shortId(id)), ` ${state}  `, verdictPiece(verdict, layout)],
    ...labelled(rows.filter((row) => row !== undefined)),
  ];
}

const SHOWN = 8;

function more(count: number): string {
  return count > SHOWN ? `, and ${grouped(count - SHOWN)} more` : '';
}
