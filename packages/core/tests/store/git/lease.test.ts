import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/clock.js';
import { fileLease } from '../../../src/store/git/locks/lease.js';
import { thisProcess } from '../../../src/store/git/locks/lock.js';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-lease-'));
  file = path.join(folder, 'deep', 'lease');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const me = `process ${String(process.pid)} on ${os.hostname()}`;

test('a lease has one holder, who is named to all others, this process included', () => {
  const [one, other] = [fileLease(file, systemRandom), fileLease(file, systemRandom)];
  expect([one.holder(), one.take(), one.holder(), other.holder()]).toEqual([undefined, undefined, me, me]);
  expect([one.take(), other.take()]).toEqual([me, me]);
  one.release();
  expect([one.holder(), other.take(), other.holder()]).toEqual([undefined, undefined, me]);
});

test('whoever does not hold it any more takes it from nobody', () => {
  const [one, other] = [fileLease(file, systemRandom), fileLease(file, systemRandom)];
  one.take();
  one.release();
  other.take();
  one.release();
  expect(other.holder()).toBe(me);
});

test('a dead holder, one of another boot, and a damaged file are no holders', () => {
  const lease = fileLease(file, systemRandom);
  lease.take();
  const gone = spawnSync('true').pid;
  for (const text of [
    JSON.stringify({ ...thisProcess(), pid: gone }),
    JSON.stringify({ ...thisProcess(), boot: 'another' }),
    JSON.stringify({ ...thisProcess(), began: '1' }),
    '{"pid":',
    '',
  ]) {
    writeFileSync(file, text);
    const next = fileLease(file, systemRandom);
    expect({ text, holder: next.holder(), taken: next.take() }).toEqual({ text, holder: undefined, taken: undefined });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(thisProcess());
  }
});

test('a holder on another machine is believed to live', () => {
  const lease = fileLease(file, systemRandom);
  lease.take();
  writeFileSync(file, JSON.stringify({ pid: 1, host: 'elsewhere' }));
  expect(fileLease(file, systemRandom).take()).toBe('process 1 on elsewhere');
  expect(existsSync(file)).toBe(true);
});
