import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ItemRecord } from '../../../src/model/context/item.js';
import { previewOf } from '../../../src/timeline/context/preview.js';
import { relevances, type RelevanceRequest } from '../../../src/timeline/context/relevance.js';

interface Told {
  readonly path?: string;
  readonly text: string;
  readonly tokens?: number;
}

function phi(told: readonly Told[], more: Partial<RelevanceRequest> = {}): ReturnType<typeof relevances> {
  const items = told.map(({ path, text, tokens = 10 }, sequence): ItemRecord => ({
    id: String(sequence),
    sequence,
    kind: path === undefined ? 'message' : 'file',
    ...(path !== undefined && { path }),
    content: { blob: text, bytes: text.length, place: { in: 'content' } },
    tokens: { count: tokens, estimated: true },
    selection: 'heuristic',
  }));
  const textOf = ({ sequence }: ItemRecord): string | undefined => told[sequence]?.text;
  return relevances({ items, textOf, touched: [], actions: [], isIn: () => true, ...more });
}

test('R is the share of the words of the task that path or text hold, also as parts of names', () => {
  const [item] = phi([{ path: 'src/a.ts', text: 'export function parsePrice() {}' }], {
    task: 'parse the price of tea',
  });
  expect(item?.r).toBe(500);
});

test('S is the share of lines that are new in the session, D that of lines which one other item holds', () => {
  const [first, second] = phi([{ text: 'one line\ntwo lines' }, { text: 'two lines\nthree lines\nfour lines' }]);
  expect([first?.s, second?.s]).toEqual([1000, 667]);
  expect([first?.d, second?.d]).toEqual([500, 333]);
});

test('G is 1 for a touched file, a half for one that imports it, and falls with the way from folder to folder', () => {
  const touched = ['src/core/model.ts'];
  const told = [
    { path: 'src/core/model.ts', text: 'aaaa' },
    { path: 'lib/other.ts', text: "import { x } from '../src/core/model.js';" },
    { path: 'src/core/beside.ts', text: 'bbbb' },
    { path: 'src/cli/main.ts', text: 'cccc' },
    { text: 'src/core/model.ts' },
  ];
  expect(phi(told, { touched }).map(({ g }) => g)).toEqual([1000, 500, 500, 250, 0]);
});

test('H counts the actions that read or wrote the path, C is the share of the tokens in the window', () => {
  const touch = { reads: [{ path: 'a' }], writes: [{ path: 'a' }] };
  const action = { id: 'x', sequence: 0, kind: 'edit', tool: 'Edit', status: 'ok', ...touch } as const;
  const told = [
    { path: 'a', text: 'aaaa', tokens: 30 },
    { path: 'b', text: 'bbbb', tokens: 10 },
    { path: 'c', text: 'cccc', tokens: 60 },
  ];
  const [a, b, c] = phi(told, { actions: [action], isIn: ({ sequence }) => sequence < 2 });
  expect([a?.h, b?.h]).toEqual([400, 0]);
  expect([a?.c, b?.c, c?.c]).toEqual([750, 250, 0]);
});

test('Φ is the weighted sum of its terms, between 0 and 1000', () => {
  const told = fc.record({ path: fc.constantFrom('a/b.ts', 'a/c.ts', 'd.ts'), text: fc.string({ maxLength: 60 }) });
  fc.assert(
    fc.property(fc.array(told, { maxLength: 8 }), fc.string({ maxLength: 30 }), (all, task) => {
      for (const { phi: value, r, s, g, h, c, d } of phi(all, { task, touched: ['a/b.ts'] })) {
        const sum = 0.35 * r + 0.15 * s + 0.2 * g + 0.1 * h - 0.1 * c - 0.1 * d;
        expect(Math.abs(value - Math.min(Math.max(sum, 0), 1000))).toBeLessThanOrEqual(2);
        expect(Number.isInteger(value)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('a preview has at most 500 characters, whole ones, and nothing that a terminal obeys', () => {
  const preview = previewOf(Buffer.from(`\u001b[2J\u202e${'é😀'.repeat(400)}`));
  expect(Array.from(preview)).toHaveLength(500);
  expect(preview.startsWith('\ufffd[2J\ufffdé😀é')).toBe(true);
  expect(previewOf(Buffer.from([1, 0, 2]))).toBe('');
});

test('however long a line is, and however many files were touched, the relevance of an item is soon known', () => {
  const blanks = `${' '.repeat(64 * 1024)}x`;
  const touched = Array.from({ length: 130_000 }, (_, index) => `a/${String(index)}/f.ts`);
  const told = Array.from({ length: 5 }, (_, index) => ({ path: `b/${String(index)}.ts`, text: blanks }));
  expect(phi(told, { touched }).map(({ g }) => g)).toEqual(told.map(() => 200));
});
