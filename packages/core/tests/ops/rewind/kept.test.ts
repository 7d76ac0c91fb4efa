/** What a rewind keeps: ignored files, boundaries, what no snapshot holds, and what snapshots cannot speak for. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationResult } from '../../../src/ops/operation/operation-result.js';
import { rewind, type RewindRequest } from '../../../src/ops/rewind/rewind.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { place, treeOf, type Place } from './place.js';

function rewindTo(at: Place, selector: string, more: Partial<RewindRequest> = {}): Promise<OperationResult> {
  return at.with((repository) => rewind({ repository, selector, ...more }));
}

const kept = ({ files }: OperationResult) =>
  Object.fromEntries(files.filter(({ reason }) => reason !== undefined).map(({ path, reason }) => [path, reason]));

describe('ignored files', () => {
  test.each([
    ['the rule is in an uncommitted .gitignore', (at: Place) => at.fixture.write('.gitignore', '*.log\ndata/\n')],
    ['the rule is in info/exclude', (at: Place) => at.fixture.write('.git/info/exclude', 'data/\n')],
    ['the rule is in a nested .gitignore', (at: Place) => at.fixture.write('data/.gitignore', '*\n')],
  ])('are kept and listed when %s and is newer than the snapshot', async (_, ignore) => {
    const at = place();
    const first = await at.snapshot();
    ignore(at);
    for (const name of ['1', '2', '3']) at.fixture.write(`data/${name}.bin`, `content ${name}\n`);
    const before = treeOf(at.fixture.path('data'));
    const result = await rewindTo(at, first);
    expect(treeOf(at.fixture.path('data'))).toEqual(before);
    expect(Object.entries(kept(result)).some(([name, reason]) => name.startsWith('data') && reason === 'ignored')).toBe(
      true,
    );
    expect(result.partial).toBe(false);
  });

  test('are kept when the rule was there and is gone', async () => {
    const at = place();
    at.fixture.write('out.log', 'log\n');
    const first = await at.snapshot();
    at.fixture.write('.gitignore', '');
    await at.snapshot();
    const result = await rewindTo(at, first, { exact: true });
    expect(kept(result)).toEqual({ 'out.log': 'ignored' });
    expect(result.partial).toBe(false);
    expect(readFileSync(at.fixture.path('out.log'), 'utf8')).toBe('log\n');
  });

  test('are not written over where the target holds the path, and are written where nothing is there', async () => {
    const at = place();
    at.fixture.write('same.txt', 'same\n');
    at.fixture.write('mine.txt', 'old\n');
    at.fixture.write('lost.txt', 'lost\n');
    const first = await at.snapshot();
    at.fixture.write('.gitignore', '*.log\n/*.txt\n');
    at.fixture.git('rm', '-q', '--cached', 'a.txt');
    at.fixture.write('mine.txt', 'not saved anywhere\n');
    rmSync(at.fixture.path('lost.txt'));
    const result = await rewindTo(at, first);
    expect(kept(result)).toMatchObject({ 'mine.txt': 'ignored' });
    expect(readFileSync(at.fixture.path('mine.txt'), 'utf8')).toBe('not saved anywhere\n');
    expect(readFileSync(at.fixture.path('lost.txt'), 'utf8')).toBe('lost\n');
    expect(kept(result)['same.txt']).toBeUndefined();
  });
});

describe('a file that was born after the snapshot', () => {
  test('goes where a later snapshot holds it, and stays where only the safety snapshot does', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a-agent.txt', 'agent\n');
    await at.snapshot();
    at.fixture.write('b-human.txt', 'human\n');
    const before = treeOf(at.fixture.root);
    const result = await rewindTo(at, first);
    expect(kept(result)).toEqual({ 'b-human.txt': 'in_no_snapshot' });
    expect(result.partial).toBe(true);
    expect(existsSync(at.fixture.path('a-agent.txt'))).toBe(false);
    expect(existsSync(at.fixture.path('b-human.txt'))).toBe(true);
    const again = await rewindTo(at, first);
    expect(kept(again)).toEqual({ 'b-human.txt': 'in_no_snapshot' });
    await at.with((repository) => undo({ repository }));
    await at.with((repository) => undo({ repository }));
    expect(treeOf(at.fixture.root)).toEqual(before);
    const exact = await rewindTo(at, first, { exact: true });
    expect(exact.partial).toBe(false);
    expect(existsSync(at.fixture.path('b-human.txt'))).toBe(false);
    await at.with((repository) => undo({ repository }));
    expect(treeOf(at.fixture.root)).toEqual(before);
  });

  test('and edited after a snapshot held it goes: the edit is in the safety snapshot', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('new.txt', 'one\n');
    await at.snapshot();
    at.fixture.write('new.txt', 'two\n');
    const result = await rewindTo(at, first);
    expect(existsSync(at.fixture.path('new.txt'))).toBe(false);
    expect(result.partial).toBe(false);
    await at.with((repository) => undo({ repository }));
    expect(readFileSync(at.fixture.path('new.txt'), 'utf8')).toBe('two\n');
  });
});

test('a nested repository and a submodule are kept and listed, and what is below them too', async () => {
  const at = place();
  const first = await at.snapshot();
  mkdirSync(at.fixture.path('nested'));
  at.fixture.run({ args: ['init', '-q', 'nested'] });
  writeFileSync(at.fixture.path('nested/file.txt'), 'mine\n');
  const result = await rewindTo(at, first, { exact: true });
  expect(kept(result)).toEqual({ nested: 'repository' });
  expect(result.partial).toBe(false);
  expect(readFileSync(path.join(at.fixture.root, 'nested/file.txt'), 'utf8')).toBe('mine\n');
});

test('a nested repository that is gone since does not come back, and that is said', async () => {
  const at = place();
  at.fixture.run({ args: ['init', '-q', 'nested'] });
  const first = await at.snapshot();
  rmSync(at.fixture.path('nested'), { recursive: true });
  const result = await rewindTo(at, first, { exact: true });
  expect(kept(result)).toEqual({ nested: 'repository' });
  expect(result.partial).toBe(false);
  expect(existsSync(at.fixture.path('nested'))).toBe(false);
});

test('what the target had to omit is never removed', async () => {
  const at = place();
  at.fixture.write('.savepoint/settings.json', '{"capture.maxFileBytes": 100}');
  at.fixture.write('big.bin', 'x'.repeat(1000));
  const first = await at.snapshot();
  at.fixture.write('.savepoint/settings.json', '{}');
  await at.snapshot();
  const result = await rewindTo(at, first, { exact: true });
  expect(kept(result)).toEqual({ 'big.bin': 'omitted' });
  expect(result.unsaved).toBeUndefined();
  expect(result.partial).toBe(true);
  expect(readFileSync(at.fixture.path('big.bin'), 'utf8')).toHaveLength(1000);
});

test('what could not be saved first is not written over', async () => {
  const at = place();
  at.fixture.write('big.bin', 'small');
  const first = await at.snapshot();
  at.fixture.write('.savepoint/settings.json', '{"capture.maxFileBytes": 100}');
  at.fixture.write('big.bin', 'y'.repeat(1000));
  const result = await rewindTo(at, first);
  expect(kept(result)['big.bin']).toBe('unsaved');
  expect(result.unsaved).toBe(1);
  expect(readFileSync(at.fixture.path('big.bin'), 'utf8')).toHaveLength(1000);
});

describe('outside the sparse cone', () => {
  test('nothing goes, for no undo could bring it back', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.git('sparse-checkout', 'set', 'elsewhere');
    at.fixture.write('dir/new.txt', 'new\n');
    mkdirSync(at.fixture.path('dir/void'));
    await at.snapshot();
    const before = treeOf(at.fixture.root);
    const { files } = await rewindTo(at, first);
    expect(files.filter(({ reason }) => reason === undefined)).toEqual([]);
    expect(files).toContainEqual(expect.objectContaining({ path: 'dir/new.txt', action: 'skip', reason: 'sparse' }));
    expect(treeOf(at.fixture.root)).toEqual(before);
  });
});
