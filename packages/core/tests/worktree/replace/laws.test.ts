import fc from 'fast-check';
import { removeTree } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { realDisk, type Disk } from '../../../src/worktree/replace/disk/disk.js';
import { bench, contentOf, quickFolder, replaceAll, requestOf } from './bench.js';
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
        removeTree(folder);
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
        removeTree(folder);
      }
    }),
    { numRuns: RUNS },
  );
});
