import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { systemRandom } from '../../../src/base/clock.js';
import { holdLock, isDead, thisProcess, type Holder } from '../../../src/store/git/locks/lock.js';
import { makeProgram } from './program.js';

const place = (): string => path.join(temporaryDirectory(), 'locks', 'one');
const hold = <T>(file: string, waitMilliseconds: number, work: () => Promise<T>): Promise<T> =>
  holdLock({ file, random: systemRandom, waitMilliseconds }, work);

function locked(content: unknown): string {
  const file = place();
  mkdirSync(path.dirname(file));
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The number of a process that has ended. */
function deadPid(): number {
  return spawnSync('true').pid;
}

const self = thisProcess();
const free = (): Promise<string> => Promise.resolve('worked');

describe('a lock', () => {
  test('is free again after the work, also when that failed, and leaves no file', async () => {
    const file = place();
    expect(await hold(file, 0, free)).toBe('worked');
    await expect(hold(file, 0, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await hold(file, 0, free)).toBe('worked');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('of a living process is waited for, and in the end refused with its name', async () => {
    const file = locked(self);
    await expect(hold(file, 30, free)).rejects.toMatchObject({ code: 'timeline_locked' });
    await expect(hold(file, 30, free)).rejects.toThrow(new RegExp(`process ${String(self.pid)} on`));
    expect(existsSync(file)).toBe(true);
  });

  const dead: readonly (readonly [string, () => Holder | string])[] = [
    ['a process that is gone', () => ({ ...self, pid: deadPid() })],
    ['an earlier process with the same number', () => ({ ...self, began: '1' })],
    ['another boot of this machine', () => ({ ...self, boot: 'another' })],
    ['a process of this boot when the machine had another name', () => ({ ...self, host: 'renamed', pid: deadPid() })],
    ['nobody: the file was torn by a power cut', () => ''],
    ['nobody: half a file', () => JSON.stringify(self).slice(0, 20)],
    ['nobody: something else', () => 'null'],
  ];
  test.each(dead)('of %s is taken over', async (_, holder) => {
    const file = locked(holder());
    expect(await hold(file, 1000, free)).toBe('worked');
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  const living: readonly (readonly [string, Holder])[] = [
    ['another machine', { ...self, host: 'elsewhere', boot: 'another', pid: 1 }],
    ['another container', { ...self, namespace: 'pid:[1]', pid: 999_999_999 }],
    ['this very process', self],
  ];
  test.each(living)('of %s is never taken over', async (_, holder) => {
    expect(isDead(holder)).toBe(false);
    await expect(hold(locked(holder), 20, free)).rejects.toMatchObject({ code: 'timeline_locked' });
  });

  test('of a zombie is taken over', async () => {
    // The shell becomes `sleep`, which never asks for its dead child.
    const parent = spawn('bash', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
      const state = (): string => readFileSync(`/proc/${String(pid)}/stat`, 'latin1').split(' ')[2] ?? '';
      while (state() !== 'Z') await new Promise((resolve) => setTimeout(resolve, 10));
      expect(isDead({ pid, host: self.host, boot: self.boot ?? '', namespace: self.namespace ?? '' })).toBe(true);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  test('whose taker died in the middle of a takeover is still taken over', async () => {
    const file = locked({ ...self, pid: deadPid() });
    mkdirSync(`${file}.takeover`);
    await expect(hold(file, 50, free)).rejects.toMatchObject({ code: 'timeline_locked' });
    utimesSync(`${file}.takeover`, 1, 1);
    expect(await hold(file, 1000, free)).toBe('worked');
  });

  test('is held by one of thirty processes at a time, also when some are killed inside', async () => {
    const program = makeProgram(`
      import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
      import { systemRandom } from 'core:base/clock.ts';
      import { holdLock } from 'core:store/git/locks/lock.ts';
      const [file, inside, log] = process.argv.slice(2);
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const alive = (pid) => { try { process.kill(pid, 0); return true; } catch { return false; } };
      for (let round = 0; round < 4; round += 1) {
        await holdLock({ file, random: systemRandom, waitMilliseconds: 100_000 }, async () => {
          try { writeFileSync(inside, String(process.pid), { flag: 'wx' }); }
          catch {
            const other = Number(readFileSync(inside, 'utf8'));
            // One that was killed looks alive until it is reaped, but never leaves.
            while (alive(other)) {
              await sleep(1);
              let now = '';
              try { now = readFileSync(inside, 'utf8'); } catch {}
              if (now !== String(other)) { console.log('two inside: ' + other); process.exit(3); }
            }
            writeFileSync(inside, String(process.pid));
          }
          await sleep(Math.random() * 6);
          if (Number(readFileSync(inside, 'utf8')) !== process.pid) process.exit(4);
          rmSync(inside);
        });
        appendFileSync(log, process.pid + '\\n');
      }`);
    const directory = temporaryDirectory();
    const [file, inside, log] = ['locks/one', 'inside', 'log'].map((name) => path.join(directory, name));
    const all = Array.from({ length: 30 }, () => program.start(file ?? '', inside ?? '', log ?? ''));
    // Once they are at work, every third is killed, wherever it is.
    while (!existsSync(log ?? '')) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const { child } of all.filter((_, at) => at % 3 === 0)) {
      await new Promise((resolve) => setTimeout(resolve, 7));
      child.kill('SIGKILL');
    }
    const ended = await Promise.all(all.map((one) => one.ended));
    expect(ended.filter(({ code }) => code !== 0 && code !== 'SIGKILL')).toEqual([]);
    expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThanOrEqual(20);
    // The last one may have been killed while it held the lock.
    expect(await hold(file ?? '', 1000, free)).toBe('worked');
    expect(readdirSync(path.join(directory, 'locks')).filter((name) => !name.endsWith('.tmp'))).toEqual([]);
  });
});
