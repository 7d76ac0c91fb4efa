/** T03 and bad input: what cannot be done whole is refused before the first write. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { plainRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError } from '../support/acts.js';
import { commitOf } from '../support/operations.js';

/** Takes an object out of the store, wherever it lies. */
function lose(fixture: FixtureRepository, object: string): void {
  const objects = fixture.path('.git/objects');
  const packs = readdirSync(join(objects, 'pack')).filter((name) => name.endsWith('.pack'));
  for (const name of packs) {
    const input = readFileSync(join(objects, 'pack', name));
    rmSync(join(objects, 'pack', name), { force: true });
    for (const kind of ['idx', 'keep', 'rev'])
      rmSync(join(objects, 'pack', name.replace(/pack$/, kind)), { force: true });
    fixture.run({ args: ['unpack-objects', '-q'], input });
  }
  rmSync(join(objects, object.slice(0, 2), object.slice(2)));
}

async function twoStates(): Promise<{ readonly fixture: FixtureRepository; readonly id: string }> {
  const fixture = plainRepository();
  fixture.write('only/then.txt', 'only in the snapshot\n');
  const { id } = await capture(fixture);
  rmSync(fixture.path('only'), { recursive: true });
  fixture.write('src/one.txt', 'now\n');
  fixture.write('newer.txt', 'now\n');
  await capture(fixture);
  return { fixture, id };
}

const OBJECTS: Readonly<Record<string, string>> = {
  'a blob': 'worktree/only/then.txt',
  'a tree': 'worktree/only',
  'the tree of the worktree': 'worktree',
  'the description of the file system': 'filesystem.json',
};

describe('a snapshot from which something is missing', () => {
  it.each(Object.entries(OBJECTS))('%s: refuses with "corrupt", and no path is changed', async (_, name) => {
    const { fixture, id } = await twoStates();
    lose(fixture, fixture.git('rev-parse', `${commitOf(fixture, id)}:${name}`));
    for (const args of [
      ['rewind', id, '--yes', '--exact'],
      ['rewind', id, '--dry-run'],
      ['restore', id, 'only/then.txt', '--yes'],
    ]) {
      await expectError(fixture, args, { exit: 15, code: 'object_missing' });
    }
    expect(existsSync(fixture.path('newer.txt'))).toBe(true);
  });

  it('the whole store: nothing is found, and no path is changed', async () => {
    const { fixture, id } = await twoStates();
    for (const ref of fixture.git('for-each-ref', '--format=%(refname)', 'refs/savepoint/').split('\n')) {
      fixture.git('update-ref', '-d', ref);
    }
    rmSync(fixture.path('.git/savepoint'), { recursive: true });
    const answer = await act(fixture, ['--json', '--yes', 'rewind', id]);
    expect(answer.code).toBe(12);
    expect(statSync(fixture.path('newer.txt')).size).toBe(4);
  });
});

describe('bad input', () => {
  it('is refused, and nothing changes', async () => {
    const { fixture } = await twoStates();
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['rewind', 'feedfeedfeed'], 12, 'snapshot_not_found'],
      [['rewind', 'seq:1', '../outside'], 2, 'path_outside'],
      [['rewind', 'seq:1', '/etc/passwd'], 2, 'path_outside'],
      [['rewind', 'seq:1', 'no/such/path'], 12, 'path_unknown'],
      [['restore', 'seq:1', 'no/such/path'], 12, 'path_unknown'],
      [['rewind', 'seq:1', '--plan', '0'.repeat(64)], 13, 'plan_changed'],
      [['rewind', 'seq:1', '--plan', '--output=x'], 13, 'plan_changed'],
      [['rewind', '--', '--exec=x'], 2, 'argument_missing'],
      [['restore', 'seq:1', '--slice', 'nonsense'], 2, 'argument_malformed'],
      [['rewind', 'seq:1', 'src', '--context'], 2, 'argument_malformed'],
      [['restore', 'seq:1', 'src', '--slice', 'session'], 2, 'argument_malformed'],
    ];
    for (const [args, exit, code] of cases) await expectError(fixture, ['--yes', ...args], { exit, code });
  });
});
