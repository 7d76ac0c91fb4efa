/** The door: exactly these names, each documented, and every example in the documentation runs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as core from '../src/index.js';

const SOURCE = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'src');

const NAMES = [
  ...['ContextError', 'ERROR_TABLE', 'EXIT_CODES', 'SETTINGS', 'asContextError', 'at', 'capture', 'configGet'],
  ...[
    'configList',
    'configSet',
    'configUnset',
    'contextError',
    'counted',
    'diff',
    'foreseeCapture',
    'foreseeLook',
    'grouped',
    'importBundle',
    'init',
    'isGoodVerdict',
    'keyRevoke',
  ],
  ...[
    'keyRotate',
    'keyShow',
    'keyTrust',
    'ledger',
    'list',
    'maintain',
    'openHistory',
    'openKeys',
    'openRepository',
    'openSettingsFiles',
  ],
  ...[
    'operations',
    'publish',
    'recover',
    'redo',
    'restore',
    'rewind',
    'rewindPoints',
    'show',
    'showFile',
    'showItem',
    'showSlice',
    'showWindow',
    'status',
  ],
  ...['timeline', 'undo', 'uninstall', 'verify', 'verifyFile'],
];

interface Documented {
  readonly name: string;
  readonly example: string | undefined;
}

/** Every function that the door exports, with the example in its documentation. */
function documentedFunctions(): readonly Documented[] {
  const door = readFileSync(path.join(SOURCE, 'index.ts'), 'utf8');
  const exports = [...door.matchAll(/^export \{ (.+) \} from '\.\/(.+)\.js';$/gm)];
  return exports.flatMap(([, names = '', file = '']) => {
    const source = readFileSync(path.join(SOURCE, `${file}.ts`), 'utf8');
    return names.split(', ').flatMap((name) => {
      const at = source.search(new RegExp(`^export (?:async )?function ${name}\\b`, 'm'));
      return at < 0 ? [] : [{ name, example: exampleBefore(source, at) }];
    });
  });
}

function exampleBefore(source: string, at: number): string | undefined {
  const comment = source.slice(source.lastIndexOf('/**', at), at);
  const [, example] = /@example\n([\s\S]*?)(?:\n \* @|\n \*\/)/.exec(comment) ?? [];
  return example?.replace(/^ \* ?/gm, '');
}

let fixture: FixtureRepository;
let scope: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  fixture = unbornRepository();
  fixture.write('notes.txt', 'first\n');
  const env = { PATH: process.env['PATH'], HOME: fixture.home };
  const opened = await core.openRepository({ directory: fixture.root, env });
  await core.capture({ repository: opened.repository, message: 'first', tags: ['safe'], transcript: false });
  fixture.write('notes.txt', 'second\n');
  await core.capture({ repository: opened.repository, transcript: false });
  const again = await core.openRepository({ directory: fixture.root, env });
  scope = { ...core, ...again, keys: again.repository.keys, process: { cwd: () => fixture.root, env } };
});

afterAll(() => {
  removeTree(fixture.base);
});

test('the door lets out exactly these names', () => {
  expect(Object.keys(core).sort()).toEqual([...NAMES].sort());
});

describe('the example of', () => {
  test.each(documentedFunctions().map((one) => [one.name, one] as const))('%s runs', async (_, { example }) => {
    expect(example).toBeDefined();
    const { code } = transformSync(`export async function run() {\n${example ?? ''}\n}`, {
      loader: 'ts',
      format: 'cjs',
    });
    const log = vi.fn();
    const names = Object.keys(scope);
    const body = `const module = { exports: {} };\n${code}\nreturn module.exports.run();`;
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- that the documented text itself runs is what is tested
    const run = new Function('console', ...names, body) as (...values: readonly unknown[]) => Promise<void>;
    await run({ log }, ...names.map((name) => scope[name]));
    if (example?.includes('console.log') === true) expect(log).toHaveBeenCalled();
  });

  test('every function is there', () => {
    expect(documentedFunctions().length).toBeGreaterThan(25);
  });
});
