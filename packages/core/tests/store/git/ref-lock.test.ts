import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isStale, removeJudged } from '../../../src/store/git/refs/ref-lock.js';
import { applyOnce, RefUpdate } from '../../../src/store/git/ref-update.js';
import { storeInGit, type StoreInGit } from './fixture.js';

const REF = `timelines/${'a'.repeat(32)}`;

function locked({ fixture }: StoreInGit, secondsAgo: number): string {
  const lock = fixture.path('.git/refs/savepoint/v1', `${REF}.lock`);
  mkdirSync(path.dirname(lock), { recursive: true });
  writeFileSync(lock, '');
  const then = Date.now() / 1000 - secondsAgo;
  utimesSync(lock, then, then);
  return lock;
}

function commitOf({ fixture }: StoreInGit): string {
  return fixture.git('commit-tree', '-m', 'x', fixture.git('hash-object', '-t', 'tree', '-w', '/dev/null'));
}

async function started({ fixture }: StoreInGit, ...args: readonly string[]): Promise<ChildProcess> {
  const living = spawn('git', args, { cwd: fixture.root, stdio: 'pipe' });
  await once(living, 'spawn');
  return living;
}

function update({ place }: StoreInGit, target: string, waitMilliseconds: number): Promise<void> {
  const change = { name: REF, target, expected: undefined };
  return applyOnce(new RefUpdate(place.user, place.commonDirectory, waitMilliseconds), [change]);
}

const headOf = async ({ store }: StoreInGit): Promise<string | undefined> => (await store.refs(REF))[0]?.target;

describe('the lock of a ref', () => {
  test('is waited for, and named if it stays', async () => {
    const bench = storeInGit();
    const id = commitOf(bench);
    const lock = locked(bench, 0);
    await expect(update(bench, id, 100)).rejects.toMatchObject({ code: 'ref_locked', data: { lock } });
    expect(existsSync(lock)).toBe(true);
    const waiting = bench.store.updateRef(REF, id, undefined);
    await pause(300);
    rmSync(lock);
    await waiting;
    expect(await headOf(bench)).toBe(id);
    await bench.dispose();
  });

  test('that another git ends with a move of the head is no lock but a lost race', async () => {
    const bench = storeInGit();
    const [mine, others] = [commitOf(bench), commitOf(bench)];
    const lock = locked(bench, 0);
    const waiting = bench.store.updateRef(REF, mine, 'e'.repeat(40));
    await pause(200);
    writeFileSync(lock.replace(/\.lock$/, ''), `${others}\n`);
    rmSync(lock);
    await expect(waiting).rejects.toMatchObject({ code: 'head_moved' });
    await bench.dispose();
  });

  test('of a git that died long ago is taken away', async () => {
    const bench = storeInGit();
    const id = commitOf(bench);
    locked(bench, 3600);
    await update(bench, id, 100);
    expect(await headOf(bench)).toBe(id);
    await bench.dispose();
  });

  test.skipIf(process.platform !== 'linux')(
    'of a git that was just killed is waited for until it may be taken away, unless a git lives that may hold it',
    async () => {
      const bench = storeInGit();
      const id = commitOf(bench);
      const living = await started(bench, 'update-ref', '--stdin');
      locked(bench, 1.9);
      await expect(update(bench, id, 500)).rejects.toMatchObject({ code: 'ref_locked' });
      living.kill();
      await once(living, 'close');
      locked(bench, 1.5);
      await update(bench, id, 60_000);
      expect(await headOf(bench)).toBe(id);
      await bench.dispose();
    },
  );

  test.skipIf(process.platform !== 'linux').each([
    ['that only reads', ['cat-file', '--batch'], 2.5],
    ['that began after it was made', ['update-ref', '--stdin'], 60],
  ] as const)('is not held by a git %s', async (_, args, secondsAgo) => {
    const bench = storeInGit();
    const id = commitOf(bench);
    const living = await started(bench, ...args);
    locked(bench, secondsAgo);
    // Gits of other tests may be at work for a while.
    await update(bench, id, 60_000);
    expect(living.exitCode).toBeNull();
    expect(await headOf(bench)).toBe(id);
    living.kill();
    await once(living, 'close');
    await bench.dispose();
  });

  test('does not take the lock of somebody who began while the one before was judged', async () => {
    const bench = storeInGit();
    const lock = locked(bench, 60);
    const judged = statSync(lock);
    rmSync(lock);
    locked(bench, 0);
    expect(removeJudged(lock, judged)).toBe(false);
    expect(existsSync(lock)).toBe(true);
    expect(removeJudged(lock, statSync(lock))).toBe(true);
    expect(removeJudged(lock, judged)).toBe(true);
    expect(existsSync(lock)).toBe(false);
    await bench.dispose();
  });

  test('takes a lock from before the start of the machine for one that nobody holds', () => {
    const [second, minute] = [1000, 60_000];
    const now = 1_000_000_000;
    expect(isStale({ made: now - 5 * minute, now, upMilliseconds: 4 * minute })).toBe(true);
    expect(isStale({ made: now - 5 * minute, now, upMilliseconds: 6 * minute })).toBe(false);
    expect(isStale({ made: now - 5 * second, now, upMilliseconds: 4 * second })).toBe(false);
    expect(isStale({ made: now - 11 * minute, now, upMilliseconds: 600 * minute })).toBe(true);
  });
});
