import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { IndexLock } from '../../src/worktree/index/index-lock.js';

const folders: string[] = [];

function indexFile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'savepoint-index-'));
  folders.push(folder);
  return path.join(folder, 'index');
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("the lock of the user's index", () => {
  test('is there as long as it is held, and leaves nothing', () => {
    const index = indexFile();
    const lock = new IndexLock(index);
    writeFileSync(lock.draft, 'an index');
    expect(existsSync(`${index}.lock`)).toBe(true);
    lock.release();
    expect(readdirSync(path.dirname(index))).toEqual([]);
  });

  test('of a process that died is taken over, with what it left', () => {
    const index = indexFile();
    const dead = new IndexLock(index);
    writeFileSync(dead.draft, 'half an index');
    const lock = new IndexLock(index);
    expect(existsSync(dead.draft)).toBe(false);
    lock.release();
    expect(readdirSync(path.dirname(index))).toEqual([]);
  });

  test.each(['', 'DIRC\0\0\0\u0002', 'savepoint holds this lock\nand more'])(
    'that is not ours is left alone: %j',
    (content) => {
      const index = indexFile();
      writeFileSync(`${index}.lock`, content);
      expect(() => new IndexLock(index)).toThrow(expect.objectContaining({ code: 'index_locked' }));
      expect(readFileSync(`${index}.lock`, 'utf8')).toBe(content);
      expect(readdirSync(path.dirname(index))).toEqual(['index.lock']);
    },
  );
});
