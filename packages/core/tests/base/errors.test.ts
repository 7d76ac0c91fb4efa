/** Texts of errors. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { counted, grouped } from '../../src/base/counted.js';
import { contextError } from '../../src/base/errors.js';
import { ERROR_TABLE, type ErrorEntry } from '../../src/base/error-table.js';

test('each code stands in one table only', () => {
  const folder = new URL('../../src/base/errors/', import.meta.url);
  const tables = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const codes = tables.flatMap((source) => [...source.matchAll(/^ {2}(\w+): \{$/gm)].map(([, code]) => code));
  expect(codes.sort()).toEqual(Object.keys(ERROR_TABLE).sort());
});

describe('a number before a noun', () => {
  test.each([
    [0, '0 paths'],
    [1, '1 path'],
    [2, '2 paths'],
    [1234567, '1,234,567 paths'],
  ])('is grouped and goes with it (%i)', (number, text) => {
    expect(counted(number, 'path')).toBe(text);
  });

  test('may be negative, or go with a plural of its own', () => {
    expect([grouped(-1234), counted(2, 'boundary', 'boundaries')]).toEqual(['-1,234', '2 boundaries']);
  });

  test('stands so in an error, too', () => {
    const left = (count: number): string => contextError('files_left_out', { operation: 'rewind', count }).message;
    expect(left(1)).toContain('left 1 path as it was,');
    expect(left(2000)).toContain('left 2,000 paths as they were,');
    expect(contextError('worktree_full', { directory: '/d', needed: 'more' }).message).toContain(
      'more bytes are needed',
    );
  });

  test('has no text of the table with a number and a bare plural', () => {
    const entries: readonly (readonly [string, ErrorEntry])[] = Object.entries(ERROR_TABLE);
    const bare = entries.filter(([, { message, hint = '' }]) => /\{(?:count|needed)\} \w/.test(message + hint));
    expect(bare).toEqual([]);
  });
});
