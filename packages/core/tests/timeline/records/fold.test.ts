import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/base/json.js';
import type { ActionRecord } from '../../../src/model/context/action.js';
import type { ItemRecord } from '../../../src/model/context/item.js';
import type { LedgerEntry } from '../../../src/model/context/ledger.js';
import type { RecordChanges, StoredLine } from '../../../src/timeline/records/fold.js';
import {
  dialectOf,
  foldOf,
  linesOf,
  newFold,
  RECORDED,
  recordedLog,
  readPlace,
  type RecordedName,
} from './recorded.js';
import type { LogDialect } from '../../../src/agents/log-reader.js';

const NAMES = Object.keys(RECORDED) as RecordedName[];

/** Folds with a new fold after each cut, from the plain data of the one before, and puts together what each gave. */
function foldInPieces(lines: readonly StoredLine[], cuts: ReadonlySet<number>, dialect: LogDialect): RecordChanges {
  let fold = newFold(undefined, dialect);
  const items = new Map<number, ItemRecord>();
  const actions = new Map<number, ActionRecord>();
  const ledger = new Map<number, LedgerEntry>();
  const take = (): RecordChanges => {
    const taken = fold.take();
    for (const item of taken.items) items.set(item.sequence, item);
    for (const action of taken.actions) actions.set(action.sequence, action);
    for (const entry of taken.ledger) ledger.set(entry.sequence, entry);
    return taken;
  };
  lines.forEach((line, index) => {
    if (cuts.has(index)) {
      take();
      fold = newFold(JSON.parse(JSON.stringify(fold.state())) as JsonValue, dialect);
    }
    fold.push(line);
  });
  const last = take();
  return { ...last, items: [...items.values()], actions: [...actions.values()], ledger: [...ledger.values()] };
}

describe.each(NAMES)('the records of %s', (name) => {
  const log = recordedLog(name);
  const lines = linesOf(log);
  const dialect = dialectOf(name);

  test('are the same in one pass as in pieces cut at any lines, each begun from plain data', () => {
    const whole = foldOf(lines, dialect);
    expect(foldInPieces(lines, new Set(lines.map((_, index) => index)), dialect)).toEqual(whole);
    const cuts = fc.uniqueArray(fc.nat({ max: lines.length - 1 }), { maxLength: 12 });
    fc.assert(
      fc.property(cuts, (at) => {
        expect(foldInPieces(lines, new Set(at), dialect)).toEqual(whole);
      }),
      { numRuns: 6 },
    );
  });

  test('name bytes that stand in the log, and say nothing of them that the bytes say themselves', () => {
    const { items, actions } = foldOf(lines, dialect);
    const contents = items.flatMap(({ content, sent }) => (sent === undefined ? [content] : [content, sent]));
    const outputs = actions.flatMap((action) => [action.arguments, action.output].filter((one) => one !== undefined));
    for (const reference of [...contents, ...outputs]) {
      const bytes = readPlace(log, reference) ?? new Uint8Array();
      expect(bytes.length).toBe(reference.bytes);
      expect(reference.blob).toBeUndefined();
    }
    expect(contents.length).toBeGreaterThan(4);
  });

  test('are numbered without gaps', () => {
    const { items, actions, ledger, session } = foldOf(lines, dialect);
    expect(items.map(({ sequence }) => sequence)).toEqual(items.map((_, index) => index));
    expect(actions.map(({ sequence }) => sequence)).toEqual(actions.map((_, index) => index));
    expect(session.totals).toMatchObject({ items: items.length, actions: actions.length, requests: ledger.length });
  });
});
