import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory, unbornRepository } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { discoverRepository } from '../../../src/store/git/discover.js';
import { gitProcess } from '../../../src/store/git/system/process.js';

// What git 2.30.2 says to what it does not know yet; all else is asked of the git that is here.
const FORMER = `#!/bin/sh
case "$*" in
  *version) echo 'git version 2.30.2' ;;
  *rev-parse*) printf -- '--path-format=absolute\\nfalse\\ntrue\\nsha1\\n/r/.git\\n.git\\n/r\\n' ;;
  *) PATH=$LATER exec git "$@" ;;
esac
`;

test('a git that is too old is refused by its version', async () => {
  const fixture = unbornRepository();
  const folder = temporaryDirectory();
  writeFileSync(path.join(folder, 'git'), FORMER);
  chmodSync(path.join(folder, 'git'), 0o755);
  const { PATH: later = '' } = process.env;
  const environment = { PATH: `${folder}:${later}`, LATER: later, HOME: fixture.home };
  const found = discoverRepository(gitProcess({ directory: fixture.root, environment }), fixture.root);
  await expect(found).rejects.toMatchObject({ code: 'git_too_old', data: { version: '2.30.2' } });
});

const noGit = (directory: string) => gitProcess({ directory, environment: { PATH: '/nowhere' } });

test('where no repository can be, git is not asked', async () => {
  const outside = path.join(temporaryDirectory(), 'a/b');
  mkdirSync(outside, { recursive: true });
  await expect(discoverRepository(noGit(outside), outside)).rejects.toMatchObject({ code: 'not_a_git_repository' });
});

test.each(['.git', 'HEAD'])('above a %s of any kind, git decides', async (name) => {
  const above = temporaryDirectory();
  const directory = path.join(above, 'a/b');
  mkdirSync(directory, { recursive: true });
  symlinkSync('/not/there', path.join(above, name));
  await expect(discoverRepository(noGit(directory), directory)).rejects.toMatchObject({ code: 'git_missing' });
});

test('a directory that is a link into a repository is in it', async () => {
  const fixture = unbornRepository();
  const link = path.join(temporaryDirectory(), 'link');
  symlinkSync(fixture.root, link);
  await expect(discoverRepository(noGit(link), link)).rejects.toMatchObject({ code: 'git_missing' });
});

function discoverAt(directory: string, home: string): ReturnType<typeof discoverRepository> {
  return discoverRepository(
    gitProcess({ directory, environment: { PATH: process.env['PATH'], HOME: home } }),
    directory,
  );
}

test('a directory that is not there, or is a file, is named; git is not said to be missing', async () => {
  const fixture = unbornRepository();
  fixture.write('file', '');
  for (const name of ['nowhere', 'file', 'file/below']) {
    const directory = fixture.path(name);
    const expected = { code: 'directory_not_found', data: { directory } };
    await expect(discoverAt(directory, fixture.home)).rejects.toMatchObject(expected);
  }
});

test('a linked worktree whose repository is gone says where that was', async () => {
  const fixture = unbornRepository();
  fixture.git('commit', '-q', '--allow-empty', '-m', 'first');
  const linked = path.join(fixture.base, 'linked');
  fixture.git('worktree', 'add', '-q', linked);
  mkdirSync(path.join(linked, 'below'));
  renameSync(fixture.path('.git'), fixture.path('elsewhere'));
  const gitDirectory = fixture.path('.git/worktrees/linked');
  const expected = { code: 'git_directory_missing', data: { gitDirectory } };
  await expect(discoverAt(path.join(linked, 'below'), fixture.home)).rejects.toMatchObject(expected);
});
