/** Files of any size: read piece by piece, and written beside their place until they are whole. */
import * as fs from 'node:fs';
import path from 'node:path';
import type { FileDraft } from './terminal.js';

const PIECE_BYTES = 256 * 1024;
const STANDARD_INPUT = 0;

/** Yields a file's bytes; without a name, those of standard input. */
export async function* streamFile(file: string | undefined): AsyncGenerator<Uint8Array> {
  const descriptor = file === undefined ? STANDARD_INPUT : fs.openSync(file, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const count = await readSome(descriptor, piece);
      if (count === 0) return;
      yield piece.subarray(0, count);
    }
  } finally {
    if (file !== undefined) fs.closeSync(descriptor);
  }
}

async function readSome(descriptor: number, piece: Buffer): Promise<number> {
  for (;;) {
    try {
      return fs.readSync(descriptor, piece);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      // The other end made the pipe non-blocking and is slow.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** Starts a file under a name of its own in the same directory; links are replaced, never followed. */
export function createFile(file: string): FileDraft {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${String(process.pid)}.part`);
  const descriptor = fs.openSync(draft, 'wx', 0o644);
  let open = true;
  const close = (): void => {
    if (open) fs.closeSync(descriptor);
    open = false;
  };
  return {
    write: (bytes) => {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(descriptor, bytes, at);
    },
    finish: () => {
      fs.fsyncSync(descriptor);
      close();
      fs.renameSync(draft, file);
    },
    discard: () => {
      close();
      fs.rmSync(draft, { force: true });
    },
  };
}
