import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { text, utf8 } from '../../../src/base/bytes.js';
import { systemRandom } from '../../../src/base/clock.js';
import { localFiles } from '../../../src/store/git/local-files.js';

const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-local-'));
  made.push(folder);
  return folder;
}

function local(folder = place()) {
  return localFiles(folder, systemRandom);
}

describe('local files', () => {
  test('the end of a file is read without the rest', async () => {
    const files = local();
    await files.append('cache/log', utf8('one\ntwo\nthree\n'));
    const end = async (count: number) => text((await files.readEnd('cache/log', count)) ?? utf8('none'));
    expect([await end(6), await end(14), await end(99)]).toEqual(['three\n', 'one\ntwo\nthree\n', 'one\ntwo\nthree\n']);
    expect(await files.readEnd('cache/other', 3)).toBeUndefined();
    await files.write('empty', utf8(''));
    expect(await files.readEnd('empty', 3)).toHaveLength(0);
  });

  test.each(['write', 'append'] as const)(
    'a directory in the place of a cache is none, and a %s makes it anew',
    async (verb) => {
      const folder = place();
      const files = local(folder);
      mkdirSync(path.join(folder, 'cache/heads/one/inside'), { recursive: true });
      writeFileSync(path.join(folder, 'cache/heads/one/inside/file'), 'x');
      expect(await files.read('cache/heads/one')).toBeUndefined();
      expect(await files.read('cache/heads/one', { packed: true })).toBeUndefined();
      expect(await files.readEnd('cache/heads/one', 3)).toBeUndefined();
      await files[verb]('cache/heads/one', utf8('new'));
      expect(text((await files.read('cache/heads/one')) ?? utf8('none'))).toBe('new');
    },
  );

  test('a directory in the place of what is no cache is never taken for nothing, or removed', async () => {
    const folder = place();
    const files = local(folder);
    mkdirSync(path.join(folder, 'store.json'));
    await expect(files.read('store.json')).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(files.write('store.json', utf8('{}'))).rejects.toMatchObject({ code: 'store_unwritable' });
  });
});
