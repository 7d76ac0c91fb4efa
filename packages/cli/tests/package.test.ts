/** The packed program, installed where nothing of this repository is near, on a real repository. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const home = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let repository: string;
let program: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-package-'));
  repository = path.join(folder, 'project');
  fs.mkdirSync(repository);
  fs.mkdirSync(path.join(folder, 'home'));
  env = scrubbed({ HOME: path.join(folder, 'home'), GIT_CONFIG_NOSYSTEM: '1' });
  const npm = (...words: readonly string[]): string =>
    execFileSync('npm', [...words], { cwd: home, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  npm('pack', '--silent', '--pack-destination', folder);
  const tarball = fs.readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  npm(
    'install',
    '--silent',
    '--global',
    '--offline',
    '--prefix',
    path.join(folder, 'prefix'),
    path.join(folder, tarball),
  );
  program = path.join(folder, 'prefix', 'bin', 'savepoint');
  execFileSync('git', ['init', '--quiet'], { cwd: repository, env });
  fs.writeFileSync(path.join(repository, 'a.txt'), 'one\n');
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function scrubbed(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|XDG_|NODE_|npm_|INIT_CWD)/.test(name));
  return { ...Object.fromEntries(kept), ...more };
}

function savepoint(...words: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  return spawnSync(program, [...words], { cwd: repository, env, encoding: 'utf8' });
}

describe('the installed package', () => {
  test('brings no dependencies and the licences of what is in its bundles', () => {
    const installed = path.join(folder, 'prefix', 'lib', 'node_modules', 'savepoint');
    expect(fs.readdirSync(path.dirname(installed))).toEqual(['savepoint']);
    expect(fs.existsSync(path.join(installed, 'node_modules'))).toBe(false);
    expect(fs.readdirSync(path.join(installed, 'dist')).sort()).toEqual([
      'boot.cjs',
      'capture.cjs',
      'chrono.cjs',
      'foresight.cjs',
      'licences.txt',
      'look.cjs',
      'rewind.cjs',
      'savepoint.cjs',
      'verify.cjs',
    ]);
    const licences = fs.readFileSync(path.join(installed, 'dist', 'licences.txt'), 'utf8');
    expect(licences).toContain('chrono-node');
    expect(licences).toContain('blake3-jit');
    expect(fs.existsSync(path.join(installed, 'LICENSE'))).toBe(true);
  });

  test('answers --version and --help anywhere', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string };
    expect(savepoint('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(savepoint('--help').stdout).toContain('savepoint help VERB');
    expect(savepoint('capture', '--help').stdout).toContain('savepoint capture [MESSAGE] [options]');
  });

  test('captures, lists, compares by time in words, shows a file and verifies', () => {
    const captured = savepoint('--json', 'capture', '-m', 'First');
    expect(captured).toMatchObject({ status: 0, stderr: '' });
    const { id } = JSON.parse(captured.stdout) as { id: string };
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(savepoint('list', '--quiet')).toMatchObject({ status: 0, stdout: `${id}\n` });
    fs.writeFileSync(path.join(repository, 'a.txt'), 'two\n');
    expect(savepoint('diff', 'now').stdout).toContain('-one\n+two\n');
    expect(savepoint('diff', 'a minute ago')).toMatchObject({ status: 12 });
    expect(savepoint('show', '--file', 'a.txt')).toMatchObject({ status: 0, stdout: 'one\n' });
    expect(savepoint('verify', '--all', '--deep')).toMatchObject({ status: 0 });
  });

  // From Node 22 on it keeps compiled code by itself.
  test.skipIf(Number.parseInt(process.versions.node, 10) >= 22)(
    'compiles once what a rewind and a list run, although V8 is told not to optimise it',
    () => {
      const compiled = path.join(folder, 'home', '.cache', 'savepoint', 'compiled');
      const kept = (program: string): readonly number[] =>
        fs
          .readdirSync(compiled)
          .filter((name) => name.startsWith(program))
          .map((name) => fs.statSync(path.join(compiled, name)).ino);
      for (const [program, words] of [
        ['rewind.cjs-rewind', ['rewind', 'head', '--yes']],
        ['foresight.cjs-look', ['list']],
        ['look.cjs-list', ['list']],
        ['verify.cjs-verify', ['verify']],
      ] as const) {
        expect(savepoint(...words).status).toBe(0);
        const first = kept(program);
        expect(first).toHaveLength(1);
        expect(savepoint(...words).status).toBe(0);
        // Code that is refused is made and kept anew.
        expect(kept(program)).toEqual(first);
      }
    },
  );

  test('plays its demo, and the home of the user stays as it was', () => {
    const place = path.join(folder, 'demo');
    const configuration = path.join(folder, 'home', '.config');
    const before = fs.readdirSync(configuration, { recursive: true });
    const ran = savepoint('demo', '--dir', place);
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toContain(`cd ${fs.realpathSync(place)}/shop\n`);
    expect(fs.readdirSync(configuration, { recursive: true })).toEqual(before);
    const suggested = savepoint('-C', path.join(place, 'shop'), 'show', 'tag:works', '--file', 'ideas.md');
    expect(suggested).toMatchObject({ status: 0, stdout: expect.stringContaining('Ask Ada') as string });
  }, 60_000);

  test('says in JSON what is wrong outside a repository', () => {
    const ran = savepoint('-C', path.join(folder, 'home'), '--json', 'capture');
    expect(ran).toMatchObject({ status: 10, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { kind: 'no_repository' } });
  });

  test('a capture that is interrupted ends with 130 and makes no snapshot', async () => {
    const before = savepoint('list', '--quiet').stdout;
    const slow = slowGit();
    const words = ['capture', '-m', 'too late'];
    const child = spawn(program, words, { cwd: repository, env: slow.env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString('utf8')));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString('utf8')));
    const ended = new Promise((resolve) => child.on('close', (code) => resolve(code)));
    while (!fs.existsSync(slow.marker)) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    expect({ status: await ended, stdout, stderr }).toEqual({
      status: 130,
      stdout: '',
      stderr: 'error: Interrupted. No snapshot was made.\n',
    });
    expect(savepoint('list', '--quiet').stdout).toBe(before);
    expect(savepoint('verify', '--all').status).toBe(0);
  });

  /** The real git behind a wait of a second, which leaves a mark when a capture is about to write. */
  function slowGit(): { readonly env: NodeJS.ProcessEnv; readonly marker: string } {
    const bin = path.join(folder, 'slow');
    const marker = path.join(folder, 'looking');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    fs.mkdirSync(bin);
    const script = `#!/bin/sh\ncase " $* " in *" fast-import "*) : > '${marker}'; sleep 1;; esac\nexec '${real}' "$@"\n`;
    fs.writeFileSync(path.join(bin, 'git'), script, { mode: 0o755 });
    return { env: { ...env, PATH: `${bin}:${env['PATH'] ?? ''}` }, marker };
  }
});
