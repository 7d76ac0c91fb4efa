/** Decision records: what one supersedes says so, or a reader of the older one believes what holds no more. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = new URL('../../docs/decisions/', import.meta.url);

const NAMES = readdirSync(FOLDER).filter((name) => /^\d{4}-.*\.md$/.test(name));

function statuses(): ReadonlyMap<string, string> {
  return new Map(
    NAMES.map((name) => {
      const [, status = ''] = /^Status: ([\s\S]+?)\n\n/m.exec(readFileSync(new URL(name, FOLDER), 'utf8')) ?? [];
      return [name.slice(0, 4), status];
    }),
  );
}

/** Numbers that a status links after a word. */
function named(status: string, word: string): readonly string[] {
  const clauses = status.split(';').filter((clause) => clause.includes(word));
  return clauses.flatMap((clause) => [...clause.matchAll(/\[(\d{4})\]/g)].map(([, number = '']) => number));
}

test('each record has a number of its own, also in its title', () => {
  const numbers = NAMES.map((name) => name.slice(0, 4));
  expect(numbers).toEqual([...new Set(numbers)]);
  const titles = NAMES.map((name) => /^# (\d{4}): /.exec(readFileSync(new URL(name, FOLDER), 'utf8'))?.[1]);
  expect(titles).toEqual(numbers);
});

test('a record that is superseded names the one that supersedes it', () => {
  const all = statuses();
  const pairs = [...all].flatMap(([later, status]) =>
    named(status, 'supersedes').map((earlier) => ({ earlier, later })),
  );
  expect(pairs.length).toBeGreaterThan(5);
  expect(pairs.filter(({ earlier, later }) => !named(all.get(earlier) ?? '', 'superseded').includes(later))).toEqual(
    [],
  );
});
