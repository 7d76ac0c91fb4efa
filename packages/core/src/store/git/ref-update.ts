/** One ref update by compare-and-swap. The process can be started before it is known what it is to do. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import { ContextError, contextError } from '../../base/errors.js';
import type { ObjectId } from '../../model/tree.js';
import type { RefName } from '../store.js';
import { removeQuietly, syncDirectory } from './durable.js';
import { startGit, type GitPlace, type StartedGit } from './process.js';

/** So long, because `git pack-refs` takes these locks too and may have been stopped for a while. */
const STALE_LOCK_MILLISECONDS = 10 * 60 * 1000;

export const NAMESPACE = 'refs/savepoint/v1/';

export interface RefChange {
  readonly name: RefName;
  /** Undefined deletes. */
  readonly target: ObjectId | undefined;
  /** Undefined: there must be none. */
  readonly expected: ObjectId | undefined;
}

export class RefUpdate {
  readonly #started: StartedGit;
  readonly #place: GitPlace;
  readonly #commonDirectory: string;

  constructor(place: GitPlace, commonDirectory: string) {
    this.#place = place;
    this.#commonDirectory = commonDirectory;
    this.#started = startGit(place, {
      args: ['-c', 'core.fsync=committed,reference', 'update-ref', '--stdin', '-z'],
    });
    // Whoever applies it hears of a failure then.
    this.#started.result.catch(() => undefined);
  }

  /** @throws head_moved; store_unwritable; disk_full */
  async apply(change: RefChange): Promise<void> {
    const { name, target, expected } = change;
    const ref = `${NAMESPACE}${name}`;
    const directory = path.join(this.#commonDirectory, path.dirname(ref));
    const isNewDirectory = !existsSync(directory);
    const old = expected ?? (target === undefined ? '' : '0'.repeat(target.length));
    this.#started.input.end(target === undefined ? `delete ${ref}\0${old}\0` : `update ${ref}\0${target}\0${old}\0`);
    try {
      await this.#started.result;
    } catch (error) {
      if (removeStaleLock(path.join(this.#commonDirectory, `${ref}.lock`))) {
        await new RefUpdate(this.#place, this.#commonDirectory).apply(change);
        return;
      }
      throw isLostRace(error) ? contextError('head_moved', { ref }, error) : error;
    }
    syncDirectory(directory);
    if (isNewDirectory) this.#syncAbove(directory);
  }

  #syncAbove(directory: string): void {
    for (let above = directory; above.length > this.#commonDirectory.length;) {
      above = path.dirname(above);
      syncDirectory(above);
    }
  }

  /** Lets the process end, without a change if none was applied. */
  async cancel(): Promise<void> {
    this.#started.input.end();
    await this.#started.result.catch(() => undefined);
  }
}

/** Removes the lock of a git that was killed: a living one holds it for milliseconds. Nobody else writes these refs. */
function removeStaleLock(lock: string): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false });
  if (stat === undefined || systemClock.now() - stat.mtimeMs < STALE_LOCK_MILLISECONDS) return false;
  removeQuietly(lock);
  return !existsSync(lock);
}

function isLostRace(error: unknown): boolean {
  if (!(error instanceof ContextError) || /Permission denied|Read-only|No space left/.test(error.message)) return false;
  return /cannot lock ref|reference already exists|unable to resolve|remove the file manually/.test(error.message);
}
