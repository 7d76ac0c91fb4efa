/** The deliberate breaks: small files, each of which violates one rule of the house. */

export interface Break {
  readonly title: string;
  /** Files to lay into the copy; the finding must be reported for one of them. */
  readonly files: Readonly<Record<string, string>>;
  /** What the tool must answer: the name of a rule, or a compiler error code. */
  readonly rule: string;
}

const core = 'packages/core/src';
const target = 'export const target = 1;\n';
const use = (specifier: string): string => `export { target } from '${specifier}';\n`;

/** Found by dependency-cruiser. */
export const FLOOR_BREAKS: readonly Break[] = [
  {
    title: 'an import of a higher floor',
    rule: 'core/model: only lower floors',
    files: { [`${core}/model/break-upward.ts`]: "export type { Store } from '../store/store.js';\n" },
  },
  {
    title: 'an import of a sibling room',
    rule: 'core/trust: only lower floors',
    files: { [`${core}/trust/break-sibling.ts`]: "export type { Store } from '../store/store.js';\n" },
  },
  {
    title: 'base knowing anything at all',
    rule: 'core/base: only lower floors',
    files: { [`${core}/base/break-ground.ts`]: "export type { Anchor } from '../model/tree/anchor.js';\n" },
  },
  {
    title: 'ops knowing open',
    rule: 'core/ops: only lower floors',
    files: { [`${core}/ops/break-open.ts`]: use('../open/break-target.js'), [`${core}/open/break-target.ts`]: target },
  },
  {
    title: 'a room without a floor',
    rule: 'every-room-has-a-floor',
    files: { [`${core}/ops/break-floor.ts`]: use('../attic/break.js'), [`${core}/attic/break.ts`]: target },
  },
  {
    title: 'a cycle of files',
    rule: 'no-import-cycles',
    files: {
      [`${core}/model/break-cycle.ts`]: use('./break-cycle-back.js'),
      [`${core}/model/break-cycle-back.ts`]: use('./break-cycle.js'),
    },
  },
  {
    title: 'an implementation picked outside open',
    rule: 'only-open-picks-implementations',
    files: {
      [`${core}/ops/break-pick.ts`]: use('../store/break-one/part.js'),
      [`${core}/store/break-one/part.ts`]: target,
    },
  },
  {
    title: 'an agent picked outside open',
    rule: 'only-open-picks-implementations',
    files: {
      [`${core}/timeline/break-agent.ts`]: use('../agents/break-one/part.js'),
      [`${core}/agents/break-one/part.ts`]: target,
    },
  },
  {
    title: 'an implementation that knows another one',
    rule: 'implementations-do-not-know-each-other',
    files: {
      [`${core}/store/break-two/part.ts`]: use('../break-three/part.js'),
      [`${core}/store/break-three/part.ts`]: target,
    },
  },
  {
    title: 'a port that knows its implementation',
    rule: 'a-port-does-not-know-its-implementations',
    files: {
      [`${core}/store/break-port.ts`]: use('./break-four/part.js'),
      [`${core}/store/break-four/part.ts`]: target,
    },
  },
  {
    title: 'a pure room that touches the disk',
    rule: 'pure-rooms-touch-no-outside',
    files: { [`${core}/format/break-disk.ts`]: "export { readFileSync } from 'node:fs';\n" },
  },
  {
    title: 'an op that starts a program',
    rule: 'pure-rooms-touch-no-outside',
    files: { [`${core}/ops/break-program.ts`]: "export { spawn } from 'child_process';\n" },
  },
  {
    title: 'a dependency of core that nobody decided',
    rule: 'core-uses-only-its-decided-dependencies',
    files: { [`${core}/store/break-dependency.ts`]: "export { fc } from 'fast-check';\n" },
  },
  {
    title: 'the door used from inside',
    rule: 'the-door-is-not-used-from-inside',
    files: { [`${core}/open/break-door.ts`]: "export { ContextError } from '../index.js';\n" },
  },
  {
    title: 'a face that goes around the door',
    rule: 'faces-use-the-front-door',
    files: { 'packages/cli/src/break-around.ts': "export { ContextError } from '../../core/src/base/errors.js';\n" },
  },
  {
    title: 'faces that know each other',
    rule: 'faces-do-not-know-each-other',
    files: {
      'packages/mcp/src/break-face.ts': use('../../web/src/break-target.js'),
      'packages/web/src/break-target.ts': target,
    },
  },
  {
    title: 'code of core in the browser',
    rule: 'the-browser-imports-only-types',
    files: { 'packages/web/src/client/break-browser.ts': "export { ContextError } from '@savepoint/core';\n" },
  },
  {
    title: 'core knowing a face',
    rule: 'core-knows-no-face',
    files: {
      [`${core}/open/break-face.ts`]: use('../../../cli/src/break-target.js'),
      'packages/cli/src/break-target.ts': target,
    },
  },
  {
    title: 'a face that ships the testkit',
    rule: 'nothing-ships-the-testkit',
    files: {
      'packages/cli/src/break-testkit.ts': use('../../testkit/src/break-target.js'),
      'packages/testkit/src/break-target.ts': target,
    },
  },
  {
    title: 'an import of something that is not there',
    rule: 'every-import-resolves',
    files: { [`${core}/model/break-nowhere.ts`]: use('./break-nothing.js') },
  },
];

/** Siblings that import each other without a cycle of files. Found by dependency-cruiser, which names the folder. */
export const SIBLING_FOLDERS: Break = {
  title: 'a cycle of folders',
  rule: 'no-folder-cycles',
  files: {
    [`${core}/trust/break-left/a.ts`]: use('../break-right/b.js'),
    [`${core}/trust/break-right/b.ts`]: target,
    [`${core}/trust/break-right/c.ts`]: use('../break-left/d.js'),
    [`${core}/trust/break-left/d.ts`]: target,
  },
};

/** A folder and its parent import each other. Found by scripts/folder-cycles.mjs alone. */
export const PARENT_AND_CHILD: Break = {
  title: 'a cycle of a folder and its parent',
  rule: 'folder-cycles',
  files: {
    [`${core}/redact/break-nested/a.ts`]: use('../break-outer-target.js'),
    [`${core}/redact/break-outer-target.ts`]: target,
    [`${core}/redact/break-outer.ts`]: use('./break-nested/b.js'),
    [`${core}/redact/break-nested/b.ts`]: target,
    // The control: a child that only uses its parent is in order.
    [`${core}/redact/break-orderly/a.ts`]: use('../break-outer-target.js'),
  },
};

/** Found by `tsc --build`. */
export const COMPILER_BREAKS: readonly Break[] = [
  {
    title: 'a file of another package',
    rule: 'TS6059',
    files: {
      [`${core}/open/break-outside.ts`]: use('../../../cli/src/break-target.js'),
      'packages/cli/src/break-target.ts': target,
    },
  },
  { title: 'an enum', rule: 'TS1294', files: { [`${core}/base/break-enum.ts`]: 'export enum Colour {\n  Red,\n}\n' } },
  {
    title: 'a class with a parameter property',
    rule: 'TS1294',
    files: { [`${core}/base/break-class.ts`]: 'export class Box {\n  constructor(readonly content: string) {}\n}\n' },
  },
  {
    title: 'an error code that the table does not have',
    rule: 'TS2345',
    files: {
      [`${core}/model/break-code.ts`]:
        "import { contextError } from '../base/errors.js';\nexport const error = contextError('no_such_code', {});\n",
    },
  },
  {
    title: 'an error without the data that its text needs',
    rule: 'TS2345',
    files: {
      [`${core}/model/break-data.ts`]:
        "import { contextError } from '../base/errors.js';\nexport const error = contextError('snapshot_not_found', {});\n",
    },
  },
  {
    title: 'undefined in place of an absent field',
    rule: 'TS2375',
    files: {
      [`${core}/model/break-absent.ts`]: 'export const value: { readonly field?: string } = { field: undefined };\n',
    },
  },
  {
    title: 'a write to a noun',
    rule: 'TS2540',
    files: {
      [`${core}/model/break-write.ts`]:
        "import type { Anchor } from './tree/anchor.js';\nexport function change(anchor: Anchor): void {\n  anchor.dirty = true;\n}\n",
    },
  },
  {
    title: 'an import without its suffix',
    rule: 'TS2835',
    files: { [`${core}/model/break-suffix.ts`]: "export type { Anchor } from './tree/anchor';\n" },
  },
];

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `export const line${String(i)} = 1;\n`).join('');
const longFunction = (count: number): string =>
  `export function long(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(count)}  return sum;\n}\n`;

/** Found by ESLint; `says` is a part of the message that names the right way. */
export const HABIT_BREAKS: readonly (Break & { readonly says?: RegExp })[] = [
  ...[
    ['Date.now() in a room', 'ops/break-now.ts', 'export const now = Date.now();\n'],
    ['new Date() in a room', 'timeline/break-date.ts', 'export const now = new Date();\n'],
    ['Date() in a room', 'worktree/break-date-call.ts', 'export const now = Date();\n'],
  ].map(([title = '', file = '', text = '']) => ({
    title,
    rule: 'no-restricted-syntax',
    says: /Clock/,
    files: { [`${core}/${file}`]: text },
  })),
  {
    title: 'performance.now() in a room',
    rule: 'no-restricted-globals',
    says: /Clock/,
    files: { [`${core}/worktree/break-performance.ts`]: 'export const now = performance.now();\n' },
  },
  {
    title: 'Math.random() in a room',
    rule: 'no-restricted-syntax',
    says: /Random/,
    files: { [`${core}/trust/break-chance.ts`]: 'export const chance = Math.random();\n' },
  },
  {
    title: 'randomBytes() in a room',
    rule: 'no-restricted-imports',
    says: /Random/,
    files: {
      [`${core}/store/break-bytes.ts`]:
        "import { randomBytes } from 'node:crypto';\nexport const bytes = randomBytes(4);\n",
    },
  },
  {
    title: 'process.* in core',
    rule: 'no-restricted-globals',
    says: /argument/,
    files: { [`${core}/open/break-process.ts`]: 'export const home = process.env;\n' },
  },
  {
    title: 'node:process in core',
    rule: 'no-restricted-imports',
    says: /argument/,
    files: { [`${core}/trust/break-process.ts`]: "export { env } from 'node:process';\n" },
  },
  {
    title: 'the environment in the store',
    rule: 'no-restricted-syntax',
    says: /argument/,
    files: { [`${core}/store/git/break-process.ts`]: 'export const home = process.env;\n' },
  },
  {
    title: 'the process taken apart in the store',
    rule: 'no-restricted-syntax',
    says: /argument/,
    files: { [`${core}/store/git/break-process-parts.ts`]: 'export const { env } = process;\n' },
  },
  {
    title: 'process.* in a command',
    rule: 'no-restricted-globals',
    says: /terminal/,
    files: { 'packages/cli/src/commands/break-process.ts': 'export const code = process.exitCode;\n' },
  },
  {
    title: 'console in core',
    rule: 'no-console',
    files: { [`${core}/store/break-console.ts`]: "console.log('hello');\n" },
  },
  {
    title: 'console in a view',
    rule: 'no-console',
    files: { 'packages/cli/src/views/break-console.ts': "console.error('hello');\n" },
  },
  {
    title: 'the disk in a port',
    rule: 'no-restricted-imports',
    says: /use a port/,
    files: { [`${core}/store/break-disk.ts`]: "export { readFile } from 'node:fs/promises';\n" },
  },
  {
    title: 'fs/promises at the top of a file',
    rule: 'no-restricted-imports',
    says: /a millisecond of every start/,
    files: { [`${core}/store/git/break-promises.ts`]: "export { open } from 'node:fs/promises';\n" },
  },
  {
    title: 'the languages of the world',
    rule: 'no-restricted-properties',
    says: /10 ms of a start/,
    files: {
      'packages/cli/src/views/break-intl.ts': 'export const said = (count: number) => count.toLocaleString();\n',
    },
  },
  {
    title: 'any',
    rule: '@typescript-eslint/no-explicit-any',
    files: { [`${core}/model/break-any.ts`]: 'export function pass(value: any): void {\n  void value;\n}\n' },
  },
  {
    title: 'a value taken from JSON unchecked',
    rule: '@typescript-eslint/no-unsafe-assignment',
    files: { [`${core}/model/break-json.ts`]: "export const value: string = JSON.parse('1');\n" },
  },
  {
    title: 'a promise that nobody waits for',
    rule: '@typescript-eslint/no-floating-promises',
    files: { [`${core}/model/break-promise.ts`]: 'Promise.resolve(1);\nexport {};\n' },
  },
  {
    title: 'a type imported as a value',
    rule: '@typescript-eslint/consistent-type-imports',
    files: {
      [`${core}/model/break-type.ts`]:
        "import { Anchor } from './tree/anchor.js';\nexport const anchors: readonly Anchor[] = [];\n",
    },
  },
  {
    title: 'a default export',
    rule: 'no-restricted-syntax',
    says: /by name/,
    files: { [`${core}/model/break-default.ts`]: 'export default 1;\n' },
  },
  {
    title: 'an error beside the table',
    rule: 'no-restricted-syntax',
    says: /error-table/,
    files: { [`${core}/model/break-error.ts`]: "export function fail(): never {\n  throw new TypeError('no');\n}\n" },
  },
  ...['SnapshotManager', 'KeyService', 'PathHelper', 'TextUtil', 'LogProcessor'].map((name) => ({
    title: `a type called ${name}`,
    rule: 'no-restricted-syntax',
    says: /noun/,
    files: {
      [`${core}/model/break-${name.toLowerCase()}.ts`]: `export interface ${name} {\n  readonly value: string;\n}\n`,
    },
  })),
  ...['utils', 'common', 'misc', 'helpers', 'path-utils', 'key-manager', 'sync-service', 'textHelper'].map((name) => ({
    title: `a file called ${name}`,
    rule: 'house/file-name',
    says: /noun/,
    files: { [`${core}/model/${name}.ts`]: target },
  })),
  {
    title: 'a folder called utils',
    rule: 'house/file-name',
    says: /noun/,
    files: { [`${core}/model/utils/break.ts`]: target },
  },
  {
    title: 'a second door',
    rule: 'house/file-name',
    says: /door/,
    files: { [`${core}/model/index.ts`]: target },
  },
  {
    title: 'a file beside the door',
    rule: 'house/file-name',
    says: /room/,
    files: { [`${core}/break-root.ts`]: target },
  },
  {
    title: 'a file of more than 400 lines',
    rule: 'max-lines',
    files: { [`${core}/model/break-lines.ts`]: lines(401) },
  },
  {
    title: 'a function of more than 80 lines',
    rule: 'max-lines-per-function',
    files: { [`${core}/model/break-function.ts`]: longFunction(80) },
  },
  {
    title: 'a command of more than 40 lines',
    rule: 'max-lines-per-function',
    files: { 'packages/cli/src/commands/break-command.ts': longFunction(40) },
  },
  {
    title: 'a function of four parameters',
    rule: '@typescript-eslint/max-params',
    files: {
      [`${core}/model/break-params.ts`]:
        'export function four(a: 1, b: 1, c: 1, d: 1): readonly number[] {\n  return [a, b, c, d];\n}\n',
    },
  },
];
