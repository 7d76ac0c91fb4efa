/** Buckets and windows: what is kept, what is refused. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/json.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { decodeActions, encodeActions } from '../../src/format/v1/state/actions.js';
import { BUCKET_LIMIT, bucketIndex, bucketPath } from '../../src/format/v1/state/buckets.js';
import { decodeItems, decodeWindow, encodeItems } from '../../src/format/v1/state/items.js';
import { decodeLedger } from '../../src/format/v1/state/ledger.js';
import { decodeSessions } from '../../src/format/v1/state/session.js';
import { failure } from './failure.js';
import { ACTIONS, ITEMS, LEDGER, WINDOW } from './state-vectors.js';

const json = (value: unknown): Uint8Array => canonicalJson(value as JsonValue);
const [ITEM] = ITEMS;

describe('a bucket', () => {
  it('holds its records by sequence, in whatever order they came', () => {
    expect(decodeItems(encodeItems(ITEMS.toReversed()))).toEqual(ITEMS);
    expect(decodeActions(encodeActions(ACTIONS.toReversed()))).toEqual(ACTIONS);
  });

  it('keeps fields that this version does not know', () => {
    const later = { ...ITEM, mood: { deep: [1] }, content: { ...ITEM?.content, encoding: 'utf-8' } };
    const bytes = json({ items: [later], more: true });
    const read = decodeItems(bytes);
    expect(read).toEqual([later]);
    expect(decodeItems(encodeItems(read))).toEqual([later]);
  });

  it('says where a restore took a record from', () => {
    const origin = { snapshot: 'e'.repeat(64), item: 'of another snapshot' };
    expect(decodeItems(json({ items: [{ ...ITEM, origin }] }))).toEqual([{ ...ITEM, origin }]);
    expect(failure(() => decodeItems(json({ items: [{ ...ITEM, origin: { item: 'x' } }] })))).toMatchObject({
      code: 'format_unreadable',
    });
  });

  it.each<[string, () => unknown]>([
    ['two records of one sequence', () => decodeItems(json({ items: [ITEM, ITEM] }))],
    [
      'more than sixteen',
      () => decodeItems(json({ items: Array.from({ length: 17 }, (_, sequence) => ({ ...ITEM, sequence })) })),
    ],
    ['a kind that nobody knows', () => decodeItems(json({ items: [{ ...ITEM, kind: 'frame' }] }))],
    [
      'a range that ends before it begins',
      () => decodeItems(json({ items: [{ ...ITEM, range: { from: 4, to: 3 } }] })),
    ],
    [
      'a place without its offset',
      () => decodeItems(json({ items: [{ ...ITEM, content: { ...ITEM?.content, place: { in: 'transcript' } } }] })),
    ],
    [
      'an offset where there is none',
      () =>
        decodeItems(
          json({
            items: [{ ...ITEM, content: { ...ITEM?.content, place: { in: 'content', offset: 1, pointers: [] } } }],
          }),
        ),
    ],
    ['a NUL byte in a path', () => decodeItems(json({ items: [{ ...ITEM, path: 'a\0b' }] }))],
    ['an action without reads', () => decodeActions(json({ actions: [{ ...ACTIONS[1], reads: 1 }] }))],
    ['tokens below zero', () => decodeLedger(json({ entries: [{ ...LEDGER[0], input: -1 }] }))],
    ['a run that ends before it begins', () => decodeWindow(json({ ...WINDOW, in: [{ from: 2, to: 1 }] }))],
    ['a session in a folder that is no name', () => decodeSessions(json({ sessions: [{ id: '../x' }] }))],
  ])('is refused with %s', (_, read) => {
    expect(failure(read).code).toMatch(/^(?:format_unreadable|invariant_broken)$/);
  });
});

it('a path names at most one bucket, and only in its own spelling', () => {
  for (const path of ['00/00/40.json', '3f/00/00.json', '0/0/0.json', '00/00/0A.json', 'window.json'])
    expect(bucketIndex(path)).toBeUndefined();
  expect(bucketIndex(bucketPath(BUCKET_LIMIT - 1))).toBe(BUCKET_LIMIT - 1);
  expect(failure(() => bucketPath(BUCKET_LIMIT)).code).toBe('invariant_broken');
});
