/** Small programs made of the sources, run as processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@savepoint/testkit';
import { buildSync } from 'esbuild';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));

export interface Program {
  start(...args: readonly string[]): Running;
  /** The same without root's rights, where the tests have them. */
  startAs(user: number, ...args: readonly string[]): Running;
}

export interface Running {
  readonly child: ChildProcess;
  /** Exit code, or the signal's name, and what it printed. */
  readonly ended: Promise<{ readonly code: number | string; readonly output: string }>;
}

/** Bundles a program; `core:` in its imports stands for the folder of the sources. */
export function makeProgram(source: string): Program {
  const outfile = path.join(temporaryDirectory('program'), 'program.mjs');
  buildSync({
    stdin: { contents: source.replaceAll('core:', `${SOURCES}/`), loader: 'ts', resolveDir: SOURCES },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  chmodSync(path.dirname(outfile), 0o755);
  return {
    start: (...args) => run([outfile, ...args], undefined),
    startAs: (user, ...args) => run([outfile, ...args], process.getuid?.() === 0 ? user : undefined),
  };
}

function run(args: readonly string[], user: number | undefined): Running {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] };
  const as = user === undefined ? {} : { uid: user, gid: user };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...as });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise<{ code: number | string; output: string }>((resolve) => {
    child.on('close', (code, signal) => {
      resolve({ code: code ?? signal ?? 'unknown', output });
    });
  });
  return { child, ended };
}
