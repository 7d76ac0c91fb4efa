import { describe, expect, test } from 'vitest';
import { utf8 } from '../../src/base/bytes.js';
import { CATALOGUE } from '../../src/timeline/catalogue.js';
import { encodeLine } from '../../src/timeline/catalogue-rows.js';
import { guessFromCatalogue } from '../../src/timeline/guess.js';
import { memoryLocalState } from '../../src/store/memory/memory-local-state.js';
import { memoryStore } from '../../src/store/memory/memory-store.js';

const ONE = '1'.repeat(32);
const TWO = '2'.repeat(32);
const commit = (timeline: string, sequence: number): string =>
  `${timeline[0] ?? ''}${String(sequence).padStart(39, '0')}`;

function line(timeline: string, sequence: number, minute = sequence): string {
  return encodeLine({
    commit: commit(timeline, sequence),
    ...(sequence > 1 && { parent: commit(timeline, sequence - 1) }),
    id: String(sequence).padStart(64, '0'),
    timeline,
    createdAt: `2026-11-21T${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00.000Z`,
    sequence,
    tags: [],
  });
}

async function guessOf(lines: readonly string[]) {
  const local = memoryLocalState();
  if (lines.length > 0) await local.append(CATALOGUE, utf8(lines.join('')));
  return guessFromCatalogue(memoryStore(), local);
}

const upTo = (timeline: string, from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => commit(timeline, from - at));

describe('the guess of what a walk comes to', () => {
  test('follows the lines from child to parent, as far as is asked', async () => {
    const guess = await guessOf(Array.from({ length: 9 }, (_, at) => line(ONE, at + 1)));
    expect(guess.ancestors(commit(ONE, 9), 4)).toEqual(upTo(ONE, 9, 6));
    expect(guess.ancestors(commit(ONE, 3), 10)).toEqual(upTo(ONE, 3, 1));
  });

  test('knows only the end of a long catalogue, and begins at a whole line', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => line(ONE, at + 1));
    const guess = await guessOf(lines);
    const known = guess.ancestors(commit(ONE, 1000), 2000);
    expect(known).toEqual(upTo(ONE, 1000, 1001 - known.length));
    expect(known.length).toBeGreaterThan(100);
    expect(known.length).toBeLessThan(1000);
  });

  test('of several timelines takes the newest by time, and every head', async () => {
    const lines = [
      line(ONE, 1, 1),
      line(TWO, 1, 2),
      line(ONE, 2, 3),
      line(TWO, 2, 4),
      line(TWO, 3, 5),
      line(TWO, 4, 6),
    ];
    const guess = await guessOf(lines);
    const heads = [
      { timeline: ONE, commit: commit(ONE, 2) },
      { timeline: TWO, commit: commit(TWO, 4) },
    ];
    expect(guess.newest(heads, 3).toSorted()).toEqual([commit(ONE, 2), ...upTo(TWO, 4, 2)].toSorted());
    expect(guess.newest(heads, 5)).toHaveLength(5);
  });

  test.each([
    ['no catalogue', []],
    ['a head that is not in it', [line(ONE, 1)]],
  ])('is the head alone with %s', async (_, lines) => {
    const guess = await guessOf(lines);
    expect(guess.ancestors(commit(TWO, 7), 5)).toEqual([commit(TWO, 7)]);
    expect(guess.newest([{ timeline: TWO, commit: commit(TWO, 7) }], 5)).toEqual([commit(TWO, 7)]);
  });

  test('ends where tampered lines lead in a circle', async () => {
    const circle = line(ONE, 2).replace(`"parent":"${commit(ONE, 1)}"`, `"parent":"${commit(ONE, 2)}"`);
    const guess = await guessOf([circle]);
    expect(guess.ancestors(commit(ONE, 2), 50)).toHaveLength(50);
  });
});
