/**
 * One run of the real program, held before each call by which it changes the disk or starts git, and after the last: what a
 * kill -9 at that call leaves is what is on the disk then. Programs that it started stand still while it is looked at.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { cleanEnvironment } from '../../processes/environment.js';
import { PROGRAM } from '../../processes/program.js';
import type { FixtureRepository } from '../../repositories/repository.js';
import { PRELOAD } from '../numbered-calls.js';
import { imageOf, type DiskImage, type DiskNode } from './disk-image.js';

/** What is on the disk before a call, as what differs from what was there before the one before it. */
export interface RecordedCall {
  /** Such as `renameSync /…`; of the last one `the end`. */
  readonly what: string;
  readonly gone: readonly string[];
  readonly set: readonly (readonly [string, DiskNode])[];
  /** Programs that it has started and that live, such as `git fast-import`. */
  readonly children: readonly string[];
}

export interface RunRecording {
  readonly roots: readonly string[];
  readonly first: DiskImage;
  /** The n-th call is the one at n - 1. */
  readonly calls: readonly RecordedCall[];
  readonly code: number;
  readonly stdout: string;
}

/** Runs the program in the fixture's worktree, looking at what is below the directories before each call. */
export async function recordCalls(
  fixture: FixtureRepository,
  args: readonly string[],
  roots: readonly string[],
): Promise<RunRecording> {
  const first = imageOf(roots);
  const order = JSON.stringify({ below: fixture.base, report: '/dev/null', act: 'hold', kinds: 'changes' });
  const child = spawn(process.execPath, ['--require', PRELOAD, PROGRAM, ...args], {
    cwd: fixture.root,
    env: { ...cleanEnvironment(fixture.home), SAVEPOINT_TEST_CALLS: order },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
  });
  const [, out, , tells, lets] = child.stdio as unknown as [null, Readable, null, Readable, Writable];
  const pieces: Buffer[] = [];
  out.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)));
  const calls: RecordedCall[] = [];
  let image = first;
  const look = (what: string, children: readonly string[]): void => {
    const now = imageOf(roots, image);
    calls.push({ what, children, ...changes(image, now) });
    image = now;
  };
  for await (const line of createInterface({ input: tells })) {
    const pids = livingChildren(child.pid ?? 0);
    await stop(pids);
    look(JSON.parse(line) as string, pids.map(commandOf));
    for (const pid of pids) signal(pid, 'SIGCONT');
    lets.write('.');
  }
  const code = await ended;
  look('the end', []);
  return { roots, first, calls, code, stdout: Buffer.concat(pieces).toString('utf8') };
}

function changes(former: DiskImage, now: DiskImage): Pick<RecordedCall, 'gone' | 'set'> {
  return {
    gone: [...former.keys()].filter((path) => !now.has(path)),
    set: [...now].filter(([path, node]) => former.get(path) !== node),
  };
}

/** Gives the image before each call, in their order. Where a call found the disk as the one before it, it is the same. */
export function* imagesOf({ first, calls }: RunRecording): Iterable<DiskImage> {
  let image = first;
  for (const { gone, set } of calls) {
    if (gone.length + set.length > 0) {
      const next = new Map(image);
      for (const path of gone) next.delete(path);
      for (const [path, node] of set) next.set(path, node);
      image = next;
    }
    yield image;
  }
}

function livingChildren(pid: number): number[] {
  const own = readProcess(pid, `task/${String(pid)}/children`)
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return own.flatMap((child) => [child, ...livingChildren(child)]);
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function commandOf(pid: number): string {
  return readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

async function stop(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP');
  while (!pids.every(standsStill)) await sleep(1);
}

function standsStill(pid: number): boolean {
  const tasks = taskNames(pid);
  return tasks.every((task) => !/\) [RSD] /.test(readProcess(pid, `task/${task}/stat`)));
}

function taskNames(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${String(pid)}/task`);
  } catch {
    return [];
  }
}
