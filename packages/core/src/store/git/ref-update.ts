/** One ref update by compare-and-swap. The process can be started before it is known what it is to do. */
import path from 'node:path';
import { ContextError, contextError } from '../../base/errors.js';
import type { ObjectId } from '../../model/tree.js';
import type { RefName } from '../store.js';
import { syncDirectory } from './durable.js';
import { startGit, type GitPlace, type StartedGit } from './process.js';

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
  readonly #commonDirectory: string;

  constructor(place: GitPlace, commonDirectory: string) {
    this.#commonDirectory = commonDirectory;
    this.#started = startGit(place, {
      args: ['-c', 'core.fsync=committed,reference', 'update-ref', '--stdin', '-z'],
    });
    // Whoever applies it hears of a failure then.
    this.#started.result.catch(() => undefined);
  }

  /** @throws head_moved; store_unwritable; disk_full */
  async apply({ name, target, expected }: RefChange): Promise<void> {
    const ref = `${NAMESPACE}${name}`;
    const old = expected ?? (target === undefined ? '' : '0'.repeat(target.length));
    this.#started.input.end(target === undefined ? `delete ${ref}\0${old}\0` : `update ${ref}\0${target}\0${old}\0`);
    try {
      await this.#started.result;
    } catch (error) {
      throw isLostRace(error) ? contextError('head_moved', { ref }, error) : error;
    }
    syncDirectory(path.join(this.#commonDirectory, path.dirname(ref)));
  }

  /** Lets the process end without a change. */
  cancel(): void {
    this.#started.input.end();
  }
}

function isLostRace(error: unknown): boolean {
  if (!(error instanceof ContextError) || /Permission denied|Read-only|No space left/.test(error.message)) return false;
  return /cannot lock ref|reference already exists|unable to resolve/.test(error.message);
}
