import { removeTree } from '@savepoint/testkit';
import { afterEach, expect, test } from 'vitest';
import { ContextError } from '../../../src/base/errors.js';
import type { Disk } from '../../../src/worktree/replace/disk/disk.js';
import { bench, contentOf, quickFolder, replaceAll, requestOf, type Bench } from './bench.js';
import { faultyDisk, type Fault } from './faulty-disk.js';
import { FROM, TO } from './sample.js';
import { changesBetween, listed, readTree } from './trees.js';

const content = contentOf(FROM, TO);
const request = requestOf(changesBetween(FROM, TO), content);
const trees = { from: listed(FROM), to: listed(TO) };
const WAYS = ['apply', 'rollBack'] as const;
/** Every call of every kind of fault with 1; else death at every call, and failures at some. */
const STEP = Number(process.env['SAVEPOINT_REPLACE_STEP'] ?? 5);
/** Deaths are at every call, but where the sample is made larger. */
const DEATH_STEP = Number(process.env['SAVEPOINT_REPLACE_DEATH_STEP'] ?? 1);
const benches: string[] = [];

function quickBench(): Bench {
  const made = bench(FROM, quickFolder());
  benches.push(made.folder);
  return made;
}

function clear(): void {
  for (const folder of benches.splice(0)) removeTree(folder);
}

afterEach(clear);

/** Runs all of it on a disk with a fault, and says what came out. */
async function attempt({ on }: Bench, disk: Disk): Promise<unknown> {
  try {
    await replaceAll(on(disk), request);
    return undefined;
  } catch (error) {
    return error;
  }
}

function whichTree(one: Bench): 'from' | 'to' | 'neither' {
  const found = JSON.stringify(listed(readTree(one.root)));
  if (found === JSON.stringify(trees.from)) return 'from';
  return found === JSON.stringify(trees.to) ? 'to' : 'neither';
}

/** What a next process does; returns whether there was anything to recover. */
async function recover(one: Bench, way: 'apply' | 'rollBack', disk?: Disk): Promise<boolean> {
  one.lease.release();
  const replacements = one.on(disk);
  const found = await replacements.find();
  const replacement = await replacements.open(content);
  if (replacement === undefined) return false;
  expect(found).toMatchObject({ id: replacement.id, note: request.note });
  await replacement[way]();
  await replacement.close();
  return true;
}

async function countCalls(): Promise<number> {
  const { disk, calls } = faultyDisk(undefined);
  expect(await attempt(quickBench(), disk)).toBeUndefined();
  return calls();
}

test('a process that dies at any call leaves something that is completed or taken back', async () => {
  const calls = await countCalls();
  expect(calls).toBeGreaterThan(300);
  const ends = { from: 0, to: 0, recovered: 0 };
  for (let at = 1; at <= calls; at += DEATH_STEP) {
    for (const way of STEP === 1 ? WAYS : WAYS.slice(at % 2, (at % 2) + 1)) {
      const one = quickBench();
      expect(await attempt(one, faultyDisk({ at, kind: 'death' }).disk)).toBeDefined();
      const found = await recover(one, way);
      const tree = whichTree(one);
      if (found) expect({ at, way, tree }).toEqual({ at, way, tree: way === 'apply' ? 'to' : 'from' });
      else expect({ at, tree }).not.toEqual({ at, tree: 'neither' });
      ends[tree === 'to' ? 'to' : 'from'] += 1;
      ends.recovered += found ? 1 : 0;
      clear();
    }
  }
  expect(ends.recovered).toBeGreaterThan(calls / DEATH_STEP / 2);
  expect(Math.min(ends.from, ends.to)).toBeGreaterThan(calls / DEATH_STEP / 4);
});

test('a recovery that dies too, at any call, is completed or taken back by the next one', async () => {
  const calls = await countCalls();
  let deaths = 0;
  for (let at = 20; at <= calls; at += 23) {
    for (let again = 1; again < 4000; again += 37) {
      const one = quickBench();
      await attempt(one, faultyDisk({ at, kind: 'death' }).disk);
      const [first, second] = [WAYS[again % 2] ?? 'apply', WAYS[(again >> 1) % 2] ?? 'apply'];
      const died = await recover(one, first, faultyDisk({ at: again, kind: 'death' }).disk).then(
        () => false,
        () => true,
      );
      if (!died) break;
      deaths += 1;
      const found = await recover(one, second);
      expect({ at, again, tree: whichTree(one) }).not.toEqual({ at, again, tree: 'neither' });
      if (found)
        expect({ at, again, tree: whichTree(one) }).toEqual({ at, again, tree: second === 'apply' ? 'to' : 'from' });
      clear();
    }
  }
  expect(deaths).toBeGreaterThan(calls / 23);
});

const CODES = ['EIO', 'ENOSPC', 'EACCES'] as const;

test.each(CODES)('one call that fails with %s changes nothing, or everything is done', async (kind) => {
  const calls = await countCalls();
  const ends: Record<string, number> = {};
  for (let at = 1; at <= calls; at += STEP) {
    const end = await endOf({ at, kind });
    ends[end] = (ends[end] ?? 0) + 1;
  }
  // Both ends are met; seldom does it have to be recovered: where sweeping fails.
  expect(ends['from']).toBeGreaterThan(calls / STEP / 2);
  expect(ends['stopped'] ?? 0).toBeLessThan(calls / STEP / 4);
});

test.each(CODES)('a disk that fails with %s from some call on loses nothing', async (kind) => {
  const calls = await countCalls();
  for (let at = 1; at <= calls; at += STEP) await endOf({ at, kind, lasting: true });
});

/** Runs with a fault; when the disk works again, the tree is one of the two, whatever was said. */
async function endOf(fault: Fault): Promise<'from' | 'to' | 'stopped'> {
  const one = quickBench();
  const error = await attempt(one, faultyDisk(fault).disk);
  const stopped = error instanceof ContextError && error.code === 'restore_stopped';
  const way = fault.at % 2 === 0 ? 'apply' : 'rollBack';
  if (error !== undefined) expect(error).toBeInstanceOf(ContextError);
  if (!stopped) expect({ fault, tree: whichTree(one) }).toEqual({ fault, tree: error === undefined ? 'to' : 'from' });
  const found = await recover(one, way);
  const tree = whichTree(one);
  expect({ fault, tree }).not.toEqual({ fault, tree: 'neither' });
  // Whoever was told that nothing was changed, or that all is done, finds it so, and nothing open.
  if (!stopped) expect({ fault, found }).toEqual({ fault, found: false });
  clear();
  return stopped ? 'stopped' : tree === 'to' ? 'to' : 'from';
}
