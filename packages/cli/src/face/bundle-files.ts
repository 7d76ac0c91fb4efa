/** Files that a command reads or writes in one pass, by the names that the user gave them. */
import { contextError, type BundleInput, type BundleOutput } from '@savepoint/core';
import path from 'node:path';
import type { FileDraft, Terminal } from '../terminal/terminal.js';

export interface FilePlace {
  readonly terminal: Terminal;
  readonly directory: string;
}

const STANDARD = '-';

export function fileInput({ terminal, directory }: FilePlace, file: string): BundleInput {
  const name = file === STANDARD ? file : path.resolve(directory, file);
  return { again: file !== STANDARD, open: () => readable(terminal.stream(name), file) };
}

async function* readable(pieces: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await iterator.next().catch((error: unknown) => {
        throw contextError('file_not_found', { path: file, reason: reasonOf(error) }, error);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

export function fileOutput({ terminal, directory }: FilePlace, file: string): BundleOutput {
  if (file === STANDARD) return standardOutput(terminal);
  let draft: FileDraft | undefined;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      throw contextError('output_unwritable', { reason: reasonOf(error) }, error);
    }
  };
  return {
    write: async (pieces) => {
      attempt(() => (draft = terminal.create(path.resolve(directory, file))));
      for await (const piece of pieces) attempt(() => draft?.write(piece));
    },
    finish: async () => {
      attempt(() => draft?.finish());
    },
    discard: async () => draft?.discard(),
  };
}

function standardOutput(terminal: Terminal): BundleOutput {
  return {
    write: async (pieces) => {
      for await (const piece of pieces) {
        if (!terminal.output.write(piece)) {
          throw contextError('output_unwritable', { reason: 'nobody reads standard output any more' });
        }
      }
    },
    finish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
