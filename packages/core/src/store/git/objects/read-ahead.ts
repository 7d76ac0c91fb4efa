/** Reads many objects by one `git cat-file` that is told all names at once and ends by itself. */
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ObjectId, ObjectType } from '../../../model/tree/tree.js';
import { SMALL_WINDOWS, spawnWithFiles, spawnWithPipes, type GitPlace } from '../system/process.js';
import { makeAnswerFiles, type AnswerFiles } from './answer-files.js';

export interface ReadObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** What goes beyond is not worth holding; it is read when it is asked for. */
export const MOST_BYTES = 32 * 1024 * 1024;
/** So often it is looked whether there is more. */
const WATCH_MILLISECONDS = 10;

export function startReading(place: GitPlace, ...mode: readonly string[]): ChildProcessWithoutNullStreams {
  return spawnWithPipes(place, readingArgs(...mode));
}

export function readingArgs(...mode: readonly string[]): readonly string[] {
  // Asked for an object that a partial clone lacks, git would fetch it.
  return ['-c', 'protocol.allow=never', ...SMALL_WINDOWS, 'cat-file', ...mode];
}

export function namesAsked(names: readonly string[]): Buffer {
  return Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
}

/** Returns what git has of these names: ids, or an id with a path. */
export function readTogether(place: GitPlace, names: readonly string[]): Promise<readonly ReadObject[]> {
  return askWithPipes(place, names).answers();
}

/** A process that answers all at once and ends by itself. */
export interface AskedTogether {
  readonly child: ChildProcess;
  /** Resolves with what it answered, once. Whatever goes wrong only makes it less: git dies of an object that it cannot read. */
  readonly answers: () => Promise<readonly ReadObject[]>;
}

/**
 * Asks for names and reads the answers later. It goes through two files where they can be made in `folder`: a pipe is a socket to
 * Node, and three of them take longer in a new process than git takes for what a list needs.
 */
export function askTogether(place: GitPlace, names: readonly string[], folder: string): AskedTogether {
  const files = makeAnswerFiles(folder, namesAsked(names));
  return files === undefined ? askWithPipes(place, names) : askWithFiles(place, files);
}

function askWithFiles(place: GitPlace, files: AnswerFiles): AskedTogether {
  const child = spawnWithFiles(place, readingArgs('--batch', '--buffer'), files);
  files.closeInput();
  const ended = endOf(child, 'exit');
  return {
    child,
    answers: async () => {
      const watch = setInterval(() => files.size() > MOST_BYTES && child.kill(), WATCH_MILLISECONDS);
      await ended;
      clearInterval(watch);
      return parseAnswers(files.take(MOST_BYTES));
    },
  };
}

function askWithPipes(place: GitPlace, names: readonly string[]): AskedTogether {
  const child = startReading(place, '--batch', '--buffer');
  const ended = endOf(child, 'close');
  child.stdin.on('error', () => undefined);
  child.stdin.end(namesAsked(names));
  return {
    child,
    answers: async () => {
      const chunks: Buffer[] = [];
      let size = 0;
      child.stderr.resume();
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MOST_BYTES) child.kill();
      });
      await ended;
      return parseAnswers(Buffer.concat(chunks));
    },
  };
}

/** Resolves when the process has ended, or could not be started. */
function endOf(child: ChildProcess, event: 'exit' | 'close'): Promise<void> {
  return new Promise<void>((resolve) => {
    for (const one of ['error', event]) {
      child.on(one, () => {
        resolve();
      });
    }
  });
}

const HEADER = /^([0-9a-f]+) (blob|tree|commit|tag) (\d+)$/;

function parseAnswers(answers: Buffer): readonly ReadObject[] {
  const found: ReadObject[] = [];
  for (let at = 0; ;) {
    const end = answers.indexOf(0x0a, at);
    if (end < 0) return found;
    const [, id, type, size] = HEADER.exec(answers.toString('latin1', at, end)) ?? [];
    at = end + 1;
    // Of a name that says nothing there is no more than this line.
    if (id === undefined || size === undefined) continue;
    const next = at + Number(size);
    if (next >= answers.length) return found;
    found.push({ id, type: type as ObjectType, bytes: answers.subarray(at, next) });
    at = next + 1;
  }
}
