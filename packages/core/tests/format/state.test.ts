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

  it('says of tokens only what its bytes do not say', () => {
    const [estimated, counted] = [
      { count: 4, estimated: true },
      { count: 5, estimated: true },
    ];
    const bytes = ITEMS.slice(0, 1).map((item) =>
      [estimated, counted].map((tokens) => encodeItems([{ ...item, tokens }])),
    );
    const [without, with_] = bytes.flat().map((one) => Buffer.from(one).toString('utf8'));
    expect([without?.includes('tokens'), with_?.includes('"tokens":{"count":5')]).toEqual([false, true]);
    expect(decodeItems(bytes[0]?.[0] ?? new Uint8Array())[0]?.tokens).toEqual(estimated);
    expect(decodeItems(bytes[0]?.[1] ?? new Uint8Array())[0]?.tokens).toEqual(counted);
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
      'more than its share',
      () => decodeItems(json({ items: Array.from({ length: 33 }, (_, sequence) => ({ ...ITEM, sequence })) })),
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
    [
      'a blob id of what stands in the log',
      () => decodeItems(json({ items: [{ ...ITEM, content: { ...ITEM?.content, blob: 'a'.repeat(40) } }] })),
    ],
    [
      'no blob id of what stands elsewhere',
      () => decodeItems(json({ items: [{ ...ITEM, content: { bytes: 1, place: { in: 'content' } } }] })),
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
  const others = ['20.json', '00/00.json', '1f/00.json', '20/40.json', '30/00.json', '30/00/40.json', '2f/00/00.json'];
  for (const path of [
    ...others,
    '3f/00/00.json',
    '3f.json',
    '0.json',
    '0A.json',
    '00',
    '30/00/00/00.json',
    'window.json',
  ])
    expect(bucketIndex(path)).toBeUndefined();
  for (let index = 0, before = ''; index < BUCKET_LIMIT; index += index < 1200 ? 1 : 97) {
    const path = bucketPath(index);
    if (bucketIndex(path) !== index || path <= before) throw new Error(`bucket ${String(index)} lies at ${path}`);
    before = path;
  }
  expect(bucketIndex(bucketPath(BUCKET_LIMIT - 1))).toBe(BUCKET_LIMIT - 1);
  expect(failure(() => bucketPath(BUCKET_LIMIT)).code).toBe('invariant_broken');
});
