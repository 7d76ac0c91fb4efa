import fc from 'fast-check';
import { removeTree } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { reverseChanges } from '../../../src/model/tree-change.js';
import { bench, contentOf, replaceAll, requestOf } from './bench.js';
import { anyTree, changesBetween, listed, readTree } from './trees.js';

const RUNS = Number(process.env['SAVEPOINT_REPLACE_RUNS'] ?? 60);

test('any tree becomes any other, and the way back gives the first', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, async (from, to) => {
      const { folder, root, journals, on } = bench(from);
      try {
        const content = contentOf(from, to);
        const changes = changesBetween(from, to);
        await replaceAll(on(), requestOf(changes, content));
        expect(listed(readTree(root))).toEqual(listed(to));
        await replaceAll(on(), requestOf(changesBetween(to, from), content));
        expect(listed(readTree(root))).toEqual(listed(from));
        expect([...readTree(journals).keys()]).toEqual([]);
      } finally {
        removeTree(folder);
      }
    }),
    { numRuns: RUNS },
  );
});

test('what was applied can be rolled back, and what was said to be reversed is', async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, anyTree, async (from, to) => {
      const { folder, root, on } = bench(from);
      try {
        const request = requestOf(changesBetween(from, to), contentOf(from, to));
        const replacement = await on().prepare(request);
        expect(listed(readTree(root)).filter(([path]) => !path.includes('.savepoint-restore-'))).toEqual(listed(from));
        for (const { result } of await replacement.apply()) expect(result).toBe('done');
        for (const { result } of await replacement.rollBack()) expect(result).toBe('done');
        expect(await replacement.close()).toEqual([]);
        expect(listed(readTree(root))).toEqual(listed(from));
        expect(reverseChanges(reverseChanges(request.changes))).toEqual(request.changes);
      } finally {
        removeTree(folder);
      }
    }),
    { numRuns: RUNS },
  );
});
