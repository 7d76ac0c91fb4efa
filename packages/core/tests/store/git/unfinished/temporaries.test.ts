import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, systemRandom } from '../../../../src/base/clock.js';
import { incomingName } from '../../../../src/store/git/unfinished/incoming.js';
import { localFiles } from '../../../../src/store/git/local-files.js';
import { packMaintenance } from '../../../../src/store/git/packs/pack-maintenance.js';
import { gitProcess } from '../../../../src/store/git/system/process.js';
import { sweepTemporaries, temporaryFor } from '../../../../src/store/git/unfinished/temporaries.js';

const HOUR = 60 * 60 * 1000;
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const name = mkdtempSync(path.join(os.tmpdir(), 'savepoint-left-'));
  made.push(name);
  return name;
}

/** Leaves a file that is so many hours old. */
function leave(file: string, hours: number): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'half');
  const time = (systemClock.now() - hours * HOUR) / 1000;
  utimesSync(file, time, time);
  return file;
}

/** Returns a temporary name of a process that is dead: that of a living one with another beginning. */
function deadNameFor(file: string): string {
  const [pid = '', , where = '', chance = ''] = incomingName(systemRandom).split('-');
  return `${file}.${[pid, '1', where, chance].join('-')}.tmp`;
}

describe('files that killed processes left half-written', () => {
  test('go when they are old and their process is dead', () => {
    const root = folder();
    const old = leave(deadNameFor(path.join(root, 'failures.json')), 2);
    const deep = leave(deadNameFor(path.join(root, 'scan', 'worktree', 'memory.json')), 2);
    const young = leave(deadNameFor(path.join(root, 'catalogue')), 0.5);
    sweepTemporaries(root, systemClock);
    expect([old, deep, young].map((file) => existsSync(file))).toEqual([false, false, true]);
  });

  test('stay while their process lives, up to a day', () => {
    const root = folder();
    const living = leave(temporaryFor(path.join(root, 'store.json'), systemRandom), 23);
    const forgotten = leave(temporaryFor(path.join(root, 'store.json'), systemRandom), 25);
    sweepTemporaries(root, systemClock);
    expect([living, forgotten].map((file) => existsSync(file))).toEqual([true, false]);
  });

  test('go after a day where the name tells no process', () => {
    const root = folder();
    const names = ['locks/worktree-1.0123456789ab.tmp', 'packs.4711.tmp'];
    const young = names.map((name) => leave(path.join(root, 'young', name), 23));
    const old = names.map((name) => leave(path.join(root, 'old', name), 25));
    sweepTemporaries(root, systemClock);
    expect([...young, ...old].map((file) => existsSync(file))).toEqual([true, true, false, false]);
  });

  test('are the only ones that go, and no link is followed', () => {
    const root = folder();
    const elsewhere = leave(path.join(folder(), 'theirs.0123456789ab.tmp'), 100);
    symlinkSync(path.dirname(elsewhere), path.join(root, 'link'));
    symlinkSync(elsewhere, path.join(root, 'linked.0123456789ab.tmp'));
    const others = ['store.json', 'notes.tmp', 'x.0123456789ab.tmp.bak'].map((name) =>
      leave(path.join(root, name), 99),
    );
    sweepTemporaries(root, systemClock);
    expect([elsewhere, ...others].every((file) => existsSync(file))).toBe(true);
  });

  test('go when packs are looked after', async () => {
    const root = folder();
    const left = leave(deadNameFor(path.join(root, 'savepoint', 'failures.json')), 2);
    const local = localFiles(path.join(root, 'savepoint'), systemRandom);
    const git = gitProcess({ directory: root, environment: { PATH: process.env['PATH'] } });
    const place = { objects: path.join(root, 'objects'), commonDirectory: root, root, git, local };
    await packMaintenance({ ...place, clock: systemClock, random: systemRandom }).run();
    expect(existsSync(left)).toBe(false);
  });

  test('say by their names whose they are, also those of a process that was killed', async () => {
    const root = folder();
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const [, began = '', where = '', chance = ''] = incomingName(systemRandom).split('-');
    const name = (start: string): string =>
      path.join(root, `a.${[String(child.pid), start, where, chance].join('-')}.tmp`);
    const left = leave(name('0'), 2);
    sweepTemporaries(root, systemClock);
    expect(existsSync(left)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'close');
    sweepTemporaries(root, systemClock);
    expect(existsSync(left)).toBe(false);
    expect(began).toMatch(/^\d+$/);
  });
});
