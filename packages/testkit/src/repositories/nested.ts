/** Repositories that hold other repositories. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  fixtureAt,
  linkGitDirectory,
  plainRepository,
  unbornRepository,
  type FixtureRepository,
} from './repository.js';
import { mkdirSync } from 'node:fs';

function library(base: string): string {
  const origin = fixtureAt(base, join(base, 'library'));
  mkdirSync(origin.root);
  origin.git('init', '-q', '-b', 'main');
  origin.write('lib.txt', 'library\n');
  origin.git('add', '-A');
  origin.git('commit', '-qm', 'Library');
  return pathToFileURL(origin.root).href;
}

function addSubmodule(fixture: FixtureRepository, url: string, path: string): void {
  fixture.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', url, path);
}

/** Three submodules: one clean, one with uncommitted work, one that was never initialised. */
export function submodules(): FixtureRepository {
  const fixture = unbornRepository();
  const url = library(fixture.base);
  fixture.write('top.txt', 'top\n');
  for (const path of ['modules/clean', 'modules/dirty', 'modules/absent']) addSubmodule(fixture, url, path);
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'Submodules');
  fixture.git('submodule', '--quiet', 'deinit', '-f', 'modules/absent');
  fixture.write('modules/dirty/lib.txt', 'work in the submodule\n');
  fixture.write('modules/dirty/untracked.txt', 'untracked in the submodule\n');
  fixture.write('top.txt', 'top, changed\n');
  return fixture;
}

/** The paths of the repositories inside `nestedRepositories`. */
export const NESTED_PATHS = [
  'inner/born',
  'inner/unborn',
  'inner/bare.git',
  'inner/dirty',
  'inner/linked',
  'inner/pointed',
] as const;

/** A repository with a commit, one without, a bare one, one with uncommitted work, and a linked worktree, and one whose `.git` is a link, all inside. */
export function nestedRepositories(): FixtureRepository {
  const fixture = plainRepository();
  const inner = (path: string, ...options: readonly string[]): FixtureRepository => {
    const nested = fixtureAt(fixture.base, fixture.path(path));
    mkdirSync(nested.root, { recursive: true });
    nested.git('init', '-q', '-b', 'main', ...options);
    return nested;
  };
  const commit = (nested: FixtureRepository): FixtureRepository => {
    nested.write('inner.txt', 'inner\n');
    nested.git('add', '-A');
    nested.git('commit', '-qm', 'Inner');
    return nested;
  };
  commit(inner('inner/born'));
  inner('inner/unborn').write('first.txt', 'not committed\n');
  inner('inner/bare.git', '--bare');
  const dirty = commit(inner('inner/dirty'));
  dirty.write('inner.txt', 'inner, changed\n');
  dirty.write('more.txt', 'untracked inside\n');
  fixture.git('worktree', 'add', '-q', '-b', 'inside', fixture.path('inner/linked'));
  linkGitDirectory(commit(inner('inner/pointed')), join(fixture.base, 'pointed.git'));
  return fixture;
}
