/** T06, T67: every operation can be taken back, in order, and repeated; each says what it undid. */
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { diskManifest, plainRepository, storedSnapshots, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, expectExact } from '../support/acts.js';
import { expectEqual, operate, type OperationOutput } from '../support/operations.js';

/** Modifies, adds, removes, changes modes, links and types. */
function disturb(fixture: FixtureRepository): void {
  fixture.write('src/one.txt', 'changed since\n');
  fixture.write('born.txt', 'new\n');
  rmSync(fixture.path('new file.txt'));
  chmodSync(fixture.path('bin/run.sh'), 0o600);
  chmodSync(fixture.path('src'), 0o700);
  rmSync(fixture.path('link'));
  symlinkSync('elsewhere', fixture.path('link'));
  rmSync(fixture.path('readme.md'));
  fixture.write('readme.md/inside.txt', 'a directory now\n');
  rmSync(fixture.path('void'), { recursive: true });
}

describe('undo', () => {
  it('of a rewind gives the exact worktree from before, redo that of the snapshot, again and again', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    disturb(fixture);
    const before = diskManifest(fixture);
    let last = await operate(fixture, ['rewind', id, '--exact']);
    expectEqual(fixture, id);
    for (let round = 0; round < 2; round += 1) {
      const undone = await operate(fixture, ['undo']);
      expect(undone.of?.kind).toBe(round === 0 ? 'rewind' : 'redo');
      expect(diskManifest(fixture)).toEqual(before);
      const redone = await operate(fixture, ['redo']);
      expect(redone.of?.id).toBe(last.operation);
      last = redone;
      expectEqual(fixture, id);
    }
    expectExact(fixture);
  });

  it('of a tree that was edited since captures the edit first', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'second\n');
    await operate(fixture, ['rewind', id]);
    fixture.write('src/one.txt', 'edited after the rewind\n');
    fixture.write('src/unrelated.txt', 'edited after the rewind too\n');
    const undone = await operate(fixture, ['undo']);
    const shown = await act(fixture, ['show', undone.safety ?? '', '--file', 'src/one.txt']);
    expect(shown.stdout).toBe('edited after the rewind\n');
    expect((await act(fixture, ['show', 'head', '--file', 'src/one.txt'])).stdout).toBe('second\n');
    expect((await act(fixture, ['show', 'head', '--file', 'src/unrelated.txt'])).code).toBe(0);
  });

  it('with nothing to take back says so and changes nothing', async () => {
    const fixture = plainRepository();
    await expectError(fixture, ['undo'], { exit: 12, code: 'nothing_to_undo' });
    await expectError(fixture, ['redo'], { exit: 12, code: 'nothing_to_redo' });
    await capture(fixture);
    await expectError(fixture, ['undo'], { exit: 12, code: 'nothing_to_undo' });
  });
});

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly undone: boolean;
  readonly next?: string;
  readonly of?: string;
}

async function operations(fixture: FixtureRepository): Promise<readonly Listed[]> {
  const answer = (await act(fixture, ['--json', 'operations'])).json() as unknown as {
    readonly operations: readonly Listed[];
  };
  return answer.operations;
}

describe('a chain of operations', () => {
  it('is undone in order, partly redone, and survives a capture and another undo', async () => {
    const fixture = plainRepository();
    const ids: string[] = [];
    for (const text of ['first\n', 'second\n', 'third\n', 'fourth\n']) {
      fixture.write('src/one.txt', text);
      ids.push((await capture(fixture)).id);
    }
    const [first = '', second = '', third = '', fourth = ''] = ids;
    const done: OperationOutput[] = [];
    for (const id of [third, second, first]) done.push(await operate(fixture, ['restore', id, 'src/one.txt']));
    const states = [second, third, fourth];
    for (const [at, state] of states.entries()) {
      const undone = await operate(fixture, ['undo']);
      expect(undone.of).toMatchObject({ kind: 'restore', id: done.at(-1 - at)?.operation });
      expectEqual(fixture, state);
    }
    await operate(fixture, ['redo']);
    await operate(fixture, ['redo']);
    expectEqual(fixture, second);
    fixture.write('src/two.txt', 'captured after the redo\n');
    const { id: later } = await capture(fixture);
    const undone = await operate(fixture, ['undo']);
    expect(undone.of?.kind).toBe('redo');
    expectEqual(fixture, third, ['src/two.txt']);
    const listed = await operations(fixture);
    expect(listed.map(({ kind }) => kind)).toEqual([
      ...['undo', 'redo', 'redo', 'undo', 'undo', 'undo'],
      ...['restore', 'restore', 'restore'],
    ]);
    expect(
      listed
        .filter(({ next }) => next !== undefined)
        .map(({ next }) => next)
        .sort(),
    ).toEqual(['redo', 'undo']);
    // Every state that was left is still a snapshot that is listed and reached.
    expect(storedSnapshots(fixture).map(({ id }) => id)).toEqual(expect.arrayContaining([...ids, later]) as unknown);
  });

  it('of one session is not undone by a person or by another session', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('src/one.txt', 'second\n');
    const theirs = await operate(fixture, ['rewind', id, '--session', 'session-a']);
    await expectError(fixture, ['undo'], { exit: 12, code: 'nothing_to_undo' });
    await expectError(fixture, ['undo', '--session', 'session-b'], { exit: 12, code: 'nothing_to_undo' });
    const undone = await operate(fixture, ['undo', '--session', 'session-a']);
    expect(undone.of?.id).toBe(theirs.operation);
    await expectError(fixture, ['redo'], { exit: 12, code: 'nothing_to_redo' });
    expectEqual(fixture, theirs.safety);
  });

  it('counts a rewind that changed nothing, and a new one clears what could be redone', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    const nothing = await operate(fixture, ['rewind', id]);
    expect(nothing.operation).toBeDefined();
    expect(nothing.files.filter(({ reason }) => reason !== 'ignored')).toEqual([]);
    expect((await operate(fixture, ['undo'])).of?.id).toBe(nothing.operation);
    await operate(fixture, ['rewind', id]);
    await expectError(fixture, ['redo'], { exit: 12, code: 'nothing_to_redo' });
  });
});
