/** Laws of the planner, for random worktrees: what it may remove, what it must reach, and what it must never touch. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TreeEntry } from '../../../src/model/tree/tree.js';
import type { WorktreeState } from '../../../src/timeline/diff/worktree-files.js';
import type { PlanKnowledge } from '../../../src/timeline/rewind/knowledge.js';
import { makePlan, type Plan } from '../../../src/timeline/rewind/plan.js';
import { namedScope } from '../../../src/timeline/rewind/scope.js';
import { filesystemRecord } from '../world.js';
import { ancestors, apply, fileState, models, stateOf, type Model, type Node } from './worktree-model.js';

interface Case {
  readonly present: Model;
  readonly target: Model;
  readonly exact: boolean;
  readonly force: boolean;
  readonly scope?: readonly string[];
  readonly held: (path: string) => boolean;
  readonly fromBefore: (path: string) => boolean;
  readonly foreign: (path: string) => boolean;
}

const choice = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }).map((names) => (path: string) => {
  const last = path.slice(path.lastIndexOf('/') + 1);
  return names.some((name) => name === last);
});

function cases({ gaps, scoped }: { readonly gaps: boolean; readonly scoped: boolean }): fc.Arbitrary<Case> {
  return fc.record(
    {
      present: models({ gaps }),
      target: models({ gaps }),
      exact: fc.boolean(),
      force: fc.boolean(),
      scope: scoped ? fc.subarray(['a', 'b', 'a/b', 'c/a/b'], { minLength: 1 }) : fc.constant([]),
      held: choice.map((includes) => (path: string) => !includes(path)),
      fromBefore: choice,
      foreign: choice,
    },
    { noNullPrototype: true },
  );
}

async function planOf(one: Case): Promise<Plan> {
  const filter = (fits: (path: string) => boolean) => (paths: readonly string[]) =>
    Promise.resolve(new Set(paths.filter(fits)));
  const knowledge: PlanKnowledge = {
    held: filter(one.held),
    fromBefore: filter(one.fromBefore),
    foreign: filter(one.foreign),
    // What is left out on disk is never what the target wants.
    seen: (paths) =>
      Promise.resolve(
        new Map(
          paths
            .filter((path) => [path, ...ancestors(path)].some((at) => one.present.get(at)?.kind === 'left'))
            .map((path) => [path, { kind: 'directory', permissions: 0o755 }] as const),
        ),
      ),
    listed: () => Promise.resolve(new Map()),
    sizes: (blobs) => Promise.resolve(blobs.map((blob) => SIZES.get(blob))),
  };
  const scope = namedScope(one.scope?.length === 0 ? undefined : one.scope);
  const { exact, force } = one;
  return makePlan({ present: stateOf(one.present), target: stateOf(one.target), scope, exact, force, knowledge });
}

const SIZES = new Map(
  ['one', 'two', 'three'].map((content) => {
    const state = fileState({ kind: 'file', content, permissions: 0o644 });
    return [state.kind === 'file' ? state.blob : '', content.length] as const;
  }),
);

function unknownIn(model: Model, path: string): boolean {
  return [path, ...ancestors(path)].some((at) => model.get(at)?.kind === 'left');
}

function inScope({ scope = [] }: Case, path: string): boolean {
  return scope.length === 0 || scope.some((named) => path === named || path.startsWith(`${named}/`));
}

function contentOf(node: Node | undefined): string | undefined {
  return node !== undefined && 'content' in node ? `${node.kind} ${node.content}` : undefined;
}

function isContent(node: Node | undefined): boolean {
  return node?.kind === 'file' || node?.kind === 'link';
}

const LAWS = { numRuns: 600 };

async function law(arbitrary: fc.Arbitrary<Case>, holds: (one: Case, plan: Plan, after: Model) => void): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (one) => {
      const plan = await planOf(one);
      holds(one, plan, apply(one.present, plan.changes));
    }),
    LAWS,
  );
}

describe('a plan', () => {
  test('can be carried out, names each path once, and never changes what it says it keeps', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, { changes, files }, after) => {
      expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
      expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
      for (const { path, action, reason } of files) {
        expect(reason !== undefined).toBe(action === 'skip' || action === 'conflict');
        if (reason !== undefined) expect(after.get(path)).toEqual(one.present.get(path));
      }
    });
  });

  test('reports every file that it writes, removes or gives another mode', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, { files }, after) => {
      const actions = new Map(files.map(({ path, action }) => [path, action]));
      for (const path of new Set([...one.present.keys(), ...after.keys()])) {
        const [was, is] = [one.present.get(path), after.get(path)];
        if (!isContent(was) && !isContent(is)) continue;
        if (JSON.stringify(was) === JSON.stringify(is)) continue;
        const same = contentOf(was) !== undefined && contentOf(was) === contentOf(is);
        expect(actions.get(path)).toBe(!isContent(is) ? 'delete' : same ? 'mode' : 'write');
      }
    });
  });

  test('touches nothing outside its scope but directories that its paths need or leave empty', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, _plan, after) => {
      for (const [path, node] of one.present) {
        if (inScope(one, path) || node.kind === 'directory') continue;
        expect(after.get(path)).toEqual(node);
      }
      for (const [path, node] of after) {
        if (!inScope(one, path) && !one.present.has(path)) expect(node.kind).toBe('directory');
      }
    });
  });

  test('removes a file only where the target says that it was not there, and where it is held or was asked for', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, _plan, after) => {
      for (const [path, node] of one.present) {
        if (!isContent(node) || isContent(after.get(path))) continue;
        expect(one.target.has(path) && one.target.get(path)?.kind !== 'directory').toBe(false);
        expect(unknownIn(one.target, path)).toBe(false);
        const replaced = one.target.get(path)?.kind === 'directory';
        expect(one.exact || replaced || (one.held(path) && !one.fromBefore(path))).toBe(true);
      }
    });
  });

  test('never touches what the safety snapshot does not hold', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, { files }, after) => {
      const listed = new Set(files.map(({ path }) => path));
      for (const [path, node] of one.present) {
        if (node.kind !== 'left') continue;
        expect(after.get(path)).toEqual(node);
        if (inScope(one, path)) expect(listed.has(path)).toBe(true);
      }
    });
  });

  test('leaves files of another live session alone, unless forced', async () => {
    await law(cases({ gaps: false, scoped: false }), (one, { files }, after) => {
      for (const [path, node] of one.present) {
        if (one.force || !isContent(node) || !one.foreign(path)) continue;
        expect(after.get(path)).toEqual(node);
      }
      if (one.force) expect(files.filter(({ action }) => action === 'conflict')).toEqual([]);
    });
  });

  test('reaches the target in every path of its scope that it does not list as kept', async () => {
    await law(cases({ gaps: true, scoped: true }), (one, { files }, after) => {
      const kept = files.filter(({ reason }) => reason !== undefined).map(({ path }) => path);
      const isKept = (path: string) =>
        kept.some((at) => at === path || path.startsWith(`${at}/`) || at.startsWith(`${path}/`));
      for (const path of new Set([...one.present.keys(), ...one.target.keys(), ...after.keys()])) {
        if (!inScope(one, path) || isKept(path) || unknownIn(one.target, path)) continue;
        expect([path, after.get(path)]).toEqual([path, one.target.get(path)]);
      }
    });
  });

  test('with --exact and nothing unknown reaches the target exactly, and then has nothing left to do', async () => {
    const arbitrary = cases({ gaps: false, scoped: false }).map((one) => ({ ...one, exact: true, force: true }));
    await fc.assert(
      fc.asyncProperty(arbitrary, async (one) => {
        const plan = await planOf(one);
        const after = apply(one.present, plan.changes);
        expect(Object.fromEntries(after)).toEqual(Object.fromEntries(one.target));
        expect(plan.files.filter(({ reason }) => reason !== undefined)).toEqual([]);
        const again = await planOf({ ...one, present: after });
        expect(again).toEqual({ changes: [], files: [] });
      }),
      LAWS,
    );
  });
});

describe('a name that leads elsewhere', () => {
  const [blob, below] = ['1'.repeat(40), '2'.repeat(40)];
  const none = () => Promise.resolve(new Set<string>());
  const all = {
    ...{ scope: namedScope(undefined), exact: true, force: true },
    knowledge: {
      ...{ held: none, fromBefore: none, foreign: none },
      seen: () => Promise.resolve(new Map()),
      listed: () => Promise.resolve(new Map()),
      sizes: (blobs: readonly string[]) => Promise.resolve(blobs.map(() => 1)),
    },
  };
  const trees = (name: string): ReadonlyMap<string, readonly TreeEntry[]> =>
    new Map([
      ['top', [{ mode: '040000', name: 'dir', id: below }]],
      [
        below,
        [
          { mode: '100644', name: 'harmless', id: blob },
          { mode: '100644', name, id: blob },
        ],
      ],
    ]);

  test.each(['..', '.', '', 'a/../../b', '/abs', '.git', '.GIT', 'git~1', '.Git/hooks/post-checkout', 'a\0b'])(
    '%j in a tree refuses the target as a whole, also where everything is asked for',
    async (name) => {
      const read = (id: string) => Promise.resolve(trees(name).get(id));
      const planned = makePlan({
        present: { tree: undefined, filesystem: undefined, read },
        target: { tree: 'top', filesystem: undefined, read },
        ...all,
      });
      await expect(planned).rejects.toMatchObject({ code: 'path_refused' });
    },
  );

  const beside = (...paths: string[]): WorktreeState => ({
    tree: undefined,
    filesystem: {
      ...filesystemRecord(),
      emptyDirectories: paths.filter((path) => path.endsWith('/')).map((path) => ({ path: path.slice(0, -1) })),
      diverted: paths.filter((path) => !path.endsWith('/')).map((path) => ({ path, type: 'file', mode: '0644', blob })),
    },
    read: () => Promise.resolve(undefined),
  });

  test.each(['.GIT', 'git~1', '.git ', '.g\u200cit', 'a/.git', 'a/.Git/hooks/post-checkout', '.GIT/'])(
    '%j beside the tree is left alone and listed, and all else is done',
    async (name) => {
      const path = name.replace(/\/$/, '');
      const files = [
        { path, action: 'skip', reason: 'git_name' },
        { path: 'a/.gitmodules', action: 'delete' },
      ].sort((a, b) => (a.path < b.path ? -1 : 1));
      const gone = await makePlan({ present: beside(name, 'a/.gitmodules'), target: beside(), ...all });
      expect(gone.files).toMatchObject(files);
      expect(gone.changes.map((change) => change.path)).toContain('a/.gitmodules');
      expect(gone.changes.map((change) => change.path).filter((one) => path.startsWith(one) && one !== 'a')).toEqual(
        [],
      );
      const back = await makePlan({ present: beside(), target: beside(name), ...all });
      expect(back).toMatchObject({ changes: [], files: [{ action: 'skip', reason: 'git_name' }] });
    },
  );

  test('the git directory is refused also beside the tree', async () => {
    const planned = makePlan({ present: beside(), target: beside('.git/hooks/post-checkout'), ...all });
    await expect(planned).rejects.toMatchObject({ code: 'path_refused' });
  });
});
