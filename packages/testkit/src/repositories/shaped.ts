/** Repositories whose git directory or object store is laid out in an unusual way. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  linkGitDirectory,
  commitSomeFiles,
  emptyFixture,
  fixtureAt,
  makeUntidy,
  plainRepository,
  unbornRepository,
  type FixtureRepository,
} from './repository.js';

/** 20 files and no commit; one is staged. */
export function unborn(): FixtureRepository {
  const fixture = unbornRepository();
  for (let at = 0; at < 20; at += 1) fixture.write(`file ${String(at)}.txt`, `content ${String(at)}\n`);
  fixture.git('add', 'file 7.txt');
  return fixture;
}

export function detached(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('checkout', '-q', '--detach');
  return fixture;
}

/** Clones a plain repository with the given options; the origin lies beside the clone. */
function cloned(...options: readonly string[]): FixtureRepository {
  const fixture = emptyFixture();
  const origin = fixtureAt(fixture.base, join(fixture.base, 'origin'));
  mkdirSync(origin.root);
  origin.git('init', '-q', '-b', 'main');
  commitSomeFiles(origin);
  origin.git('config', 'uploadpack.allowFilter', 'true');
  const url = pathToFileURL(origin.root).href;
  fixture.run({ cwd: fixture.base, args: ['clone', '-q', ...options, url, fixture.root] });
  return fixture;
}

export function shallow(): FixtureRepository {
  const fixture = cloned('--depth', '1');
  makeUntidy(fixture);
  return fixture;
}

/** Older blobs are missing here, and the promisor remote is unreachable: any lazy fetch fails. */
export function partialClone(): FixtureRepository {
  const fixture = cloned('--filter=blob:none');
  fixture.git('config', 'remote.origin.url', pathToFileURL(join(fixture.base, 'unplugged')).href);
  makeUntidy(fixture);
  return fixture;
}

/** The linked worktree of a plain repository; the main one lies beside it. */
export function linkedWorktree(): FixtureRepository {
  const main = plainRepository();
  const linked = fixtureAt(main.base, join(main.base, 'Arbeit & Spiel', 'linked ü'));
  main.git('worktree', 'add', '-q', '-b', 'side', linked.root);
  makeUntidy(linked);
  return linked;
}

export function separateGitDirectory(): FixtureRepository {
  const fixture = emptyFixture();
  mkdirSync(fixture.root);
  fixture.git('init', '-q', '-b', 'main', '--separate-git-dir', join(fixture.base, 'elsewhere.git'));
  fixture.write('.gitignore', '*.log\nbuild/\n');
  for (const name of ['one', 'two', 'three']) fixture.write(`src/${name}.txt`, `${name}\n`);
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'First');
  makeUntidy(fixture);
  return fixture;
}

export function linkedGitDirectory(): FixtureRepository {
  const fixture = plainRepository();
  linkGitDirectory(fixture, join(fixture.base, 'linked.git'));
  return fixture;
}

export function sha256(): FixtureRepository {
  return plainRepository('--object-format=sha256');
}

export function reftable(): FixtureRepository {
  return plainRepository('--ref-format=reftable');
}

export function bare(): FixtureRepository {
  const fixture = emptyFixture();
  mkdirSync(fixture.root);
  fixture.git('init', '-q', '--bare', '-b', 'main');
  return fixture;
}

/** Borrows the objects of another repository. */
export function alternates(): FixtureRepository {
  const fixture = cloned('--shared');
  makeUntidy(fixture);
  return fixture;
}
