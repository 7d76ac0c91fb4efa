/** Trees of files as plain data: made on disk, read from disk, generated, and compared into changes. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';
import type { FileState, TreeChange } from '../../../src/model/tree/tree-change.js';

export type Node =
  | { readonly kind: 'file'; readonly text: string; readonly mode: number }
  | { readonly kind: 'link'; readonly text: string }
  | { readonly kind: 'directory'; readonly mode: number };

/** By path, one character per byte; every directory is there. */
export type Tree = ReadonlyMap<string, Node>;

export const USUAL = 0o755;

export function onDisk(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

export function blobId(text: string): string {
  return createHash('sha1')
    .update(`blob ${String(text.length)}\0`)
    .update(bytes(text))
    .digest('hex');
}

const byDepth = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a.split('/').length - b.split('/').length;

export function makeTree(root: string, tree: Tree): void {
  const nodes = [...tree].sort(byDepth);
  for (const [path, node] of nodes) {
    if (node.kind === 'directory') mkdirSync(onDisk(root, path), { mode: 0o700 });
    else if (node.kind === 'link') symlinkSync(bytes(node.text), onDisk(root, path));
    else {
      writeFileSync(onDisk(root, path), bytes(node.text));
      chmodSync(onDisk(root, path), node.mode);
    }
  }
  for (const [path, node] of nodes.toReversed()) {
    if (node.kind === 'directory') chmodSync(onDisk(root, path), node.mode);
  }
}

export function readTree(root: string, below = ''): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const name of readdirSync(onDisk(root, below), { encoding: 'latin1' })) {
    const path = below === '' ? name : `${below}/${name}`;
    const status = lstatSync(onDisk(root, path));
    const mode = status.mode & 0o7777;
    if (status.isDirectory()) {
      found.set(path, { kind: 'directory', mode });
      for (const [inner, node] of readTree(root, path)) found.set(inner, node);
    } else if (status.isSymbolicLink()) {
      found.set(path, { kind: 'link', text: readlinkSync(onDisk(root, path), { encoding: 'latin1' }) });
    } else found.set(path, { kind: 'file', text: readFileSync(onDisk(root, path)).toString('latin1'), mode });
  }
  return found;
}

/** In an order that does not depend on the disk, for comparing. */
export function listed(tree: Tree): readonly (readonly [string, Node])[] {
  return [...tree].sort(([a], [b]) => (a < b ? -1 : 1));
}

export function stateOf(node: Node | undefined): FileState {
  if (node === undefined) return { kind: 'absent' };
  if (node.kind === 'directory') return { kind: 'directory', permissions: node.mode };
  const blob = blobId(node.text);
  if (node.kind === 'link') return { kind: 'link', blob };
  return { kind: 'file', blob, size: node.text.length, permissions: node.mode };
}

/** What a planner hands in: directories only where that says something. */
export function changesBetween(before: Tree, after: Tree): TreeChange[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const holding = new Set([...after.keys()].map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))));
  return [...paths].flatMap((path) => {
    const change = { path, before: stateOf(before.get(path)), after: stateOf(after.get(path)) };
    if (JSON.stringify(change.before) === JSON.stringify(change.after)) return [];
    const isPlain = change.after.kind === 'directory' && change.after.permissions === USUAL && holding.has(path);
    return isPlain && change.before.kind === 'absent' ? [] : [change];
  });
}

export function textsOf(...trees: Tree[]): string[] {
  return trees.flatMap((tree) => [...tree.values()].flatMap((node) => (node.kind === 'directory' ? [] : node.text)));
}

const ODD_NAMES = [
  'a',
  'b',
  'c',
  'A',
  '-rf',
  'new\nline',
  'tab\t"q"',
  ':(glob)*',
  'dot. ',
  '\xff\xfe',
  'e\xcc\x81',
  '\xc3\xa9',
  'con',
];
const name = fc.constantFrom(...ODD_NAMES, 'x'.repeat(255));
const text = fc.oneof(
  fc.constantFrom('', 'one\n', 'two\n', 'tri\n'),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }),
);
const fileMode = fc.constantFrom(0o644, 0o755, 0o600, 0o400, 0o700, 0o444);
const directoryMode = fc.constantFrom(USUAL, USUAL, USUAL, 0o700, 0o555, 0o500);
const target = fc.constantFrom('a', '../b', '/nowhere', '..', 'c\xff');

/** A file, a link, or a directory with more of the same. */
interface Shape {
  readonly node: Node;
  readonly below: readonly (readonly [string, Shape])[];
}

const leaf: fc.Arbitrary<Shape> = fc
  .oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('file' as const), text, mode: fileMode }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), text: target }) },
  )
  .map((node) => ({ node, below: [] }));

const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape; directory: Shape }>((tie) => ({
  shape: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, tie('directory')),
  directory: fc.record({
    node: fc.record({ kind: fc.constant('directory' as const), mode: directoryMode }),
    below: fc.array(fc.tuple(name, tie('shape')), { maxLength: 5 }),
  }),
})).shape;

function flatten(below: Shape['below'], into: Map<string, Node>, prefix = ''): Map<string, Node> {
  const seen = new Set<string>();
  for (const [own, { node, below: inner }] of below) {
    if (seen.has(own)) continue;
    seen.add(own);
    into.set(prefix + own, node);
    flatten(inner, into, `${prefix}${own}/`);
  }
  return into;
}

export const anyTree: fc.Arbitrary<Tree> = fc
  .array(fc.tuple(name, shape), { maxLength: 8 })
  .map((below) => flatten(below, new Map()));
