import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { releaseAbandoned } from '../../../../src/store/git/unfinished/kept-pack.js';

test('what a dead process kept is released, and what a person keeps is not', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'savepoint-keep-'));
  const [folder, packs] = ['left', 'packs'].map((name) => path.join(base, name)) as [string, string];
  for (const each of [folder, packs]) mkdirSync(each);
  const contents = { a: 'savepoint\n', b: '', c: 'pinned by a person\n' };
  const nameOf = (digit: string): string => `pack-${digit.repeat(40)}.keep`;
  for (const [digit, content] of Object.entries(contents)) {
    writeFileSync(path.join(folder, nameOf(digit)), '');
    writeFileSync(path.join(packs, nameOf(digit)), content);
  }
  releaseAbandoned(folder, packs);
  expect(readdirSync(packs)).toEqual([nameOf('c')]);
  rmSync(base, { recursive: true });
});
