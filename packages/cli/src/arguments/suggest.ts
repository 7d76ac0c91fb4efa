/** "Did you mean …": the known words that are nearest to what was typed. */

/** Returns the nearest known words, best first, none where nothing is near. */
export function suggestions(typed: string, known: readonly string[]): readonly string[] {
  const limit = typed.length <= 3 ? 1 : typed.length <= 6 ? 2 : 3;
  const near = known
    .map((word) => ({ word, distance: word.startsWith(typed) && typed.length > 1 ? 0 : editDistance(typed, word) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  const best = near[0]?.distance;
  return near.filter(({ distance }) => distance === best).map(({ word }) => word);
}

/** Insertions, deletions, replacements and swaps of neighbours (Damerau's "optimal string alignment"). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const plain = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(isSwap ? Math.min(plain, at(beforeLast, j - 2) + 1) : plain);
    }
    [beforeLast, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
