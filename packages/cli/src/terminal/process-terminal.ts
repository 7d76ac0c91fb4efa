/**
 * The Terminal of this process. It writes with `writeSync` instead of `process.stdout`, whose first use loads the
 * network and terminal modules (3 ms of a capture), and so that nothing is left to flush when the process ends.
 */
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { contextError } from '@savepoint/core';
import { runShell } from './shell.js';
import { createFile, streamFile } from './streamed-files.js';
import type { Input, Output, Terminal } from './terminal.js';

const STANDARD_INPUT = 0;
const USUAL_COLUMNS = 80;
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function processTerminal(): Terminal {
  return {
    self: { node: process.execPath, program: process.argv[1] ?? '' },
    words: process.argv.slice(2),
    // Asked for when it is used, so that the error is told like any other.
    get directory() {
      return workingDirectory();
    },
    environment: process.env,
    home: process.env['HOME'] ?? homeFolder(),
    input,
    output: output(1, () => process.stdout.columns),
    errors: output(2, () => process.stderr.columns),
    read: (file) => fs.readFileSync(file === '-' ? STANDARD_INPUT : file),
    stream: (file) => streamFile(file === '-' ? undefined : file),
    isFile: (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true,
    create: createFile,
    background: startBackground,
    shell: runShell,
    // V8 lets garbage pile up to a multiple of what is in use; this flag can be set at any time.
    saveMemory: () => {
      process.getBuiltinModule('node:v8').setFlagsFromString('--optimize-for-size');
    },
    onInterrupt: (stop) => {
      for (const signal of INTERRUPTS) {
        // `once`: asked a second time, the process ends at once.
        process.once(signal, stop);
      }
    },
  };
}

function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw contextError('directory_gone', {}, error);
  }
}

// Detached and without our pipes: a caller that waits for the end of our output must not wait for this.
function startBackground(words: readonly string[]): void {
  const [program] = process.argv.slice(1);
  if (program === undefined) return;
  try {
    const child = spawn(process.execPath, [program, ...words], { detached: true, stdio: 'ignore', windowsHide: true });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // It is due again the next time.
  }
}

/** Ends the process. Everything was written synchronously, so nothing is lost; open handles must not delay the user. */
export function endProcess(exitCode: number): void {
  process.exit(exitCode);
}

function output(descriptor: number, terminalColumns: () => number | undefined): Output {
  let columns: number | undefined;
  let asked = false;
  let open = true;
  return {
    get columns() {
      if (!asked) columns = isCharacterDevice(descriptor) ? widthOf(terminalColumns()) : undefined;
      asked = true;
      return columns;
    },
    write: (data) => {
      open &&= writeAll(descriptor, typeof data === 'string' ? Buffer.from(data, 'utf8') : data);
      return open;
    },
  };
}

// Not every terminal knows its width; 0 stands for that.
function widthOf(columns: number | undefined): number | undefined {
  return columns === 0 ? USUAL_COLUMNS : columns;
}

const input: Input = {
  // A quick look first: loading `tty` costs as much as a hook has time for.
  get isTerminal() {
    return isCharacterDevice(STANDARD_INPUT) && process.getBuiltinModule('node:tty').isatty(STANDARD_INPUT);
  },
  readLine: () => {
    const typed: Buffer[] = [];
    for (;;) {
      const bytes = readSome();
      typed.push(bytes);
      if (bytes.length === 0 || bytes.includes(0x0a)) break;
    }
    const line = Buffer.concat(typed).toString('utf8');
    return line === '' ? undefined : line.replace(/\r?\n[^]*$/, '');
  },
};

// Blocks, so that Ctrl-C ends the process at once: nothing has begun while a question is open.
function readSome(): Buffer {
  const chunk = Buffer.alloc(1024);
  for (;;) {
    try {
      return chunk.subarray(0, fs.readSync(STANDARD_INPUT, chunk));
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) return Buffer.alloc(0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

// A terminal is a character device, and so is /dev/null: `columns` tells them apart, but costs loading `tty`.
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fs.fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      // A reader that has seen enough (`| head`), or that never was (`>&-`), is not our failure.
      if (hasCode(error, 'EPIPE') || hasCode(error, 'EBADF')) return false;
      if (!hasCode(error, 'EAGAIN')) throw unwritable(error);
      // The other end made the pipe non-blocking and is slow.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
  return true;
}

function unwritable(error: unknown): Error {
  return contextError('output_unwritable', { reason: error instanceof Error ? error.message : String(error) }, error);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function homeFolder(): string {
  return process.env['USERPROFILE'] ?? '/';
}
