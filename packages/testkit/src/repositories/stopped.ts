/** Repositories in which a git operation waits to be finished. */
import { plainRepository, unbornRepository, type FixtureRepository } from './repository.js';

/** Two branches that both changed `shared.txt`; `main` is checked out and clean. */
function diverged(): FixtureRepository {
  const fixture = unbornRepository();
  fixture.write('shared.txt', 'base\n');
  fixture.write('other.txt', 'other\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'Base');
  fixture.git('checkout', '-q', '-b', 'theirs');
  fixture.write('shared.txt', 'theirs\n');
  fixture.write('added.txt', 'added by them\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'Theirs');
  fixture.git('checkout', '-q', 'main');
  fixture.write('shared.txt', 'ours\n');
  fixture.git('commit', '-qam', 'Ours');
  return fixture;
}

const stop = (fixture: FixtureRepository, ...args: readonly string[]): FixtureRepository => {
  const { code } = fixture.run({ args, accept: 'any' });
  if (code === 0) throw new Error(`git ${args.join(' ')} was meant to stop`);
  return fixture;
};

export function mergeConflict(): FixtureRepository {
  return stop(diverged(), 'merge', 'theirs');
}

export function rebaseStop(): FixtureRepository {
  return stop(diverged(), 'rebase', 'theirs');
}

export function cherryPickStop(): FixtureRepository {
  return stop(diverged(), 'cherry-pick', 'theirs');
}

export function revertStop(): FixtureRepository {
  const fixture = diverged();
  fixture.write('shared.txt', 'ours, changed again\n');
  fixture.git('commit', '-qam', 'Ours again');
  return stop(fixture, 'revert', '--no-edit', 'HEAD~1');
}

export function amStop(): FixtureRepository {
  const fixture = diverged();
  const patch = fixture.run({ args: ['format-patch', '-1', '--stdout', 'theirs'] }).stdout;
  const { code } = fixture.run({ args: ['am', '-3'], input: patch, accept: 'any' });
  if (code === 0) throw new Error('git am was meant to stop');
  return fixture;
}

export function bisecting(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('reset', '-q', '--hard');
  fixture.git('bisect', 'start', 'HEAD', 'HEAD~2');
  return fixture;
}
