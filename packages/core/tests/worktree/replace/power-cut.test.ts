import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import {
  describeLosses,
  DiskModel,
  diskAfter,
  powerCuts,
  removeTree,
  type DiskOperation,
  type DiskState,
} from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { bench, contentOf, quickFolder, requestOf, type Bench } from './bench.js';
import { recordedDisk } from './recorded-disk.js';
import { FROM, TO } from './sample.js';
import { changesBetween, listed, readTree, type Node, type Tree } from './trees.js';

/** So many cuts are tried, spread over the whole way; 0 for all. */
const MOST = Number(process.env['SAVEPOINT_REPLACE_CUTS'] ?? 600);

// The model has no links, no modes that come later than names, and no names that are not UTF-8.
function modelled(tree: Tree): Tree {
  const kept = [...tree].filter(
    ([path, node]) => node.kind !== 'link' && !path.includes('link') && !path.includes('\xff'),
  );
  return new Map(kept.map(([path, node]) => [path, plain(node)]));
}

function plain(node: Node): Node {
  if (node.kind === 'directory') return { kind: 'directory', mode: 0o755 };
  return node.kind === 'file' ? { ...node, mode: 0o644 } : node;
}

const [from, to] = [modelled(FROM), modelled(TO)];
const content = contentOf(from, to);

function putBack({ folder }: Bench, state: DiskState): void {
  for (const [path, { mode, bytes }] of state) {
    if (path === folder) continue;
    if (bytes === undefined) mkdirSync(path, { recursive: true });
    else writeFileSync(path, bytes);
    chmodSync(path, bytes === undefined ? mode | 0o700 : mode);
  }
}

test('whatever a power cut takes, one of the two trees is there after recovery', async () => {
  const one = bench(from, quickFolder());
  const start = (policy: 'posix' | 'ordered'): DiskModel => {
    const model = new DiskModel(policy);
    model.load(one.folder);
    return model;
  };
  const models = { posix: start('posix'), ordered: start('ordered') };
  const operations: DiskOperation[] = [];
  const replacement = await one.on(recordedDisk(operations)).prepare(requestOf(changesBetween(from, to), content));
  await replacement.apply();
  operations.push({ kind: 'acknowledge', path: '', id: 'applied' });
  await replacement.close();
  operations.push({ kind: 'acknowledge', path: '', id: 'closed' });
  const recording = { start: (policy: 'posix' | 'ordered') => models[policy].copy(), operations, exposed: [] };
  const all = powerCuts(recording, 2, 7);
  expect(all.length).toBeGreaterThan(600);
  const every = MOST === 0 ? 1 : Math.ceil(all.length / MOST);
  const ends = { none: 0, recovered: 0 };
  for (const [count, cut] of all.entries()) {
    if (count % every !== 0) continue;
    for (const name of ['root', 'git']) rmSync(`${one.folder}/${name}`, { recursive: true, force: true });
    putBack(one, diskAfter(recording, cut));
    one.lease.release();
    const way = count % (2 * every) === 0 ? 'apply' : 'rollBack';
    const isRecovered = await recover(one, way);
    ends[isRecovered ? 'recovered' : 'none'] += 1;
    const tree = treeOf(one);
    const wanted = isRecovered ? [way === 'apply' ? to : from] : cut.acknowledged.length > 0 ? [to] : [from, to];
    if (wanted.some((each) => JSON.stringify(listed(each)) === JSON.stringify(tree))) continue;
    expect.fail(`${describeLosses(recording, cut).join(', ')} at ${String(cut.after)}, ${way}: neither tree is there`);
  }
  expect(Math.min(ends.none, ends.recovered)).toBeGreaterThan(4);
  removeTree(one.folder);
});

async function recover({ on, journals }: Bench, way: 'apply' | 'rollBack'): Promise<boolean> {
  if (!existsSync(journals)) return false;
  const replacement = await on().open(content);
  await replacement?.[way]();
  await replacement?.close();
  return replacement !== undefined;
}

// A disk that keeps no order among names may forget that a folder of the replacement was removed, after the journal was.
function treeOf({ root }: Bench): ReturnType<typeof listed> {
  return listed(readTree(root)).filter(([path]) => !path.includes('.savepoint-restore-'));
}
