/** Worktrees as plain maps: what the planner's laws are checked against, without any of its code. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { objectId } from '../../../src/model/tree/object-id.js';
import { utf8 } from '../../../src/base/bytes.js';
import type { FileState, TreeChange } from '../../../src/model/tree/tree-change.js';
import type { ObjectId, TreeEntry } from '../../../src/model/tree/tree.js';
import { encodeTree } from '../../../src/store/git-objects.js';
import type { WorktreeState } from '../../../src/timeline/diff/worktree-files.js';
import { filesystemRecord } from '../world.js';

export type Node =
  | { readonly kind: 'file'; readonly content: string; readonly permissions: number }
  | { readonly kind: 'link'; readonly content: string }
  | { readonly kind: 'directory'; readonly permissions: number }
  /** Content that the snapshot does not have. */
  | { readonly kind: 'left'; readonly reason: 'ignored' | 'omitted' };

/** Every path with what stands there; directories above are there too. */
export type Model = Map<string, Node>;

const NAMES = ['a', 'b', 'c'];
const paths = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const permissions = fc.constantFrom(0o644, 0o644, 0o600, 0o755);
const content = fc.constantFrom('one', 'two', 'three');
const leaf: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('file' as const), content, permissions }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), content }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('directory' as const), permissions: fc.constantFrom(0o755, 0o700) }),
  },
);
const left: fc.Arbitrary<Node> = fc.record({
  kind: fc.constant('left' as const),
  reason: fc.constantFrom('ignored' as const, 'ignored' as const, 'omitted' as const),
});

/** A worktree of up to 39 paths; `gaps` says whether some of it may be unknown to the snapshot. */
export function models({ gaps }: { readonly gaps: boolean }): fc.Arbitrary<Model> {
  const node = gaps ? fc.oneof({ weight: 5, arbitrary: leaf }, { weight: 1, arbitrary: left }) : leaf;
  return fc.array(fc.tuple(paths, node), { maxLength: 10 }).map(makeModel);
}

function makeModel(entries: readonly (readonly [string, Node])[]): Model {
  const model: Model = new Map();
  for (const [path, node] of entries) {
    const parents = ancestors(path);
    const isFree =
      !model.has(path) && parents.every((parent) => (model.get(parent)?.kind ?? 'directory') === 'directory');
    if (!isFree) continue;
    for (const parent of parents) if (!model.has(parent)) model.set(parent, { kind: 'directory', permissions: 0o755 });
    model.set(path, node);
  }
  return model;
}

export function ancestors(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

export function isEmptyDirectory(model: Model, path: string): boolean {
  return model.get(path)?.kind === 'directory' && ![...model.keys()].some((other) => other.startsWith(`${path}/`));
}

/** The model as a snapshot has it. */
export function stateOf(model: Model): WorktreeState {
  const trees = new Map<ObjectId, readonly TreeEntry[]>();
  const build = (directory: string): ObjectId | undefined => {
    const prefix = directory === '' ? '' : `${directory}/`;
    const entries: TreeEntry[] = [];
    for (const [path, node] of model) {
      const name = path.slice(prefix.length);
      if (!path.startsWith(prefix) || name === '' || name.includes('/')) continue;
      if (node.kind === 'directory') {
        const id = build(path);
        if (id !== undefined) entries.push({ mode: '040000', name, id });
      } else if (node.kind !== 'left') entries.push({ mode: treeMode(node), name, id: blobOf(node.content) });
    }
    if (entries.length === 0) return undefined;
    const id = objectId('sha1', 'tree', encodeTree(entries));
    trees.set(id, entries);
    return id;
  };
  const of = (kind: Node['kind']) => [...model].filter(([, node]) => node.kind === kind).map(([path]) => path);
  const leftOut = (reason: 'ignored' | 'omitted') =>
    of('left').filter((path) => (model.get(path) as { reason: string }).reason === reason);
  const filesystem = filesystemRecord({
    exceptions: [...model].flatMap(([path, node]) => exceptionOf(path, node)),
    emptyDirectories: of('directory')
      .filter((path) => !hasKnown(model, path))
      .filter((path) =>
        [...model.keys()].every((other) => !other.startsWith(`${path}/`) || model.get(other)?.kind === 'left'),
      )
      .map((path) => ({ path })),
    ignored: leftOut('ignored').map((path) => ({ path })),
    omitted: leftOut('omitted').map((path) => ({ path, reason: 'too_large' as const })),
  });
  return { tree: build(''), filesystem, read: (id) => Promise.resolve(trees.get(id)) };
}

function hasKnown(model: Model, directory: string): boolean {
  return [...model].some(
    ([path, { kind }]) => path.startsWith(`${directory}/`) && (kind === 'file' || kind === 'link'),
  );
}

function treeMode(node: Extract<Node, { content: string }>): TreeEntry['mode'] {
  if (node.kind === 'link') return '120000';
  return (node.permissions & 0o100) === 0 ? '100644' : '100755';
}

function exceptionOf(path: string, node: Node) {
  if (node.kind === 'file' && node.permissions === 0o600) return [{ path, mode: '0600' }];
  return node.kind === 'directory' && node.permissions === 0o700 ? [{ path: `${path}/`, mode: '0700' }] : [];
}

export function blobOf(text: string): ObjectId {
  return objectId('sha1', 'blob', utf8(text));
}

export function fileState(node: Node | undefined): FileState {
  if (node === undefined || node.kind === 'left') return { kind: 'absent' };
  if (node.kind === 'directory') return { ...node };
  const blob = blobOf(node.content);
  if (node.kind === 'link') return { kind: 'link', blob };
  return { kind: 'file', blob, size: node.content.length, permissions: node.permissions };
}

const CONTENTS = new Map(['one', 'two', 'three'].map((text) => [blobOf(text), text]));

/** Makes the changes true, as the port of replacements promises; throws where one of them cannot be. */
export function apply(model: Model, changes: readonly TreeChange[]): Model {
  const next = new Map(model);
  for (const { path, before } of changes) {
    const there = fileState(model.get(path));
    if (model.get(path)?.kind === 'left') throw new Error(`${path} is not known`);
    if (!isDeepStrictEqual(there, before))
      throw new Error(`${path} is ${JSON.stringify(there)}, not ${JSON.stringify(before)}`);
    if (before.kind !== 'directory') next.delete(path);
  }
  const going = changes.filter(({ before, after }) => before.kind === 'directory' && after.kind !== 'directory');
  for (const { path } of [...going].sort((a, b) => (a.path < b.path ? 1 : -1))) {
    if (!isEmptyDirectory(next, path)) throw new Error(`${path} is not empty`);
    next.delete(path);
  }
  const coming = changes.filter(({ after }) => after.kind !== 'absent');
  for (const { path, after } of [...coming].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    for (const parent of ancestors(path)) {
      const there = next.get(parent);
      if (there === undefined) next.set(parent, { kind: 'directory', permissions: 0o755 });
      else if (there.kind !== 'directory') throw new Error(`${parent} is no directory`);
    }
    if (after.kind === 'file')
      next.set(path, { kind: 'file', content: textOf(after.blob), permissions: after.permissions });
    else if (after.kind === 'link') next.set(path, { kind: 'link', content: textOf(after.blob) });
    else if (after.kind === 'directory') next.set(path, after);
  }
  return next;
}

function textOf(blob: ObjectId): string {
  const text = CONTENTS.get(blob);
  if (text === undefined) throw new Error(`there is no blob ${blob}`);
  return text;
}
