import type { SpentTokens } from '@savepoint/core';
import { expect, test } from 'vitest';
import { spentCells, spentWords } from '../../src/views/words/spent.js';

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
const SOME = { ...NOTHING, input: 1000, output: 50 };

test.each<[SpentTokens, string, readonly string[]]>([
  [
    { ...SOME, requests: 2, costMicros: 1_500_000, unknown: { tokens: 0, cost: 0 } },
    '2 requests, 1,000 tokens in, 50 out, $1.50',
    ['1,050', '$1.50'],
  ],
  [
    { ...NOTHING, requests: 1, unknown: { tokens: 1, cost: 1 } },
    '1 request, tokens of all unknown',
    ['unknown', 'unknown'],
  ],
  [
    { ...SOME, requests: 3, costMicros: 1_500_000, unknown: { tokens: 1, cost: 2 } },
    '3 requests, 1,000 tokens in, 50 out, $1.50, tokens of 1 unknown, cost of 2 unknown',
    ['1,050+', '$1.50+'],
  ],
  // A request that was known before has grown.
  [
    { ...SOME, requests: 1, unknown: { tokens: 1, cost: 1 } },
    '1 request, 1,000 tokens in, 50 out, tokens of 1 unknown',
    ['1,050+', 'unknown'],
  ],
])('what is not known is not 0: %o', (spent, words, cells) => {
  expect(spentWords(spent)).toBe(words);
  expect(spentCells(spent)).toEqual(cells);
});

test('a snapshot without a request has spent nothing that could be shown', () => {
  expect(spentCells(undefined)).toEqual(['', '']);
});
