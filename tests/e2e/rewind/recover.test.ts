/** T07: a rewind that was killed is reported by the next command, keeps others out, and ends in one of two states. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import {
  diskManifest,
  differences,
  observe,
  startNumbered,
  unbornRepository,
  type FixtureRepository,
  type Manifest,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, run } from '../support/acts.js';
import { expectEqual } from '../support/operations.js';

/** `npm run slow:rewind` does it with 300, at every call. */
const FILES = 60;

interface Torn {
  readonly fixture: FixtureRepository;
  /** The snapshot that the rewind was to. */
  readonly id: string;
  /** The worktree before it. */
  readonly before: Manifest;
}

/** Makes a worktree of which a rewind creates, overwrites, deletes and changes types. */
async function changedTree(): Promise<Torn> {
  const fixture = unbornRepository();
  for (let at = 0; at < FILES; at += 1) fixture.write(`d${String(at % 7)}/f${String(at)}.txt`, `then ${String(at)}\n`);
  const { id } = await capture(fixture);
  for (let at = 0; at < FILES; at += 1) {
    const name = `d${String(at % 7)}/f${String(at)}.txt`;
    if (at % 5 === 0) rmSync(fixture.path(name));
    if (at % 5 === 1) fixture.write(name, `now ${String(at)}\n`);
    if (at % 5 === 2) fixture.write(`new/${name}`, `born ${String(at)}\n`);
  }
  rmSync(fixture.path('d3'), { recursive: true });
  fixture.write('d3', 'a file where a directory was\n');
  await capture(fixture);
  return { fixture, id, before: diskManifest(fixture) };
}

let calls: Promise<number> | undefined;

async function countCalls(): Promise<number> {
  const { fixture, id } = await changedTree();
  return (await startNumbered(fixture, ['--yes', 'rewind', id], { kinds: 'changes' }).end).count;
}

/** Kills a rewind in the middle of its changes. */
async function tornRewind(): Promise<Torn> {
  const count = await (calls ??= countCalls());
  const torn = await changedTree();
  const at = Math.floor(count / 2);
  await startNumbered(torn.fixture, ['--yes', 'rewind', torn.id], { at, act: 'kill', kinds: 'changes' }).end;
  expect(await isOpen(torn.fixture)).toBe(true);
  return torn;
}

function journals({ path }: FixtureRepository): number {
  const folder = path('.git/savepoint/restores');
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

async function isOpen(fixture: FixtureRepository): Promise<unknown> {
  const answer = await run(fixture, ['--json', 'operations']);
  return (answer.json() as unknown as { readonly open: boolean }).open;
}

describe('a rewind that was killed', () => {
  it('is named by status, and keeps captures and other operations out with exit 18', async () => {
    const { fixture, id } = await tornRewind();
    const { warnings } = (await act(fixture, ['--json', 'status'])).json();
    expect(warnings.map(({ code }) => code)).toContain('restore_interrupted');
    const text = await act(fixture, ['status']);
    expect(text.stdout).toContain('savepoint recover');
    for (const args of [
      ['capture'],
      ['rewind', id, '--yes'],
      ['undo'],
      ['restore', id, 'd1', '--yes'],
      ['rewind', '--list'],
    ]) {
      await expectError(fixture, args, { exit: 18, code: 'restore_interrupted' });
    }
    for (const args of [['list'], ['show', id], ['operations']]) expect((await act(fixture, args)).code).toBe(0);
  });

  it('is completed by recover, and can then be undone', async () => {
    const { fixture, id, before } = await tornRewind();
    const answer = await run(fixture, ['--json', 'recover']);
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.json()).toMatchObject({ outcome: 'completed' });
    expectEqual(fixture, id);
    expect((await run(fixture, ['recover'])).stdout).toContain('nothing to recover');
    expect((await run(fixture, ['--yes', 'undo'])).code).toBe(0);
    expect(diskManifest(fixture)).toEqual(before);
    expect(journals(fixture)).toBe(0);
  });

  it('is rolled back by recover --roll-back, byte for byte', async () => {
    const { fixture, before } = await tornRewind();
    const answer = await run(fixture, ['--json', 'recover', '--roll-back']);
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.json()).toMatchObject({ outcome: 'rolled_back' });
    expect(diskManifest(fixture)).toEqual(before);
    expect((await capture(fixture)).unchanged).toBe(true);
    await expectError(fixture, ['undo'], { exit: 12, code: 'nothing_to_undo' });
  });
});

describe('recover', () => {
  it('with nothing open does nothing', async () => {
    const fixture = unbornRepository();
    fixture.write('a.txt', 'a\n');
    const before = observe(fixture);
    for (const args of [['recover'], ['recover', '--roll-back']]) expect((await act(fixture, args)).code).toBe(0);
    await capture(fixture);
    expect((await run(fixture, ['--json', 'recover'])).json()).toMatchObject({ outcome: 'nothing' });
    expect(differences(before, observe(fixture))).toEqual([]);
  });
});
