/** One `git fast-import` process: blobs and commits go in, ids come out (git-fast-import(1), "INPUT FORMAT"). */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { statfsSync } from 'node:fs';
import path from 'node:path';
import type { BytePath } from '../../../base/path.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import { contextError } from '../../../base/errors.js';
import type { FolderEdit, FolderTrees, ObjectId } from '../../../model/tree/tree.js';
import { COMMIT_IDENTITY } from '../../git-objects.js';
import { ByteQueue } from '../system/byte-queue.js';
import { removeQuietly } from '../system/durable.js';
import { answersInto, gitFailure, SMALL_WINDOWS, spawnWithPipes, type GitPlace } from '../system/process.js';

// A branch of the private git directory for each commit. They are deleted within the stream, so that no ref is ever
// written there.
const branch = (commit: number): string => `refs/heads/draft-${String(commit)}`;
const LINES_AT_ONCE = 1024;
/** What is smaller waits for more, since each write costs as much as a kilobyte. */
const PIECE_BYTES = 16 * 1024;
const ARGS = ['fast-import', '--quiet', '--done', '--force', '--date-format=raw', '--cat-blob-fd=1'];

export class FastImport {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #queue = new ByteQueue();
  readonly #ended: Promise<Error | undefined>;
  #closed = false;
  #commits = 0;
  /** Begun pieces that were not sent yet, and how far they are full. */
  #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #filled = 0;

  constructor(place: GitPlace) {
    this.#child = spawnWithPipes(place, ['-c', 'core.ignoreCase=false', ...SMALL_WINDOWS, ...ARGS]);
    let isDone = false;
    const ended = answersInto(this.#queue, this.#child, (stderr, code) => {
      // What failed is told by our own error; git's report would keep paths and stay for ever.
      const { GIT_DIR: directory } = place.variables ?? {};
      if (directory !== undefined) removeQuietly(path.join(directory, `fast_import_crash_${String(this.#child.pid)}`));
      this.#closed = true;
      isDone = code === 0;
      return isDone ? gitFailure({ args: ARGS }, 'it ended early', 0) : importFailure(place, stderr, code);
    });
    this.#ended = ended.then((failure) => (isDone ? undefined : failure));
  }

  async blob(bytes: Uint8Array): Promise<void> {
    await this.#write(`blob\ndata ${String(bytes.length)}\n`);
    await this.#write(bytes);
    await this.#write('\n');
    // At once: git compresses it while the next one is read.
    await this.#flush();
  }

  /** A blob in pieces; a source that ends early or goes on kills git, so that nothing is ever padded or cut. */
  async blobFrom(size: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#write(`blob\ndata ${String(size)}\n`);
    let missing = size;
    try {
      for await (const chunk of chunks) {
        missing -= chunk.length;
        if (missing < 0) break;
        await this.#write(chunk);
      }
    } catch (error) {
      await this.kill();
      throw error;
    }
    if (missing !== 0) {
      await this.kill();
      throw contextError('worktree_changing', { reason: 'a file changed its size while it was read' });
    }
    await this.#write('\n');
  }

  async beginCommit(parent: ObjectId | undefined, message: string): Promise<void> {
    const text = Buffer.from(message, 'utf8');
    this.#commits += 1;
    const head = `commit ${branch(this.#commits)}\nmark :${String(this.#commits)}\ncommitter ${COMMIT_IDENTITY}\n`;
    await this.#write(`${head}data ${String(text.length)}\n`);
    await this.#write(text);
    await this.#write(parent === undefined ? '\n' : `\nfrom ${parent}\ndeleteall\n`);
  }

  async editFolder({ folder, base, remove, set }: FolderEdit): Promise<void> {
    if (base !== undefined) await this.#write(`M 040000 ${base} ${quotePath(folder)}\n`);
    await this.#writeLines(remove, (file) => `D ${quotePath(`${folder}/${file}`)}\n`);
    await this.#writeLines(set, ({ path: file, mode, id }) => `M ${mode} ${id} ${quotePath(`${folder}/${file}`)}\n`);
  }

  // In groups: neither a write for each line nor all of a large tree in memory.
  async #writeLines<T>(values: readonly T[], line: (value: T) => string): Promise<void> {
    for (let at = 0; at < values.length; at += LINES_AT_ONCE) {
      const group = values.slice(at, at + LINES_AT_ONCE);
      await this.#write(Buffer.from(group.map(line).join(''), 'latin1'));
    }
  }

  async file(name: string, bytes: Uint8Array): Promise<void> {
    await this.#write(`M 100644 inline ${quotePath(name)}\ndata ${String(bytes.length)}\n`);
    await this.#write(bytes);
    await this.#write('\n');
  }

  /** Returns the ids that directories have at this point of the open commit; an empty one has none. */
  async trees(names: readonly BytePath[]): Promise<FolderTrees> {
    await this.#write(Buffer.from(names.map((name) => `ls "${escapePath(name)}"\n`).join(''), 'latin1'));
    await this.#flush();
    const trees = new Map<string, ObjectId>();
    for (const name of names) {
      const answer = (await this.#queue.until(0x0a)).toString('latin1');
      const id = /^040000 tree ([0-9a-f]+)\t/.exec(answer)?.[1];
      if (id !== undefined) trees.set(name, id);
    }
    return trees;
  }

  /** Ends the last commit and the process; returns the ids of all commits. The pack is complete then. */
  async finish(format: ObjectFormat): Promise<readonly ObjectId[]> {
    // All at once: it works on while this process does something else.
    const nothing = '0'.repeat(format === 'sha1' ? 40 : 64);
    const numbers = Array.from({ length: this.#commits }, (_, at) => at + 1);
    const ends = numbers.map((number) => `get-mark :${String(number)}\nreset ${branch(number)}\nfrom ${nothing}\n\n`);
    await this.#write(`\n${ends.join('')}done\n`);
    await this.#flush();
    this.#child.stdin.end();
    const ids: ObjectId[] = [];
    while (ids.length < numbers.length) ids.push((await this.#queue.until(0x0a)).toString('latin1'));
    const failure = await this.#ended;
    if (failure !== undefined) throw failure;
    return ids;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async #write(bytes: Uint8Array | string): Promise<void> {
    const chunk = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
    if (this.#filled + chunk.length > PIECE_BYTES) await this.#flush();
    if (chunk.length > PIECE_BYTES) return this.#send(chunk);
    // A copy: nobody knows what becomes of the bytes before they are sent.
    this.#piece.set(chunk, this.#filled);
    this.#filled += chunk.length;
  }

  async #flush(): Promise<void> {
    if (this.#filled === 0) return;
    const full = this.#piece.subarray(0, this.#filled);
    [this.#piece, this.#filled] = [Buffer.allocUnsafe(PIECE_BYTES), 0];
    await this.#send(full);
  }

  async #send(bytes: Uint8Array): Promise<void> {
    if (this.#closed) {
      throw (await this.#ended) ?? gitFailure({ args: ARGS }, 'it ended early', 0);
    }
    if (this.#child.stdin.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#child.stdin.off('drain', done);
        this.#child.off('close', done);
        resolve();
      };
      this.#child.stdin.on('drain', done);
      this.#child.on('close', done);
    });
  }
}

/** Returns a path as fast-import reads it: in double quotes, with every byte that could end it as an octal escape. */
export function quotePath(file: BytePath): string {
  if (/^[A-Za-z0-9_.+=@/-]+$/.test(file)) return file;
  return `"${escapePath(file)}"`;
}

function escapePath(file: BytePath): string {
  return file.replace(/[\x00-\x1f"\\\x7f-\xff]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

function importFailure(place: GitPlace, stderr: string, code: number | null): Error {
  // git's own words for a full disk are many, and some sound like damage.
  const directory = place.variables?.['GIT_OBJECT_DIRECTORY'];
  if (directory !== undefined && isDiskFull(directory)) return contextError('disk_full', { directory });
  if (
    /missing tree|Not a (?:valid )?(?:tree|commit|blob|object)|does not exist|not found|Cannot read|Can't load tree|can't load tree|Not a tree|Blob not found|Not a commit/i.test(
      stderr,
    )
  ) {
    const object = /\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/.exec(stderr)?.[0] ?? 'unknown';
    return contextError('object_missing', { object, owner: 'the snapshot before', reason: stderr.trim() });
  }
  return gitFailure({ args: ARGS }, stderr, code ?? 'a signal');
}

const LEAST_BYTES = 64 * 1024;

function isDiskFull(directory: string): boolean {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(directory);
    return bavail * bsize < LEAST_BYTES || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}
