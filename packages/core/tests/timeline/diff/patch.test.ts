import { expect, test } from 'vitest';
import { takeBackHunks, textChange } from '../../../src/timeline/diff/patch.js';

const lines = (count: number, end = ''): string =>
  Array.from({ length: count }, (_, index) => `${String(index)}${end}\n`).join('');

test('a file of any number of lines has a patch, whether it is new, gone or other in each line', () => {
  const [old, young] = [lines(200_000), lines(200_000, 'x')];
  expect(textChange('', old)).toMatchObject({ insertions: 200_000, deletions: 0 });
  expect(textChange(old, '')).toMatchObject({ insertions: 0, deletions: 200_000 });
  expect(textChange(old, young)).toMatchObject({ insertions: 200_000, deletions: 200_000 });
  expect(takeBackHunks(old, young, new Set([1]))).toEqual({ text: old, count: 1 });
});
