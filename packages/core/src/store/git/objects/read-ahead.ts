/** Reads many objects by one `git cat-file` that is told all names at once and ends by itself. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { ObjectId, ObjectType } from '../../../model/tree/tree.js';
import type { GitPlace } from '../system/process.js';
import { namesAsked, startReading } from './early-reader.js';

export interface ReadObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** What goes beyond is not worth holding; it is read when it is asked for. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** Returns what git has of these names: ids, or an id with a path. */
export function readTogether(place: GitPlace, names: readonly string[]): Promise<readonly ReadObject[]> {
  const child = startReading(place, '--batch', '--buffer');
  child.stdin.on('error', () => undefined);
  child.stdin.end(namesAsked(names));
  return answersOf(child);
}

/** Returns all answers of a process that ends by itself. Whatever goes wrong only makes it less: git dies of an object that it cannot read. */
export async function answersOf(child: ChildProcessWithoutNullStreams): Promise<readonly ReadObject[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) child.kill();
  });
  await new Promise<void>((resolve) => {
    child.on('error', () => {
      resolve();
    });
    child.on('close', () => {
      resolve();
    });
  });
  return parseAnswers(Buffer.concat(chunks));
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
