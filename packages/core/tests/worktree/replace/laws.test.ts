import fc from 'fast-check';
import { becomeOneself, becomeOrdinary, removeTree } from '@savepoint/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realDisk, type Disk } from '../../../src/worktree/replace/disk/disk.js';
import type { ContentSource, Replacements } from '../../../src/worktree/replace/replacement.js';
import { bench, contentOf, quickFolder, replaceAll, requestOf } from './bench.js';
import { faultyDisk } from './faulty-disk.js';
import { anyTree, changesBetween, listed, readTree } from './trees.js';

const RUNS = Number(process.env['SAVEPOINT_REPLACE_RUNS'] ?? 100);

function refusing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(code), { code, syscall: 'test' });
  };
}

const DISKS: readonly (readonly [string, Disk])[] = [
  ['as it is', realDisk],
  ['without hard links', { ...realDisk, link: refusing('EPERM') }],
  [
    'of a system that resolves no names from descriptors',
    { ...realDisk, statusOf: (path) => realDisk.statusOf(String(path).startsWith('/proc/') ? '/nowhere' : path) },
  ],
];

// Whoever runs these as root becomes somebody else, for whom permissions count.
beforeEach(becomeOrdinary);
afterEach(becomeOneself);

function remove(folder: string): void {
  becomeOneself();
  removeTree(folder);
  becomeOrdinary();
}

test.each(DISKS)('any tree becomes any other, and the way back gives the first, on a disk %s', async (_, disk) => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, async (from, to) => {
      const { folder, root, journals, on } = bench(from, quickFolder());
      try {
        const content = contentOf(from, to);
        await replaceAll(on(disk), requestOf(changesBetween(from, to), content));
        expect(listed(readTree(root))).toEqual(listed(to));
        await replaceAll(on(disk), requestOf(changesBetween(to, from), content));
        expect(listed(readTree(root))).toEqual(listed(from));
        expect([...readTree(journals).keys()]).toEqual([]);
      } finally {
        remove(folder);
      }
    }),
    { numRuns: RUNS },
  );
});

test('what was prepared changes nothing, and what was applied can be rolled back', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, async (from, to) => {
      const { folder, root, on } = bench(from, quickFolder());
      try {
        const request = requestOf(changesBetween(from, to), contentOf(from, to));
        const replacement = await on().prepare(request);
        expect(listed(readTree(root)).filter(([path]) => !path.includes('.savepoint-restore-'))).toEqual(listed(from));
        for (const { result } of await replacement.apply()) expect(result).toBe('done');
        for (const { result } of await replacement.rollBack()) expect(result).toBe('done');
        expect(await replacement.close()).toEqual([]);
        expect(listed(readTree(root))).toEqual(listed(from));
      } finally {
        remove(folder);
      }
    }),
    { numRuns: RUNS },
  );
});

test('between any two trees, a death anywhere and another one on the way back or forth lose nothing', async () => {
  const way = fc.constantFrom('apply' as const, 'rollBack' as const);
  const moment = fc.integer({ min: 1, max: 400 });
  await fc.assert(
    fc.asyncProperty(
      anyTree,
      anyTree,
      fc.tuple(fc.array(fc.tuple(moment, way), { minLength: 1, maxLength: 3 }), way),
      async (from, to, [deaths, last]) => {
        const { folder, root, lease, on } = bench(from, quickFolder());
        try {
          const content = contentOf(from, to);
          const request = requestOf(changesBetween(from, to), content);
          for (const [count, [at, direction]] of deaths.entries()) {
            const replacements = on(faultyDisk({ at, kind: 'death' }).disk);
            const run = count === 0 ? replaceAll(replacements, request) : recover(replacements, content, direction);
            await run.catch(() => undefined);
            lease.release();
          }
          const isRecovered = await recover(on(), content, last);
          const tree = JSON.stringify(listed(readTree(root)));
          const wanted = isRecovered ? [last === 'apply' ? to : from] : [from, to];
          expect(wanted.map((each) => JSON.stringify(listed(each)))).toContain(tree);
        } finally {
          remove(folder);
        }
      },
    ),
    { numRuns: RUNS * 2 },
  );
});

async function recover(
  replacements: Replacements,
  content: ContentSource,
  way: 'apply' | 'rollBack',
): Promise<boolean> {
  const replacement = await replacements.open(content);
  await replacement?.[way]();
  await replacement?.close();
  return replacement !== undefined;
}
