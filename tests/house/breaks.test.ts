/** A rule that matches nothing looks like one that passes: so every rule is broken once, and must say so. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  COMPILER_BREAKS,
  FLOOR_BREAKS,
  HABIT_BREAKS,
  PARENT_AND_CHILD,
  SIBLING_FOLDERS,
  type Break,
} from './breaks.js';
import { IN_ORDER } from './in-order.js';
import { copyTree, type CopiedTree, type ToolResult } from './copied-tree.js';

const MINUTES = 60_000;

interface Cruise {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly module: string; readonly resolved: string }[];
  }[];
  readonly summary: {
    readonly violations: readonly { readonly from: string; readonly rule: { readonly name: string } }[];
  };
}
type Lint = readonly {
  readonly filePath: string;
  readonly messages: readonly { readonly ruleId: string | null; readonly message: string; readonly severity: number }[];
}[];

const trees: CopiedTree[] = [];

function treeWith(...breaks: readonly Readonly<Record<string, string>>[]): CopiedTree {
  const tree = copyTree();
  trees.push(tree);
  for (const files of breaks) tree.write(files);
  return tree;
}

const filesOf = (breaks: readonly Break[]): Record<string, string> =>
  Object.assign({}, ...breaks.map(({ files }) => files)) as Record<string, string>;
const placesOf = ({ files }: Break): readonly string[] => Object.keys(files);
const byTitle = <B extends Break>(breaks: readonly B[]): readonly [string, B][] =>
  breaks.map((broken) => [broken.title, broken]);

afterAll(() => {
  for (const tree of trees) tree.remove();
});

describe('the floors', () => {
  let cruise: Cruise;
  let status: number;
  let knots: ToolResult;

  beforeAll(async () => {
    const tree = treeWith(filesOf([...FLOOR_BREAKS, SIBLING_FOLDERS, PARENT_AND_CHILD]), IN_ORDER);
    const config = ['packages', '--config', '.dependency-cruiser.cjs'];
    const depcruise = 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs';
    const [json, text, found] = await Promise.all([
      tree.node(depcruise, [...config, '-T', 'json']),
      tree.node(depcruise, config),
      tree.node('scripts/folder-cycles.mjs'),
    ]);
    cruise = JSON.parse(json.stdout) as Cruise;
    status = text.code;
    knots = found;
  }, 5 * MINUTES);

  const rulesAt = (place: string): readonly string[] =>
    cruise.summary.violations.filter(({ from }) => from === place).map(({ rule }) => rule.name);

  it('make dependency-cruiser fail', () => {
    expect(status).not.toBe(0);
  });

  it.each(byTitle(FLOOR_BREAKS))('forbid %s', (_, broken) => {
    expect(placesOf(broken).flatMap(rulesAt)).toContain(broken.rule);
  });

  it('forbid a cycle of folders without a cycle of files', () => {
    const files = placesOf(SIBLING_FOLDERS);
    const folders = new Set(files.map((file) => path.posix.dirname(file)));
    expect([...folders].flatMap(rulesAt)).toContain(SIBLING_FOLDERS.rule);
    expect(files.flatMap(rulesAt)).toEqual([]);
  });

  it('forbid a cycle of a folder and its parent', () => {
    expect(knots.code).toBe(1);
    expect(knots.stderr).toContain('packages/core/src/redact/break-nested\n');
    expect(knots.stderr).not.toContain('break-orderly');
  });

  it('let through what goes down the floors', () => {
    expect(Object.keys(IN_ORDER).flatMap(rulesAt)).toEqual([]);
  });

  it('see an import of another package as its sources', () => {
    const face = cruise.modules.find(({ source }) => source === 'packages/cli/src/order-door.ts');
    expect(face?.dependencies.map(({ resolved }) => resolved)).toEqual(['packages/core/src/index.ts']);
  });
});

describe('the compiler', () => {
  let result: ToolResult;

  beforeAll(async () => {
    const tree = treeWith(filesOf(COMPILER_BREAKS));
    result = await tree.node('node_modules/typescript/bin/tsc', ['--build', 'packages/core', '--pretty', 'false']);
  }, 5 * MINUTES);

  it.each(byTitle(COMPILER_BREAKS))('refuses %s', (_, broken) => {
    const lines = result.stdout.split('\n');
    const found = placesOf(broken).flatMap((place) => lines.filter((line) => line.startsWith(`${place}(`)));
    expect(found.join('\n')).toContain(`error ${broken.rule}:`);
    expect(result.code).not.toBe(0);
  });
});

describe('the linter', () => {
  let lint: Lint;
  let directory: string;

  beforeAll(async () => {
    const broken = filesOf(HABIT_BREAKS);
    const tree = treeWith(broken, IN_ORDER);
    const files = [...Object.keys(broken), ...Object.keys(IN_ORDER)];
    // The rules are the real ones; only the program of the type checker is cut down to these files.
    tree.write({ 'tsconfig.check.json': JSON.stringify(checkConfig(files)) });
    directory = tree.directory;
    const { stdout, stderr } = await tree.node('node_modules/eslint/bin/eslint.js', ['--format', 'json', ...files]);
    expect(stderr).toBe('');
    lint = JSON.parse(stdout) as Lint;
  }, 5 * MINUTES);

  const messagesAt = (place: string): Lint[number]['messages'] =>
    lint.find(({ filePath }) => path.relative(directory, filePath) === path.normalize(place))?.messages ?? [];

  it.each(byTitle(HABIT_BREAKS))('refuses %s', (_, { files, rule, says = /./ }) => {
    const found = Object.keys(files)
      .flatMap(messagesAt)
      .filter(({ ruleId }) => ruleId === rule);
    expect(found.map(({ message }) => message).join('\n')).toMatch(says);
  });

  it('lets through what the bans point to', () => {
    const kept = Object.keys(IN_ORDER).map((place) => ({ place, messages: messagesAt(place) }));
    expect(kept.filter(({ messages }) => messages.length > 0)).toEqual([]);
    expect(lint).toHaveLength(Object.keys(IN_ORDER).length + HABIT_BREAKS.length);
  });

  it('never only warns', () => {
    expect(lint.flatMap(({ messages }) => messages).filter(({ severity }) => severity !== 2)).toEqual([]);
  });
});

function checkConfig(files: readonly string[]): object {
  return {
    extends: './tsconfig.base.json',
    compilerOptions: { composite: false, noEmit: true, customConditions: ['source'] },
    files,
  };
}
