import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffLines, splitLines } from '../../../src/timeline/diff/line-diff.js';
import { takeBackHunks, textChange } from '../../../src/timeline/diff/patch.js';

/** Applies the hunks of a unified patch, reading only the patch and `before`; throws where the context does not fit. */
function applyPatch(before: string, patch: string): string {
  const old = splitLines(before);
  const out: string[] = [];
  let at = 0;
  const lines = patch.match(/[^\n]*\n/g) ?? [];
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n] ?? '';
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(line);
    if (header !== null) {
      const start = Number(header[1]) - (header[2] === '0' ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
      const youngStart = Number(header[3]) - (header[4] === '0' ? 0 : 1);
      if (out.length !== youngStart)
        throw new Error(`hunk at ${String(youngStart)}, but ${String(out.length)} lines so far`);
      continue;
    }
    const cut = lines[n + 1]?.startsWith('\\') === true;
    const text = cut ? line.slice(1, -1) : line.slice(1);
    if (line.startsWith('+')) out.push(text);
    else {
      if (old[at] !== text)
        throw new Error(`line ${String(at)} is ${JSON.stringify(old[at])}, not ${JSON.stringify(text)}`);
      if (line.startsWith(' ')) out.push(text);
      at += 1;
    }
    if (cut) n += 1;
  }
  return [...out, ...old.slice(at)].join('');
}

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', '', '+', '-', '@@ -1 +1 @@', '\\ No newline', 'a\r'), { maxLength: 40 })
  .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')));

describe('line diff', () => {
  test('a patch applied to the text before gives the text after', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyPatch(before, textChange(before, after).patch)).toBe(after);
      }),
      { numRuns: 3000 },
    );
  });

  test('equal texts have an empty patch, and only they', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { patch, insertions, deletions } = textChange(before, after);
        expect(patch === '').toBe(before === after);
        expect(insertions + deletions === 0).toBe(before === after);
      }),
    );
  });

  test('ranges are in order, apart, and everything between them is equal', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, young] = [splitLines(before), splitLines(after)];
        let [a, b] = [0, 0];
        for (const range of diffLines(old, young)) {
          expect(old.slice(a, range.a)).toEqual(young.slice(b, range.b));
          [a, b] = [range.aEnd, range.bEnd];
        }
        expect(old.slice(a)).toEqual(young.slice(b));
      }),
    );
  });

  test('the edit is a shortest one: as long as the two texts without their longest common subsequence', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, young] = [splitLines(before), splitLines(after)];
        const edits = diffLines(old, young).reduce((sum, r) => sum + r.aEnd - r.a + r.bEnd - r.b, 0);
        expect(edits).toBe(old.length + young.length - 2 * commonLength(old, young));
      }),
    );
  });

  test('a patch is what diff -u writes', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';
    const after = 'one\n2\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven';
    expect(textChange(before, after)).toEqual({
      insertions: 2,
      deletions: 1,
      patch:
        '@@ -1,5 +1,5 @@\n one\n-two\n+2\n three\n four\n five\n' +
        '@@ -8,3 +8,4 @@\n eight\n nine\n ten\n+eleven\n\\ No newline at end of file\n',
    });
  });

  test('taking hunks back leaves the others: all give the one text, none the other, and any of them fewer', () => {
    fc.assert(
      fc.property(text, text, fc.func(fc.boolean()), (before, after, isChosen) => {
        const { count } = takeBackHunks(before, after, new Set());
        const all = Array.from({ length: count }, (_, at) => at + 1);
        expect(count).toBe(textChange(before, after).patch.match(/^@@/gm)?.length ?? 0);
        expect(takeBackHunks(before, after, new Set()).text).toBe(after);
        expect(takeBackHunks(before, after, new Set(all)).text).toBe(before);
        const chosen = all.filter((number) => isChosen(number));
        const half = takeBackHunks(before, after, new Set(chosen)).text;
        const rest = new Set(all.filter((number) => !chosen.includes(number)));
        // The others, taken back from the other side.
        expect(half).toBe(takeBackHunks(after, before, rest).text);
      }),
    );
  });

  test('new and removed files are one hunk from or to line 0', () => {
    expect(textChange('', 'a\nb\n').patch).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n');
    expect(textChange('a\n', '').patch).toBe('@@ -1 +0,0 @@\n-a\n');
  });

  test('texts that differ beyond the bound still give a right patch', () => {
    const before = Array.from({ length: 6000 }, (_, n) => (n % 3 === 0 ? `mark ${String(n)}` : `old ${String(n)}`));
    const after = Array.from({ length: 6000 }, (_, n) => (n % 3 === 0 ? `mark ${String(n)}` : `new ${String(n)}`));
    const [old, young] = [`${before.join('\n')}\n`, `${after.join('\n')}\n`];
    const change = textChange(old, young);
    expect(applyPatch(old, change.patch)).toBe(young);
    expect(change.deletions).toBe(4000);
    const unrelated = textChange(old, Array.from({ length: 9000 }, (_, n) => `x${String(n)}\n`).join(''));
    expect([unrelated.insertions, unrelated.deletions]).toEqual([9000, 6000]);
  });

  test('repeated lines beyond the bound are replaced as a whole', () => {
    const old = Array.from({ length: 5000 }, (_, n) => `${String(n % 7)}\n`).join('');
    const young = Array.from({ length: 5000 }, (_, n) => `${String((n * n) % 11)}\n`).join('');
    expect(applyPatch(old, textChange(old, young).patch)).toBe(young);
  });
});

function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const line of a) {
    const next = [0];
    for (let at = 1; at <= b.length; at += 1) {
      next.push(b[at - 1] === line ? (row[at - 1] ?? 0) + 1 : Math.max(row[at] ?? 0, next[at - 1] ?? 0));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
