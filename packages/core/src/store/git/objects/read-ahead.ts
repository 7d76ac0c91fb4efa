/** Reads many objects by one `git cat-file` that is told all names at once and ends by itself. */
import type { ObjectId, ObjectType } from '../../../model/tree/tree.js';
import { spawnWithPipes, type GitPlace } from '../system/process.js';

export interface ReadObject {
  readonly id: ObjectId;
  readonly type: ObjectType;
  readonly bytes: Buffer;
}

/** What goes beyond is not worth holding; it is read when it is asked for. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Returns what git has of these names: ids, or an id with a path. Whatever goes wrong only makes it less: git dies of an
 * object that it cannot read.
 */
export async function readTogether(place: GitPlace, names: readonly string[]): Promise<readonly ReadObject[]> {
  const args = ['-c', 'protocol.allow=never', 'cat-file', '--batch', '--buffer'];
  const child = spawnWithPipes(place, args);
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdin.on('error', () => undefined);
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_BYTES) child.kill();
  });
  const ended = new Promise<void>((resolve) => {
    child.on('error', () => {
      resolve();
    });
    child.on('close', () => {
      resolve();
    });
  });
  child.stdin.end(Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1'));
  await ended;
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
