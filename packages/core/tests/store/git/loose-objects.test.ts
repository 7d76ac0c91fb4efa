import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { plainRepository } from '@savepoint/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { syncLooseObjects } from '../../../src/store/git/objects/loose-objects.js';

const MINUTE = 60_000;
const made: string[] = [];

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function place(): { readonly objects: string; readonly marker: string; readonly tree: string; readonly now: number } {
  const fixture = plainRepository();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-marker-'));
  made.push(folder);
  return {
    objects: fixture.path('.git/objects'),
    marker: path.join(folder, 'synced-objects'),
    tree: fixture.git('rev-parse', 'HEAD^{tree}'),
    now: Date.now(),
  };
}

// That the objects themselves are synced, the cut power of tests/e2e/power-cut.test.ts shows.
describe('loose objects', () => {
  test('that git wrote a moment ago are synced, and it is noted up to when', async () => {
    const { tree, ...here } = place();
    await syncLooseObjects(here, [tree]);
    expect(readFileSync(here.marker, 'latin1')).toBe(`${String(here.now - 1000)}\n`);
  });

  test('that were synced are not synced again', async () => {
    const { tree, ...here } = place();
    await syncLooseObjects(here, [tree]);
    await syncLooseObjects({ ...here, now: here.now + 2 * MINUTE }, [tree]);
    expect(readFileSync(here.marker, 'latin1')).toBe(`${String(here.now + 2 * MINUTE - 1000)}\n`);
    await syncLooseObjects({ ...here, now: here.now + 4 * MINUTE }, [tree]);
    expect(readFileSync(here.marker, 'latin1')).toBe(`${String(here.now + 2 * MINUTE - 1000)}\n`);
  });

  test('that are old, in packs or not there at all cost nothing', async () => {
    const { tree, ...here } = place();
    await syncLooseObjects({ ...here, now: here.now + 11 * MINUTE }, [tree]);
    await syncLooseObjects(here, ['0'.repeat(40)]);
    await syncLooseObjects(here, []);
    expect(existsSync(here.marker)).toBe(false);
  });

  test('whose folder a gc removes while they are looked at are in a pack, and no reason to fail', async () => {
    const { tree, ...here } = place();
    // Listed, and gone when it is opened.
    const folder = ['00', '01', '02', '03', '04'].find((name) => !existsSync(path.join(here.objects, name))) ?? '';
    symlinkSync('nowhere', path.join(here.objects, folder));
    await syncLooseObjects(here, [tree]);
    expect(existsSync(here.marker)).toBe(true);
  });

  test('are synced again where the note is damaged', async () => {
    const { tree, ...here } = place();
    await syncLooseObjects(here, [tree]);
    writeFileSync(here.marker, '99999999999999\0\0');
    await syncLooseObjects(here, [tree]);
    expect(readFileSync(here.marker, 'latin1')).toBe(`${String(here.now - 1000)}\n`);
  });
});
