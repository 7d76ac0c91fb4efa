import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { plainRepository, removeTree, type FixtureRepository } from '@savepoint/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { listRefs } from '../../../../src/store/git/refs/ref-list.js';

const FOLDER = 'refs/savepoint/v1/';
let fixture: FixtureRepository | undefined;

afterEach(() => {
  if (fixture !== undefined) removeTree(fixture.base);
  fixture = undefined;
});

function repository(format: 'sha1' | 'sha256' = 'sha1') {
  const made = plainRepository(`--object-format=${format}`);
  fixture = made;
  const common = made.path('.git');
  const [head, before] = made.git('rev-list', '-2', 'HEAD').split('\n') as [string, string];
  const place = { objectFormat: format, gitDirectory: common, commonDirectory: common } as const;
  return {
    repository: made,
    head,
    before,
    file: (name: string) => path.join(common, FOLDER, name),
    set: (name: string, target: string) => made.git('update-ref', `${FOLDER}${name}`, target),
    listed: () => listRefs(place, FOLDER),
    /** What git says of the same. */
    ofGit: () =>
      made
        .git('for-each-ref', '--format=%(refname) %(objectname)', FOLDER)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ name: line.slice(FOLDER.length, line.indexOf(' ')), target: line.split(' ')[1] })),
  };
}

describe('refs read from their files', () => {
  test('there are none in a repository without snapshots', () => {
    const { listed } = repository();
    expect(listed()).toEqual([]);
  });

  test.each(['sha1', 'sha256'] as const)('are those that git lists, loose, packed and both (%s)', (format) => {
    const { repository: git, head, before, set, listed, ofGit } = repository(format);
    set('timelines/b', head);
    set('timelines/a', before);
    set('facts/aaaa/bbbb', head);
    expect(listed()).toEqual(ofGit());
    git.git('pack-refs', '--all');
    expect(listed()).toEqual(ofGit());
    set('timelines/a', head);
    set('timelines/c', before);
    expect(listed()).toEqual(ofGit());
    expect(listed()).toHaveLength(4);
    git.git('update-ref', '-d', `${FOLDER}timelines/b`);
    git.git('update-ref', '-d', `${FOLDER}timelines/c`);
    expect(listed()).toEqual(ofGit());
    expect(listed()?.map(({ name }) => name)).toEqual(['facts/aaaa/bbbb', 'timelines/a']);
  });

  test('leave out the lock of one that is just being moved', () => {
    const { head, file, set, listed } = repository();
    set('timelines/a', head);
    writeFileSync(file('timelines/b.lock'), '');
    expect(listed()).toEqual([{ name: 'timelines/a', target: head }]);
  });

  test.each([
    ['an empty file, as a power cut leaves one', (file: string) => writeFileSync(file, '')],
    ['a symbolic ref', (file: string) => writeFileSync(file, 'ref: refs/heads/main\n')],
    ['an id of another length', (file: string) => writeFileSync(file, `${'a'.repeat(39)}\n`)],
    ['an unusual name', (file: string) => writeFileSync(`${file}~1`, `${'a'.repeat(40)}\n`)],
  ])('are left to git where there is %s', (_, make) => {
    const { head, file, set, listed } = repository();
    set('timelines/a', head);
    make(file('timelines/b'));
    expect(listed()).toBeUndefined();
  });

  test('are left to git where they are many files', () => {
    const { head, file, set, listed } = repository();
    set('timelines/0', head);
    for (let at = 1; at < 64; at += 1) writeFileSync(file(`timelines/${String(at)}`), `${head}\n`);
    expect(listed()).toHaveLength(64);
    writeFileSync(file('timelines/64'), `${head}\n`);
    expect(listed()).toBeUndefined();
  });

  test('are left to git where it keeps them in another way', () => {
    const { repository: git, listed } = repository();
    // As gitrepository-layout(5) and the reftable backend have it: a file in the place of the folder.
    renameSync(git.path('.git/refs/heads'), git.path('.git/refs/was'));
    writeFileSync(git.path('.git/refs/heads'), 'this repository uses the reftable format\n');
    expect(listed()).toBeUndefined();
  });

  test('are left to git where a folder cannot be read as one', () => {
    const { head, file, set, listed } = repository();
    set('timelines/a', head);
    rmSync(file('timelines'), { recursive: true });
    mkdirSync(file('timelines/.hidden'), { recursive: true });
    expect(listed()).toEqual([]);
    rmSync(file('timelines'), { recursive: true });
    writeFileSync(file('timelines'), 'what is this\n');
    expect(listed()).toBeUndefined();
  });
});
