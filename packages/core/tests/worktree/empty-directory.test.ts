import { existsSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ContextError } from '../../src/base/errors.js';
import { emptyDirectory } from '../../src/worktree/empty-directory.js';

const base = (): string => realpathSync(mkdtempSync(path.join(os.tmpdir(), 'savepoint-empty-')));

function refusal(directory: string): unknown {
  try {
    return emptyDirectory(directory, []);
  } catch (error) {
    return error instanceof ContextError ? error.code : error;
  }
}

test('a directory is made with all above it', () => {
  const wanted = path.join(base(), 'a', 'b', 'c');
  expect(emptyDirectory(wanted, [])).toBe(wanted);
  expect(emptyDirectory(wanted, [])).toBe(wanted);
});

test('what is a file, or lies below one, is no directory', () => {
  const file = path.join(base(), 'file');
  writeFileSync(file, '');
  for (const place of [file, path.join(file, 'below')]) expect(refusal(place)).toBe('directory_unusable');
});

test('a file system that makes no directories is an end', () => {
  if (existsSync('/proc/self')) expect(refusal('/proc/savepoint/below')).toBe('directory_unusable');
});
