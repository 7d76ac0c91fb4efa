import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRef } from '../../../../src/store/git/refs/ref-files.js';
import { gitStore } from '../../../../src/store/git/git-store.js';
import { storeInGit, type StoreInGit } from '../fixture.js';

const commitOf = ({ fixture }: StoreInGit, name: string): string => {
  fixture.write('file', name);
  fixture.git('add', 'file');
  fixture.git('commit', '-q', '-m', name);
  return fixture.git('rev-parse', 'HEAD').trim();
};

describe('refs read from files', () => {
  test('are those of git, packed or not, among names that look alike', async () => {
    const bench = storeInGit();
    const { fixture, place } = bench;
    const names = ['refs/heads/a', 'refs/heads/ab', 'refs/heads/a-b', 'refs/x/refs/heads/a'];
    for (const name of names) fixture.git('update-ref', name, commitOf(bench, name));
    fixture.git('tag', '-a', '-m', 'annotated', 'tagged');
    const all = (): (string | undefined)[] => names.map((name) => readRef(place, name));
    const expected = names.map((name) => fixture.git('rev-parse', name).trim());
    expect(all()).toEqual(expected);
    fixture.git('pack-refs', '--all');
    expect(all()).toEqual(expected);
    // A loose ref outranks the packed one.
    fixture.git('update-ref', 'refs/heads/ab', expected[0] ?? '');
    expect(readRef(place, 'refs/heads/ab')).toBe(expected[0]);
    expect(readRef(place, 'refs/heads/b')).toBeUndefined();
    expect(readRef(place, 'refs/heads')).toBeUndefined();
    expect(readRef(place, 'HEAD')).toBe(fixture.git('rev-parse', 'HEAD').trim());
    await bench.dispose();
  });

  test('say nothing where a file is no plain ref', async () => {
    const bench = storeInGit();
    commitOf(bench, 'one');
    for (const content of [
      '',
      'ref: refs/heads/../../HEAD\n',
      'zz\n',
      `${'a'.repeat(39)}\n`,
      'ref: refs/heads/loop\n',
    ]) {
      writeFileSync(bench.fixture.path('.git/refs/heads/loop'), content);
      expect(readRef(bench.place, 'refs/heads/loop')).toBeUndefined();
    }
    await bench.dispose();
  });

  test('tell that the head of the user is another one now', async () => {
    const bench = storeInGit();
    commitOf(bench, 'one');
    const store = gitStore(bench.place);
    const known = await store.userHead();
    expect(await store.userHead(known)).toBe(known);
    const commit = commitOf(bench, 'two');
    const tree = bench.fixture.git('rev-parse', 'HEAD^{tree}').trim();
    expect(await store.userHead(known)).toEqual({ commit, tree });
    await store.close();
    await bench.dispose();
  });
});
