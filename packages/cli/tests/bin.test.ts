/** The start in a clone that is not built, and in one that cannot be. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const bin = fileURLToPath(new URL('../bin/savepoint.cjs', import.meta.url));
let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-bin-'));
  fs.mkdirSync(path.join(folder, 'bin'));
  fs.copyFileSync(bin, path.join(folder, 'bin', 'savepoint.cjs'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function start(): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [path.join(folder, 'bin', 'savepoint.cjs')], { encoding: 'utf8' });
}

test('what is not built is built first, and what the build says does not reach standard output', () => {
  const recipe = `
    import * as fs from 'node:fs';
    console.log('building');
    fs.mkdirSync(new URL('./dist/', import.meta.url));
    fs.writeFileSync(new URL('./dist/boot.cjs', import.meta.url), 'console.log("started")');`;
  fs.writeFileSync(path.join(folder, 'build.mjs'), recipe);
  expect(start()).toMatchObject({ status: 0, stdout: 'started\n', stderr: 'building\n' });
  expect(start()).toMatchObject({ status: 0, stdout: 'started\n', stderr: '' });
});

test('what cannot be built says what to run', () => {
  expect(start()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('Run `npm ci`') as string });
});
