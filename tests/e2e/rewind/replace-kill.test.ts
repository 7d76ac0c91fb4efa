import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeTree } from '@savepoint/testkit';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realDisk } from '../../../packages/core/src/worktree/replace/disk/disk.js';
import { contentOf, quickFolder } from '../../../packages/core/tests/worktree/replace/bench.js';
import { FROM, TO } from '../../../packages/core/tests/worktree/replace/sample.js';
import { listed, makeTree, readTree } from '../../../packages/core/tests/worktree/replace/trees.js';
import { main, replacementsIn } from './replace-process.js';

/** Every so many calls one process is killed; 1 for each. */
const STEP = Number(process.env['SAVEPOINT_KILL_STEP'] ?? 13);
const content = contentOf(FROM, TO);
let home = '';
let program = '';

beforeAll(async () => {
  home = quickFolder();
  program = path.join(home, 'process.cjs');
  const contents = `import { ${main.name} } from './replace-process.js';
    ${main.name}(process.argv[2], Number(process.argv[3]), process.argv[4]).catch((error) => { console.error(error); process.exit(1); });`;
  const resolveDir = path.dirname(fileURLToPath(import.meta.url));
  await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['source'],
    outfile: program,
    logLevel: 'error',
  });
});

afterAll(() => {
  removeTree(home);
});

function makeFolder(name: string): string {
  const folder = path.join(home, name);
  mkdirSync(path.join(folder, 'root'), { recursive: true });
  makeTree(path.join(folder, 'root'), FROM);
  return folder;
}

test('a process killed at any call is recognised as dead, and what it left is completed or taken back', async () => {
  const ends = { killed: 0, recovered: 0 };
  for (let at = 1; ; at += STEP) {
    const folder = makeFolder(String(at));
    const { signal, status, stderr } = spawnSync(process.execPath, [program, folder, String(at), 'SIGKILL'], {
      encoding: 'utf8',
    });
    if (signal === null) {
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      break;
    }
    ends.killed += 1;
    const replacements = replacementsIn(folder, realDisk);
    const found = await replacements.find();
    expect(found?.holder).toBeUndefined();
    const way = (at / STEP) % 2 < 1 ? 'apply' : 'rollBack';
    const replacement = await replacements.open(content);
    await replacement?.[way]();
    await replacement?.close();
    const tree = listed(readTree(path.join(folder, 'root')));
    if (replacement === undefined) expect([listed(FROM), listed(TO)]).toContainEqual(tree);
    else expect({ at, way, tree }).toEqual({ at, way, tree: listed(way === 'apply' ? TO : FROM) });
    expect(await replacements.find()).toBeUndefined();
    ends.recovered += replacement === undefined ? 0 : 1;
    removeTree(folder);
  }
  expect(ends.killed).toBeGreaterThan(500 / STEP);
  expect(ends.recovered).toBeGreaterThan(ends.killed / 2);
});

test('a process that is at work is named, and nobody else gets in until it died', async () => {
  const folder = makeFolder('stopped');
  const child = spawn(process.execPath, [program, folder, '450', 'SIGSTOP'], { stdio: 'ignore' });
  try {
    const replacements = replacementsIn(folder, realDisk);
    await isStopped(child.pid ?? 0);
    const holder = new RegExp(`process ${String(child.pid)} on `);
    expect((await replacements.find())?.holder).toMatch(holder);
    await expect(replacements.open(content)).rejects.toMatchObject({ code: 'restore_running', kind: 'locked' });
    const another = { changes: [], content, directoryPermissions: 0o755, note: {}, conflicts: 'skip' as const };
    const refused: unknown = await replacements.prepare(another).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'restore_running',
      data: { holder: expect.stringMatching(holder) as unknown },
    });
    const died = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await died;
    const open = await replacements.find();
    expect(open?.holder).toBeUndefined();
    await expect(replacements.prepare(another)).rejects.toMatchObject({
      code: 'restore_interrupted',
      kind: 'recovery_needed',
    });
    const replacement = await replacements.open(content);
    expect(replacement?.id).toBe(open?.id);
    await replacement?.rollBack();
    await replacement?.close();
    expect(listed(readTree(path.join(folder, 'root')))).toEqual(listed(FROM));
  } finally {
    child.kill('SIGKILL');
  }
});

async function isStopped(pid: number): Promise<void> {
  for (let count = 0; count < 3000; count += 1) {
    if (/\) T /.test(readFileSync(`/proc/${String(pid)}/stat`, 'latin1'))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect.fail('the process did not stop');
}
