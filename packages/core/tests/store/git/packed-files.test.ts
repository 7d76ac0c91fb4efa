import * as fs from 'node:fs';
import * as os from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { localFiles } from '../../../src/store/git/local-files.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'packed-'));
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

it('a packed file takes less room and is read as it was; one that cannot be unpacked is none', async () => {
  const local = localFiles(folder, { hex: (digits) => '7'.repeat(digits) });
  const bytes = Buffer.alloc(100_000, 'records');
  await local.write('cache/x', bytes, { cache: true, packed: true });
  expect(fs.statSync(path.join(folder, 'cache/x')).size).toBeLessThan(bytes.length / 10);
  expect(Buffer.from((await local.read('cache/x', { packed: true })) ?? []).equals(bytes)).toBe(true);
  fs.writeFileSync(path.join(folder, 'cache/x'), '{"trees":{}}');
  expect(await local.read('cache/x', { packed: true })).toBeUndefined();
  expect(await local.read('cache/none', { packed: true })).toBeUndefined();
});
