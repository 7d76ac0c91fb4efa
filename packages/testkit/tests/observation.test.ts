import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  differences,
  linkedWorktree,
  mergeConflict,
  nestedRepositories,
  observe,
  plainRepository,
  rebaseStop,
  REPOSITORY_KINDS,
  unborn,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';

interface Break {
  readonly title: string;
  readonly make?: () => FixtureRepository;
  readonly change: (fixture: FixtureRepository) => void;
  readonly seen: RegExp;
}

const BREAKS: readonly Break[] = [
  {
    title: 'a moved branch',
    change: (f) => f.git('update-ref', 'refs/heads/main', 'HEAD~1'),
    seen: /ref refs\/heads\/main/,
  },
  { title: 'a new branch', change: (f) => f.git('branch', 'extra'), seen: /ref refs\/heads\/extra.*new/ },
  { title: 'a new tag', change: (f) => f.git('tag', 'extra'), seen: /refs\/tags\/extra/ },
  {
    title: 'a ref of another tool',
    change: (f) => f.git('update-ref', 'refs/other/x', 'HEAD'),
    seen: /refs\/other\/x/,
  },
  {
    title: 'HEAD on another branch',
    change: (f) => f.git('symbolic-ref', 'HEAD', 'refs/heads/other'),
    seen: /^"HEAD"/m,
  },
  {
    title: 'a detached HEAD',
    change: (f) => f.git('update-ref', '--no-deref', 'HEAD', 'HEAD^{commit}'),
    seen: /git logs\/HEAD|HEAD/,
  },
  { title: 'a dropped stash', change: (f) => f.git('stash', 'drop', '-q'), seen: /stash/ },
  {
    title: 'a reflog entry',
    change: (f) => f.git('update-ref', '-m', 'x', '--create-reflog', 'HEAD', 'HEAD'),
    seen: /logs/,
  },
  { title: 'a staged file', change: (f) => f.git('add', 'new file.txt'), seen: /index/ },
  { title: 'a refreshed index', change: (f) => f.git('update-index', '--force-write-index'), seen: /^"index"/m },
  {
    title: 'index bytes that are the same but written again',
    change: (f) => utimesSync(f.path('.git/index'), 1, 1),
    seen: /^"index"/m,
  },
  {
    title: 'a flag in the index',
    change: (f) => f.git('update-index', '--assume-unchanged', 'readme.md'),
    seen: /index-v/,
  },
  { title: 'a repository setting', change: (f) => f.git('config', 'gc.auto', '0'), seen: /git config/ },
  {
    title: 'a global setting',
    change: (f) => writeFileSync(join(f.home, '.gitconfig'), '[a]\n'),
    seen: /home \.gitconfig/,
  },
  { title: 'a file in the home', change: (f) => writeFileSync(join(f.home, '.config-of-x'), ''), seen: /home/ },
  { title: 'a hook', change: (f) => f.write('.git/hooks/pre-push', '#!/bin/sh\n', 0o755), seen: /hooks\/pre-push/ },
  {
    title: 'a hook that lost its bit',
    change: (f) => chmodSync(f.path('.git/hooks/post-commit'), 0o644),
    seen: /post-commit/,
  },
  { title: 'an exclude rule', change: (f) => f.write('.git/info/exclude', 'x\n'), seen: /info\/exclude/ },
  { title: 'alternates', change: (f) => f.write('.git/objects/info/alternates', '/x\n'), seen: /alternates/ },
  { title: 'a stray lock', change: (f) => f.write('.git/index.lock', ''), seen: /index\.lock.*new/ },
  {
    title: 'a stray empty directory in the git directory',
    change: (f) => mkdirSync(f.path('.git/stray')),
    seen: /stray/,
  },
  { title: 'a changed file', change: (f) => f.write('readme.md', '# Another\n'), seen: /worktree readme\.md/ },
  {
    title: 'a changed file of the same size and time',
    change: (f) => {
      const { atimeMs, mtimeMs } = lstatSync(f.path('readme.md'));
      f.write('readme.md', '# B project\n');
      utimesSync(f.path('readme.md'), atimeMs / 1000, mtimeMs / 1000);
    },
    seen: /worktree readme\.md/,
  },
  { title: 'a changed ignored file', change: (f) => f.write('build/out.bin', 'x'), seen: /worktree build\/out\.bin/ },
  { title: 'a touched file', change: (f) => utimesSync(f.path('readme.md'), 1, 1), seen: /worktree readme\.md/ },
  { title: 'a touched directory', change: (f) => utimesSync(f.path('src'), 1, 1), seen: /worktree src\// },
  { title: 'a mode', change: (f) => chmodSync(f.path('readme.md'), 0o600), seen: /worktree readme\.md/ },
  { title: 'a mode of a directory', change: (f) => chmodSync(f.path('src'), 0o700), seen: /worktree src\// },
  { title: 'a new file', change: (f) => f.write('src/x', ''), seen: /worktree src\/x.*new/ },
  { title: 'a removed file', change: (f) => rmSync(f.path('empty.txt')), seen: /worktree empty\.txt.*gone/ },
  {
    title: 'a removed empty directory',
    change: (f) => rmSync(f.path('void/inner'), { recursive: true }),
    seen: /void\/inner/,
  },
  {
    title: 'a link to elsewhere',
    change: (f) => {
      rmSync(f.path('link'));
      symlinkSync('src/two.txt', f.path('link'));
    },
    seen: /worktree link/,
  },
  {
    title: 'a changed file beside',
    change: (f) => writeFileSync(join(f.beside, 'victim.txt'), 'x'),
    seen: /beside victim/,
  },
  { title: 'a new file beside', change: (f) => writeFileSync(join(f.beside, 'deep/x'), ''), seen: /beside deep/ },
  {
    title: 'a finished merge',
    make: mergeConflict,
    change: (f) => rmSync(f.path('.git/MERGE_HEAD')),
    seen: /MERGE_HEAD.*gone/,
  },
  { title: 'a resolved conflict', make: mergeConflict, change: (f) => f.git('add', '-A'), seen: /index/ },
  {
    title: 'a rebase state file',
    make: rebaseStop,
    change: (f) => f.write('.git/rebase-merge/done', ''),
    seen: /rebase-merge\/done/,
  },
  { title: 'the first commit', make: unborn, change: (f) => f.git('commit', '-qm', 'x'), seen: /HEAD/ },
  {
    title: 'an object inside a nested repository',
    make: nestedRepositories,
    change: (f) => f.run({ cwd: f.path('inner/born'), args: ['hash-object', '-w', '--stdin'], input: 'x' }),
    seen: /inner\/born\/\.git\/objects/,
  },
  { title: "a linked worktree's index", make: linkedWorktree, change: (f) => f.git('add', '-A'), seen: /index/ },
  {
    title: "a linked worktree's lock",
    make: linkedWorktree,
    change: (f) => f.git('worktree', 'lock', '.'),
    seen: /git worktrees\/.*locked/,
  },
];

describe('the observation oracle', () => {
  it.each(BREAKS)('sees $title', ({ make = () => plainRepository(), change, seen }) => {
    const fixture = make();
    const before = observe(fixture);
    change(fixture);
    expect(differences(before, observe(fixture)).join('\n')).toMatch(seen);
  });

  it.each(REPOSITORY_KINDS.filter((kind) => kind.impossible === undefined))(
    'changes nothing itself: $name',
    ({ make }) => {
      const fixture = make();
      const first = observe(fixture);
      const second = observe(fixture);
      expect(differences(first, second)).toEqual([]);
      expect(first.size).toBeGreaterThan(20);
    },
  );

  it('does not refresh an index that is stat-dirty', () => {
    const fixture = plainRepository();
    utimesSync(fixture.path('readme.md'), 1, 1);
    const before = observe(fixture);
    expect(differences(before, observe(fixture))).toEqual([]);
  });

  it('leaves the part of Savepoint alone', () => {
    const fixture = plainRepository();
    const before = observe(fixture);
    fixture.git('update-ref', 'refs/savepoint/v1/timelines/x', 'HEAD');
    fixture.write('.git/savepoint/cache', 'x');
    mkdirSync(join(fixture.home, '.config/savepoint/keys'), { recursive: true });
    fixture.run({ args: ['hash-object', '-w', '--stdin'], input: 'an object' });
    expect(differences(before, observe(fixture))).toEqual([]);
  });

  it('names a path whose bytes are not UTF-8', () => {
    const fixture = plainRepository();
    const before = observe(fixture);
    const name = Buffer.concat([Buffer.from(`${fixture.root}/`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(name, 'x');
    const other = Buffer.concat([Buffer.from(`${fixture.root}/`), Buffer.from([0xff, 0xfd])]);
    renameSync(name, other);
    expect(differences(before, observe(fixture))).toHaveLength(2); // the file, and the root's time
  });
});
