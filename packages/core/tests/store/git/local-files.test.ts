import { mkdtempSync, rmSync } from 'node:fs';
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

function local() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-local-'));
  made.push(folder);
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
});
