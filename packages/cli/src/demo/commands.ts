/** Runs the commands of the demo as a user would type them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { contextError, type ShowResult } from '@savepoint/core';
import type { Stage } from '../face/stage.js';
import type { Scratch } from './scratch.js';
import type { Step } from './step.js';

export interface Typed {
  readonly words: readonly string[];
  /** Where it is typed; without it in the scratch repository. */
  readonly directory?: string;
  /** A program that the output goes through. */
  readonly pipe?: readonly string[];
  readonly exitCode?: number;
}

/** Runs one and returns it as a step. @throws demo_stopped if it ends with another exit code */
export async function runTyped(stage: Stage, scratch: Scratch, typed: Typed): Promise<Step> {
  const { words, directory = scratch.repository, pipe, exitCode: expected = 0 } = typed;
  const command = [['savepoint', ...words], ...(pipe === undefined ? [] : [pipe])]
    .map((line) => line.map(quoted).join(' '))
    .join(' | ');
  const { exitCode, output, errors } = await stage.run({
    words,
    directory,
    environment: scratch.environment,
    piped: pipe !== undefined,
  });
  if (exitCode !== expected) {
    throw contextError('demo_stopped', { command, reason: errors.trim(), directory: scratch.folder });
  }
  const shown = pipe === undefined ? Buffer.from(output) : filtered(output, pipe, scratch);
  return { kind: 'command', command, exitCode, output: shown.toString('utf8'), remarks: errors };
}

/** Returns what `show` says of a snapshot. */
export async function showAsJson(stage: Stage, scratch: Scratch, selector: string): Promise<ShowResult> {
  const { repository: directory, environment } = scratch;
  const words = ['show', selector, '--json'];
  const { output } = await stage.run({ words, directory, environment, piped: true });
  return JSON.parse(Buffer.from(output).toString('utf8')) as ShowResult;
}

/** Returns a directory as one types it after `-C` or `cd` in the scratch repository. */
export function fromRepository({ repository }: Scratch, directory: string): string {
  return path.relative(repository, directory);
}

function filtered(input: Uint8Array, [program = '', ...args]: readonly string[], scratch: Scratch): Buffer {
  const { error, stdout } = spawnSync(program, args, { input, env: scratch.environment });
  if (error === undefined) return stdout;
  throw contextError('demo_stopped', { command: program, reason: error.message, directory: scratch.folder }, error);
}

/** Returns a word for people to read and shells to understand. */
export function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
