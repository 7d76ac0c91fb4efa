/** Two files without names: what git is to read, and what it answers. */
import { closeSync, fstatSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import path from 'node:path';

export interface AnswerFiles {
  readonly input: number;
  readonly output: number;
  /** The process that reads it has it open. */
  closeInput(): void;
  /** Returns how much was answered so far. */
  size(): number;
  /** Returns what was answered, at most so many bytes, and lets the file go. */
  take(most: number): Buffer;
}

/** Returns files that are gone when nobody has them open any more; undefined where none can be made. */
export function makeAnswerFiles(folder: string, content: Uint8Array): AnswerFiles | undefined {
  let input: number | undefined;
  try {
    input = openNameless(path.join(folder, `asked.${String(process.pid)}.tmp`));
    const opened = input;
    // At a place of its own, so that who reads on from the file's beginning finds it all.
    for (let at = 0; at < content.length;) at += writeSync(opened, content, at, content.length - at, at);
    const output = openNameless(path.join(folder, `answered.${String(process.pid)}.tmp`));
    return {
      input,
      output,
      closeInput: () => {
        closeSync(opened);
      },
      size: () => sizeOf(output),
      take: (most) => take(output, most),
    };
  } catch {
    if (input !== undefined) closeSync(input);
    return undefined;
  }
}

// The names are those of temporaries: whoever is killed between these two lines leaves one that is cleared up.
function openNameless(file: string): number {
  const descriptor = openSync(file, 'wx+', 0o600);
  unlinkSync(file);
  return descriptor;
}

function sizeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).size;
  } catch {
    return 0;
  }
}

function take(descriptor: number, most: number): Buffer {
  try {
    const bytes = Buffer.allocUnsafe(Math.min(sizeOf(descriptor), most));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } catch {
    // What cannot be read here is asked for again.
    return Buffer.alloc(0);
  } finally {
    closeSync(descriptor);
  }
}
