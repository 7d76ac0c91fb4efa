/** The files that are to begin first are there. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../long-first.js';
import { ROOT } from './copied-tree.js';

it('every long test file that is named is there, once', () => {
  expect(LONG.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});
