import fc from 'fast-check';
import {
  cleanEnvironment,
  fsckComplaints,
  nulFields,
  removeTree,
  timelineRefs,
  unbornRepository,
  type FixtureRepository,
} from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { capture } from '../../src/ops/capture.js';
import { openRepository } from '../../src/open/open-repository.js';
import { verify } from '../../src/ops/read/verify.js';
import { action, perform, type Action } from '../worktree/actions.js';
import { expectedFiles, traces } from '../worktree/oracle.js';

async function take(fixture: FixtureRepository): Promise<void> {
  const env = cleanEnvironment(fixture.home);
  const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    const before = traces(fixture);
    const { complete } = await capture({ repository });
    const changed = [...traces(fixture)].filter(([file, trace]) => before.get(file) !== trace);
    // The first one makes its own ref, and the folders above it.
    expect(changed.filter(([file]) => !file.startsWith('.git/refs'))).toEqual([]);
    expect(complete).toBe(true);
  } finally {
    await repository.close();
  }
}

/** What plain git finds in the newest snapshot, but for what no tree may hold. */
function storedFiles(fixture: FixtureRepository): string[] {
  const [head = ''] = timelineRefs(fixture).values();
  const { code, stdout } = fixture.run({
    args: ['ls-tree', '-r', '-z', '--full-tree', `${head}:worktree`],
    accept: [128],
  });
  return nulFields(code === 0 ? stdout : Buffer.alloc(0))
    .map((line) => /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line))
    .map((found) => `${JSON.stringify(found?.[3])} ${String(found?.[1])} ${String(found?.[2])}`)
    .sort();
}

const isKept = ([file, entry]: readonly [string, string]): boolean =>
  !(file.endsWith('.gitattributes') || file.endsWith('.gitignore')) || !entry.startsWith('120000');

/** What git fsck says, but for what it says about the user's own trees: a commit may hold a link named .gitattributes. */
function complaintsAboutOurs(fixture: FixtureRepository): string[] {
  const complaints = fsckComplaints(fixture);
  if (complaints.length === 0) return [];
  const listed = fixture.git('rev-list', '--objects', '--exclude=refs/savepoint/*', '--all', '--reflog');
  const theirs = new Set(listed.split('\n').map((line) => line.split(' ')[0]));
  return complaints.filter((line) => !theirs.has(/^warning in tree ([0-9a-f]+): /.exec(line)?.[1] ?? ''));
}

async function play(steps: readonly (readonly Action[])[]): Promise<void> {
  const fixture = unbornRepository();
  try {
    fixture.write('a', 'one\n');
    fixture.write('d/e/a', 'two\n', 0o755);
    await take(fixture);
    for (const actions of steps) {
      for (const one of actions) await perform(fixture, one);
      await take(fixture);
      const expected = [...expectedFiles(fixture)].filter(isKept);
      expect(storedFiles(fixture)).toEqual(expected.map(([file, entry]) => `${JSON.stringify(file)} ${entry}`).sort());
    }
    expect(complaintsAboutOurs(fixture)).toEqual([]);
    await verified(fixture);
  } finally {
    removeTree(fixture.base);
  }
}

async function verified(fixture: FixtureRepository): Promise<void> {
  const env = cleanEnvironment(fixture.home);
  const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    const { results } = await verify({ repository, all: true, deep: true });
    expect(results.filter(({ verdict }) => verdict !== 'valid')).toEqual([]);
  } finally {
    await repository.close();
  }
}

test('what a chain of captures stores is what was on disk each time, and nothing else changes', async () => {
  const steps = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });
  const numRuns = Number(process.env['SAVEPOINT_SCAN_RUNS'] ?? '6');
  await fc.assert(fc.asyncProperty(steps, play), { numRuns });
}, 3_600_000);
