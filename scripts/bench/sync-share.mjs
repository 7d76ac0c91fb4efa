/** Which part of a command's time passes while something waits for a disk to sync, as strace sees it. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { run } from './measure.mjs';

// Only these calls stop the program; with all of them it would take twice its time.
const OPTIONS = ['-f', '--seccomp-bpf', '-ttt', '-T', '-e', 'trace=fsync,fdatasync,syncfs,sync'];
const HAS_STRACE = spawnSync('strace', [...OPTIONS, '-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0;

/**
 * Runs a command once and returns how many syncs it made and how long at least one was under way, in milliseconds and
 * as a share of the whole; undefined where strace is missing.
 */
export function syncShare(command, place) {
  const file = path.join(place.home, 'syncs');
  const { milliseconds } = run(HAS_STRACE ? ['strace', ...OPTIONS, '-o', file, ...command] : command, place);
  if (!HAS_STRACE) return undefined;
  const spans = readSpans(fs.readFileSync(file, 'latin1'));
  const waited = covered(spans) * 1000;
  return { count: spans.length, milliseconds: waited, share: waited / milliseconds };
}

/** Begin and end of each call, in seconds. A line that goes on with another one tells the end only. */
function readSpans(log) {
  return log.split('\n').flatMap((line) => {
    const [, at, what, duration] = /^\d+ +([\d.]+) (.*)<([\d.]+)>$/.exec(line) ?? [];
    if (at === undefined) return [];
    const length = Number(duration);
    const begin = what.startsWith('<... ') ? Number(at) - length : Number(at);
    return [[begin, begin + length]];
  });
}

/** Calls that overlap count once. */
function covered(spans) {
  let sum = 0;
  let until = 0;
  for (const [begin, end] of spans.sort(([a], [b]) => a - b)) {
    sum += Math.max(0, end - Math.max(begin, until));
    until = Math.max(until, end);
  }
  return sum;
}
