/** The demo as a user runs it: the real program on real repositories, in a home that has to stay as it was. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/registry.js';
import type { Step } from '../../src/demo/step.js';
import { allDoors } from '../../src/doors.js';
import { runProgram } from '../../src/face/run.js';
import { about } from '../../src/help/about.js';
import type { Output, Terminal } from '../../src/terminal/terminal.js';

const SECRET = /sk_live_[0-9a-f]{24}/;

interface Ran {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

let folder: string;
let home: string;

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-demo-test-')));
  home = path.join(folder, 'home');
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

async function run(
  words: readonly string[],
  more: { columns?: number; env?: Record<string, string> } = {},
): Promise<Ran> {
  const written = { out: '', err: '' };
  const output = (name: 'out' | 'err'): Output => ({
    columns: name === 'out' ? more.columns : undefined,
    write: (data) => {
      written[name] += Buffer.from(data).toString('utf8');
      return true;
    },
  });
  const terminal: Terminal = {
    self: { node: process.execPath, program: '/usr/bin/savepoint' },
    words,
    directory: folder,
    environment: {
      PATH: process.env['PATH'],
      LANG: 'C.UTF-8',
      HOME: home,
      CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
      // What a hook of git would leave behind.
      GIT_DIR: path.join(folder, 'nowhere'),
      ...more.env,
    },
    home,
    input: { isTerminal: false, readLine: () => undefined },
    output: output('out'),
    errors: output('err'),
    read: (file) => fs.readFileSync(file),
    stream: () => expect.unreachable(),
    isFile: () => false,
    create: () => expect.unreachable(),
    background: () => undefined,
    shell: () => ({ output: new Uint8Array(), status: 'error', milliseconds: 0 }),
    saveMemory: () => undefined,
    onInterrupt: () => undefined,
  };
  const exitCode = await runProgram({ commands: COMMANDS, groups: GROUPS, doors: allDoors(), about }, terminal);
  return { exitCode, ...written };
}

function git(directory: string, ...args: readonly string[]): string {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(kept), HOME: home };
  return spawnSync('git', ['-c', 'safe.directory=*', ...args], { cwd: directory, env, encoding: 'utf8' }).stdout;
}

function filesBelow(directory: string): readonly string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('the demo', { timeout: 120_000 }, () => {
  let ran: Ran;
  let place: string;

  beforeAll(async () => {
    place = path.join(folder, 'kept');
    ran = await run(['demo', '--dir', 'kept']);
  }, 120_000);

  test('shows each command as one types it, with what it really printed', () => {
    expect(ran).toMatchObject({ exitCode: 0, err: '' });
    const typed = [...ran.out.matchAll(/^\$ savepoint (?:-C \S+ )?(\S+)/gm)].map(([, verb]) => verb);
    expect([...new Set(typed)]).toEqual(['capture', 'list', 'timeline', 'show', 'diff', 'at', 'verify']);
    const repository = path.join(place, 'shop');
    const refs = git(repository, 'for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines').trim();
    const commits = git(repository, 'rev-list', ...refs.split('\n'))
      .trim()
      .split('\n');
    const bodies = commits.map((commit) => git(repository, 'cat-file', 'blob', `${commit}:snapshot.json`));
    const messages = bodies.map((body) => (JSON.parse(body) as { message: string }).message);
    expect(messages.sort()).toEqual([
      'Before the agent',
      'Right: it adds cents',
      'Tidied up',
      'Where to start',
      'Wrong: it joins prices',
    ]);
    for (const message of messages) expect(ran.out.split(message).length).toBeGreaterThan(2);
  });

  test('plays what the agent did, down to the file that it should not have removed', () => {
    const files = filesBelow(path.join(place, 'shop', 'src')).map((file) => path.basename(file));
    expect(files.sort()).toEqual(['money.js', 'receipt.js']);
    const names = fs.readdirSync(path.join(place, 'shop')).sort();
    expect(names).toEqual(['.env', '.git', '.gitignore', 'README.md', 'receipt.test.js', 'src']);
    expect(ran.out).toContain('--file ideas.md\nAsk Ada how the shop in Lisbon rounds.\n');
    expect(ran.out).toContain(' D ideas.md ');
    expect(ran.out).toContain('-  const total = prices.reduce((sum, price) => sum + price.toFixed(2), 0);\n');
    const [patch] = /^\$ savepoint diff .* -- src\/receipt\.js$[\s\S]*?^\d+ file.*$/m.exec(ran.out) ?? [''];
    expect(patch).toContain('+++ b/src/receipt.js\n');
    expect(patch).not.toContain('transcript');
    expect(ran.out).toContain('runs node test.js -> FAIL: expected "Total 0.30", got "Total 00.100.20"\n');
  });

  test('names the snapshot in which one byte was changed, and leaves the real one valid', () => {
    const [, real = '', tampered = ''] = ran.out.split(/^\$ savepoint (?:-C \.\.\/tampered )?verify --all$/m);
    expect(real).toContain('✓ 5 valid\n');
    expect(tampered).toMatch(/^Snapshot [0-9a-f]{12} is BAD SIGNATURE$/m);
    expect(tampered).toContain('✗ 1 bad signature\n');
    expect(tampered).toContain('Integrity: 4 snapshots hold');
    expect(tampered).toContain('(exit code 15)\n');
  });

  test('keeps the secret of the log out of the store and out of what it shows', () => {
    const log = filesBelow(path.join(place, 'home', '.claude')).map((file) => fs.readFileSync(file, 'utf8'));
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(SECRET);
    expect(ran.out).not.toMatch(SECRET);
    expect(ran.out).toContain('PAYMENT_KEY=[REDACTED:');
    const objects = git(path.join(place, 'shop'), 'cat-file', '--batch', '--batch-all-objects', '--buffer');
    expect(objects).toContain('PAYMENT_KEY=[REDACTED:');
    expect(objects).not.toMatch(SECRET);
  });

  test('has the log tell of the scratch repository and of today', () => {
    const [file = ''] = filesBelow(path.join(place, 'home', '.claude'));
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { cwd?: string; timestamp?: string; version?: string });
    const repository = path.join(place, 'shop');
    expect(new Set(entries.flatMap(({ cwd }) => cwd ?? []))).toEqual(new Set([repository]));
    const [first] = entries;
    const age = fs.statSync(file).mtimeMs - Date.parse(first?.timestamp ?? '');
    expect(Math.abs(age)).toBeLessThan(3_600_000);
    expect(lines.join('\n')).not.toContain('/home/dev');
  });

  test('says what to try next and where everything is', () => {
    const [, end = ''] = ran.out.split('\nYour turn\n');
    expect(end).toContain(`cd ${place}/shop\n`);
    expect(end).toContain(`rm -rf ${place}\n`);
    expect(end).not.toContain('alias');
  });

  test('touches nothing of the user', () => {
    expect(filesBelow(home)).toEqual([]);
    expect(fs.readdirSync(folder).sort()).toEqual(['home', 'kept']);
  });

  test('refuses a directory that is not empty, and changes nothing in it', async () => {
    const before = filesBelow(place).length;
    const again = await run(['demo', '--dir', place, '--json']);
    expect(again).toMatchObject({ exitCode: 17, out: '' });
    expect(JSON.parse(again.err)).toMatchObject({ error: { code: 'directory_unusable' } });
    expect(filesBelow(place)).toHaveLength(before);
    const inFile = await run(['demo', '--dir', path.join(place, 'shop', 'README.md', 'x')]);
    expect(inFile).toMatchObject({ exitCode: 17, out: '' });
  });

  test('says that git is missing before it makes anything', async () => {
    const none = await run(['demo', '--dir', 'none'], { env: { PATH: home } });
    expect(none).toMatchObject({ exitCode: 10, out: '' });
    expect(none.err).toContain('The program git was not found.');
    expect(fs.existsSync(path.join(folder, 'none'))).toBe(false);
  });

  test('with --json is one value with all steps, and with --remove is gone at the end', async () => {
    const place2 = path.join(folder, 'new', 'place');
    const json = await run(['demo', '--json', '--remove', '--dir', place2], { env: { npm_command: 'exec' } });
    expect(json).toMatchObject({ exitCode: 0, err: '' });
    const told = JSON.parse(json.out) as { directory: string; removed: boolean; steps: readonly Step[] };
    expect(told).toMatchObject({ directory: place2, removed: true });
    const commands = told.steps.filter((step) => step.kind === 'command');
    expect(commands.map(({ exitCode }) => exitCode).filter((code) => code !== 0)).toEqual([15]);
    expect(commands.filter(({ output }) => output === '')).toEqual([]);
    const suggested = told.steps.flatMap((step) => (step.kind === 'suggestions' ? step.commands : []));
    expect(suggested[0]?.command).toMatch(/^alias savepoint=.*\/usr\/bin\/savepoint/);
    expect(suggested.filter(({ command }) => command.includes(place2))).toEqual([]);
    expect(fs.existsSync(path.join(folder, 'new'))).toBe(false);
  });

  test('on a terminal of 80 columns only keys are wider, and colours can be turned off', async () => {
    fs.mkdirSync(path.join(folder, 'empty'));
    const plain = await run(['demo', '--no-color', '--remove', '--dir', 'empty'], { columns: 80 });
    expect(plain).toMatchObject({ exitCode: 0, err: '' });
    expect(plain.out).not.toContain('\x1b');
    const wide = plain.out.split('\n').filter((line) => [...line].length > 80);
    expect(wide.filter((line) => !/ed25519:[0-9a-f]{64}/.test(line) && !line.includes(folder))).toEqual([]);
    expect(fs.readdirSync(path.join(folder, 'empty'))).toEqual([]);
    const coloured = await run(['demo', '--remove', '--dir', 'empty'], { columns: 80 });
    expect(coloured.out).toContain('\x1b[1msavepoint list\x1b[0m');
    expect(coloured.out).toContain('\x1b[32m✓ 5 valid\x1b[0m');
  });

  test('with --quiet prints only where it is', async () => {
    const quiet = await run(['demo', '--quiet', '--dir', 'quiet']);
    expect(quiet).toEqual({ exitCode: 0, out: `${path.join(folder, 'quiet')}\n`, err: '' });
    expect(fs.existsSync(path.join(folder, 'quiet', 'shop', 'receipt.test.js'))).toBe(true);
  });
});
