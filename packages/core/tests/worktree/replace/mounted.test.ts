import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeTree } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { bench, contentOf, quickFolder, requestOf } from './bench.js';
import { changesBetween, type Node, type Tree } from './trees.js';

const file = (text: string): Node => ({ kind: 'file', text, mode: 0o644 });
const folder = (mode: number): Node => ({ kind: 'directory', mode });

function mount(...args: readonly string[]): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  return spawnSync('mount', args).status === 0;
}

test('a mounted file system is written to like any other; what it stands in the way of is a conflict, and all else is done', async ({
  skip,
}) => {
  const from: Tree = new Map([
    ['bound', file('bound\n')],
    ['disk', folder(0o755)],
    ['disk/x', file('x\n')],
    ['shut', folder(0o555)],
    ['shut/x', file('x\n')],
    ['y', file('y\n')],
  ]);
  const to: Tree = new Map([
    ['bound', file('BOUND\n')],
    ['disk', folder(0o755)],
    ['disk/x', file('X\n')],
    ['shut', folder(0o555)],
    ['shut/made', file('made\n')],
    ['shut/x', file('X\n')],
    ['y', file('Y\n')],
  ]);
  const one = bench(new Map([...from].filter(([name]) => !name.includes('/'))), quickFolder());
  const at = (name: string): string => path.join(one.root, name);
  chmodSync(at('shut'), 0o755);
  const source = path.join(one.folder, 'bound');
  writeFileSync(source, 'bound\n');
  const mounted = [
    mount('-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', at('disk')),
    mount('-t', 'tmpfs', '-o', 'size=1m,mode=755', 'tmpfs', at('shut')),
    mount('--bind', source, at('bound')),
  ];
  try {
    if (mounted.includes(false)) return skip('only root can mount a file system');
    for (const name of ['disk/x', 'shut/x']) writeFileSync(at(name), 'x\n');
    chmodSync(at('shut'), 0o555);
    const replacement = await one.on().prepare(requestOf(changesBetween(from, to), contentOf(from, to)));
    const outcomes = await replacement.apply();
    expect(outcomes.filter(({ result }) => result !== 'done')).toEqual(
      ['bound', 'shut/x', 'shut/made'].map((name) => ({ path: name, result: 'conflict', reason: 'mounted' })),
    );
    expect(await replacement.close()).toEqual([]);
    expect(['bound', 'disk/x', 'shut/x', 'y'].map((name) => readFileSync(at(name), 'utf8'))).toEqual([
      ...['bound\n', 'X\n', 'x\n', 'Y\n'],
    ]);
    expect([readdirSync(at('shut')), readdirSync(one.root)]).toEqual([['x'], ['bound', 'disk', 'shut', 'y']]);
  } finally {
    for (const name of ['bound', 'shut', 'disk']) spawnSync('umount', ['-l', at(name)]);
    removeTree(one.folder);
  }
});
