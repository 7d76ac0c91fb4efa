import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isStale } from '../../../src/store/git/ref-update.js';
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

const headOf = async ({ store }: StoreInGit): Promise<string | undefined> => (await store.refs(REF))[0]?.target;

describe('the lock of a ref', () => {
  test('of a git that died keeps nobody out for ever, and a fresh one is not touched', async () => {
    const bench = storeInGit();
    const id = commitOf(bench);
    const lock = locked(bench, 0);
    await expect(bench.store.updateRef(REF, id, undefined)).rejects.toMatchObject({ code: 'head_moved' });
    expect(existsSync(lock)).toBe(true);
    locked(bench, 3600);
    await bench.store.updateRef(REF, id, undefined);
    expect(await headOf(bench)).toBe(id);
    await bench.dispose();
  });

  test.skipIf(process.platform !== 'linux')(
    'is taken over after seconds, unless a git lives that may hold it',
    async () => {
      const bench = storeInGit();
      const id = commitOf(bench);
      const living = spawn('git', ['cat-file', '--batch'], { cwd: bench.fixture.root, stdio: 'pipe' });
      await once(living, 'spawn');
      locked(bench, 5);
      await expect(bench.store.updateRef(REF, id, undefined)).rejects.toMatchObject({ code: 'head_moved' });
      living.kill();
      await once(living, 'close');
      // Gits of other tests live, too, now and then.
      for (let tries = 0; (await headOf(bench)) === undefined && tries < 200; tries += 1) {
        await bench.store.updateRef(REF, id, undefined).catch(() => new Promise((resolve) => setTimeout(resolve, 50)));
      }
      expect(await headOf(bench)).toBe(id);
      await bench.dispose();
    },
  );

  test('takes a lock from before the start of the machine for one that nobody holds', () => {
    const [second, minute] = [1000, 60_000];
    const now = 1_000_000_000;
    expect(isStale({ made: now - 5 * minute, now, upMilliseconds: 4 * minute })).toBe(true);
    expect(isStale({ made: now - 5 * minute, now, upMilliseconds: 6 * minute })).toBe(false);
    expect(isStale({ made: now - 5 * second, now, upMilliseconds: 4 * second })).toBe(false);
    expect(isStale({ made: now - 11 * minute, now, upMilliseconds: 600 * minute })).toBe(true);
  });
});
