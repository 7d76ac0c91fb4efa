/** Repositories whose index holds more than plain entries. */
import { rmSync } from 'node:fs';
import { plainRepository, unbornRepository, type FixtureRepository } from './repository.js';

export function splitIndex(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('update-index', '--split-index');
  fixture.write('src/after split.txt', 'staged after the split\n');
  fixture.git('add', 'src/after split.txt');
  return fixture;
}

export function untrackedCache(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('config', 'core.untrackedCache', 'true');
  fixture.git('update-index', '--force-untracked-cache');
  fixture.git('status', '--porcelain');
  return fixture;
}

/** A monitor that leaves a mark when it is asked, and claims that nothing ever changes. */
export function fsmonitor(): FixtureRepository {
  const fixture = plainRepository();
  fixture.write('.git/monitor.sh', '#!/bin/sh\ntouch "$PWD/../monitor-ran"\nprintf "token\\0"\n', 0o755);
  fixture.git('config', 'core.fsmonitorHookVersion', '2');
  fixture.git('update-index', '--fsmonitor');
  // Run by a shell in the worktree's root.
  fixture.git('config', 'core.fsmonitor', '.git/monitor.sh');
  return fixture;
}

export function assumeUnchanged(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('update-index', '--assume-unchanged', 'src/four.txt');
  fixture.write('src/four.txt', 'changed behind the bit\n');
  return fixture;
}

export function skipWorktree(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('update-index', '--skip-worktree', 'src/four.txt', 'readme.md');
  fixture.write('src/four.txt', 'changed behind the bit\n');
  return fixture;
}

export function intentToAdd(): FixtureRepository {
  const fixture = plainRepository();
  fixture.write('planned.txt', 'not staged yet\n');
  fixture.git('add', '-N', 'planned.txt');
  return fixture;
}

export function stagedDelete(): FixtureRepository {
  const fixture = plainRepository();
  fixture.git('rm', '-q', '--cached', 'readme.md');
  fixture.git('rm', '-q', 'src/deep/er/leaf.txt');
  return fixture;
}

/** 1,000 files in 100 directories; only one directory of ten is present. */
export function sparse(): FixtureRepository {
  const fixture = unbornRepository();
  const files = Array.from({ length: 1000 }, (_, at) => {
    const content = `content ${String(at)}\n`;
    const path = `d${String(Math.floor(at / 10)).padStart(3, '0')}/f${String(at)}.txt`;
    return `M 100644 inline ${path}\ndata ${String(content.length)}\n${content}`;
  });
  const header =
    'commit refs/heads/main\ncommitter Test Author <author@example.org> 1767323045 +0000\ndata 16\nA thousand files';
  // Never written to the disk as a whole: that would take seconds.
  fixture.run({ args: ['fast-import', '--quiet'], input: `${header}\n${files.join('\n')}\n` });
  fixture.git('sparse-checkout', 'set', '--cone', 'd042');
  fixture.git('checkout', '-q', 'main');
  return fixture;
}

/** The same with a sparse index, where whole directories are one entry. */
export function sparseIndex(): FixtureRepository {
  const fixture = sparse();
  fixture.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'd042');
  return fixture;
}

/** A file of the cone that its owner removed: that is a deletion, unlike the files outside the cone. */
export function removeFromCone(fixture: FixtureRepository): void {
  rmSync(fixture.path('d042/f421.txt'));
}
