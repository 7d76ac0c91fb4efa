/** git's own lock on the user's index, taken in a way that tells ours from git's, and a place for what is written under it. */
import { linkSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contextError } from '../../base/errors.js';

/** What a lock of ours holds. git's own is the beginning of an index, or empty, and never begins so. */
const MARK = 'savepoint holds this lock\n';
/** Begins the names of our folders beside the index. */
const OURS = '.savepoint-';

export class IndexLock {
  readonly #file: string;
  readonly #folder: string;

  /**
   * Takes git's lock on an index. Only for who holds the lock of the worktree: one of ours that is there already is then of a
   * process that died, and is taken over, and so is what it left.
   * @throws index_locked
   */
  constructor(index: string) {
    this.#file = `${index}.lock`;
    sweep(index);
    this.#folder = mkdtempSync(`${index}${OURS}`);
    try {
      this.#take();
    } catch (error) {
      rmSync(this.#folder, { recursive: true, force: true });
      throw contextError('index_locked', { path: this.#file }, error);
    }
  }

  /** Where a new index is written; a git that outlives the process which started it writes to another one. */
  get draft(): string {
    return path.join(this.#folder, 'draft');
  }

  release(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(this.#file, { force: true });
  }

  #take(): void {
    const marked = path.join(this.#folder, 'lock');
    writeFileSync(marked, MARK);
    try {
      place(marked, this.#file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !this.#removeAbandoned()) throw error;
      place(marked, this.#file);
    }
  }

  // It is moved away before it is believed: what is removed is what was read.
  #removeAbandoned(): boolean {
    if (!isOurs(this.#file)) return false;
    const moved = path.join(this.#folder, 'abandoned');
    renameSync(this.#file, moved);
    if (isOurs(moved)) return true;
    // In this moment somebody took ours away and a git has begun: it gets its lock back.
    linkSync(moved, this.#file);
    return false;
  }
}

// The lock has its content from its first moment: whoever is killed leaves a whole one or none.
function place(marked: string, lock: string): void {
  try {
    linkSync(marked, lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    // A file system without hard links.
    writeFileSync(lock, MARK, { flag: 'wx' });
  }
}

function isOurs(file: string): boolean {
  try {
    return readFileSync(file, 'latin1') === MARK;
  } catch {
    return false;
  }
}

function sweep(index: string): void {
  const folder = path.dirname(index);
  const left = readdirSync(folder).filter((name) => name.startsWith(`${path.basename(index)}${OURS}`));
  for (const name of left) rmSync(path.join(folder, name), { recursive: true, force: true });
}
