/** A fixture repository: a real worktree in a temporary directory, an empty home, a place beside that must stay as it is. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit, type GitAnswer, type GitCall } from '../processes/git.js';
import { temporaryDirectory } from './temporary.js';

export interface FixtureRepository {
  /** The worktree's root, or the bare repository. */
  readonly root: string;
  /** Empty, and so without any git configuration. */
  readonly home: string;
  /** A directory beside the workspace, with files of its own. */
  readonly beside: string;
  /** The temporary directory around all of these. */
  readonly base: string;
  /** Runs git in the worktree and returns its standard output without the last line end. */
  git(...args: readonly string[]): string;
  /** The same with input, an own environment, or exit codes to accept. */
  run(call: Omit<GitCall, 'cwd' | 'home'> & { readonly cwd?: string }): GitAnswer;
  write(path: string, content: string | Uint8Array, mode?: number): void;
  link(path: string, target: string): void;
  path(...parts: readonly string[]): string;
}

/** Makes the directories of a fixture around a worktree that does not exist yet. */
export function emptyFixture(folder = 'Arbeit & Spiel/repo'): FixtureRepository {
  const base = temporaryDirectory();
  const fixture = fixtureAt(base, join(base, folder));
  mkdirSync(dirname(fixture.root), { recursive: true });
  mkdirSync(fixture.home);
  mkdirSync(join(fixture.beside, 'deep'), { recursive: true });
  writeFileSync(join(fixture.beside, 'victim.txt'), 'beside\n');
  writeFileSync(join(fixture.beside, 'deep', 'letter.txt'), 'deep\n', { mode: 0o600 });
  return fixture;
}

/** Returns a view of another worktree that shares home and beside with `base`. */
export function fixtureAt(base: string, root: string): FixtureRepository {
  const home = join(base, 'home');
  const path = (...parts: readonly string[]): string => join(root, ...parts);
  const run: FixtureRepository['run'] = (call) => runGit({ cwd: root, home, ...call });
  return {
    root,
    home,
    beside: join(base, 'beside'),
    base,
    path,
    run,
    git: (...args) => run({ args }).stdout.toString('utf8').replace(/\n$/, ''),
    write(file, content, mode) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), content);
      if (mode !== undefined) chmodSync(path(file), mode);
    },
    link(file, target) {
      mkdirSync(dirname(path(file)), { recursive: true });
      symlinkSync(target, path(file));
    },
  };
}

/** Makes a repository without a commit. */
export function unbornRepository(...initOptions: readonly string[]): FixtureRepository {
  const fixture = emptyFixture();
  mkdirSync(fixture.root);
  fixture.git('init', '-q', '-b', 'main', ...initOptions);
  return fixture;
}

/** Untouched copies by the options of `git init`. */
const templates = new Map<string, string>();

/**
 * Makes a repository with three commits, a second branch, a tag, a stash, a hook, and an untidy worktree. The next one of
 * a process is a copy: two dozen runs of git take longer than all that is tested on it.
 */
export function plainRepository(...initOptions: readonly string[]): FixtureRepository {
  const key = initOptions.join(' ');
  const template = templates.get(key);
  if (template === undefined || !existsSync(template)) {
    const first = makePlain(initOptions);
    const kept = join(temporaryDirectory(), 'repo');
    copyTree(first.root, kept);
    templates.set(key, kept);
    return first;
  }
  const fixture = emptyFixture();
  copyTree(template, fixture.root);
  // The index knows files by inode and change time, which a copy cannot keep. Exit code 1 only says that files differ.
  fixture.run({ args: ['update-index', '-q', '--refresh'], accept: [1] });
  return fixture;
}

function copyTree(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${from} cannot be copied: ${stderr}`);
}

function makePlain(initOptions: readonly string[]): FixtureRepository {
  const fixture = unbornRepository(...initOptions);
  commitSomeFiles(fixture);
  makeUntidy(fixture);
  return fixture;
}

/** Fills an unborn repository with three commits, a branch, a tag, a stash and a hook; leaves it clean. */
export function commitSomeFiles(fixture: FixtureRepository): void {
  fixture.write('.gitignore', '*.log\nbuild/\n');
  fixture.write('readme.md', '# A project\n');
  for (const name of ['one', 'two', 'three']) fixture.write(`src/${name}.txt`, `${name}\n`.repeat(20));
  fixture.write('src/deep/er/leaf.txt', 'leaf\n');
  fixture.write('bin/run.sh', '#!/bin/sh\necho run\n', 0o755);
  fixture.link('link', 'src/one.txt');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'First');
  fixture.git('branch', 'other');
  fixture.write('src/two.txt', 'two, second version\n');
  fixture.git('commit', '-qam', 'Second');
  fixture.git('tag', '-a', 'v1', '-m', 'Version 1');
  fixture.write('src/one.txt', 'stashed\n');
  fixture.git('stash', 'push', '-q', '-m', 'put away');
  fixture.write('src/four.txt', 'four\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'Third');
  fixture.write('.git/hooks/post-commit', '#!/bin/sh\ntouch "$(git rev-parse --git-dir)/hook-ran"\n', 0o755);
}

/** Stages, modifies, adds, removes and ignores. */
export function makeUntidy(fixture: FixtureRepository): void {
  fixture.write('src/one.txt', 'staged version\n');
  fixture.git('add', 'src/one.txt');
  fixture.write('src/one.txt', 'worktree version\n');
  fixture.write('src/two.txt', 'modified, not staged\n');
  fixture.git('rm', '-q', 'src/three.txt');
  fixture.write('new file.txt', 'untracked\n');
  fixture.write('notes/ümläut.txt', 'untracked, deeper\n', 0o600);
  fixture.write('empty.txt', '');
  mkdirSync(fixture.path('void/inner'), { recursive: true });
  fixture.write('debug.log', 'ignored\n');
  fixture.write('build/out.bin', new Uint8Array([0, 1, 2, 255]));
}

/** Gives a directory and all in it to another user, so that the program can run without root's rights. */
export function giveTo(directory: string, uid: number): void {
  lchownSync(directory, uid, uid);
  if (!lstatSync(directory).isDirectory()) return;
  for (const name of readdirSync(directory)) giveTo(join(directory, name), uid);
}

/** Moves the git directory elsewhere and leaves a symbolic link to it, as some tools do. */
export function linkGitDirectory(fixture: FixtureRepository, elsewhere: string): void {
  renameSync(fixture.path('.git'), elsewhere);
  symlinkSync(elsewhere, fixture.path('.git'));
}
