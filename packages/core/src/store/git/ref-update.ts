/** Ref updates by compare-and-swap, all or none. The process can be started before it is known what it is to do. */
import path from 'node:path';
import { systemClock } from '../../base/clock.js';
import type { GitDialogue } from '../../base/git-command.js';
import { ContextError, contextError } from '../../base/errors.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { RefName } from '../store.js';
import { isLockedOut, waitForLocks, WAIT_MILLISECONDS } from './refs/ref-lock.js';
import { syncDirectory, writeFailure } from './system/durable.js';
import { gitProcess, type GitPlace } from './system/process.js';

/** What git says of a disk, with the words that it has for a lost race. */
const DISK = /Permission denied|Read-only|No space left|quota exceeded|Input\/output error|Too many open files/;

export const NAMESPACE = 'refs/savepoint/v1/';

export interface RefChange {
  readonly name: RefName;
  /** Undefined deletes. */
  readonly target: ObjectId | undefined;
  /** Undefined: there must be none. */
  readonly expected: ObjectId | undefined;
}

/** A git that changes refs, in any number of transactions of which each is done as a whole or not at all. */
export interface RefChanges {
  /** May be called again, until it has failed once. @throws head_moved; ref_in_the_way; ref_locked; store_unwritable; disk_full */
  apply(...changes: readonly RefChange[]): Promise<void>;
  /** Lets git end. */
  cancel(): Promise<void>;
}

export class RefUpdate implements RefChanges {
  readonly #place: GitPlace;
  readonly #commonDirectory: string;
  readonly #waitMilliseconds: number;
  readonly #dialogue: GitDialogue;

  constructor(place: GitPlace, commonDirectory: string, waitMilliseconds = WAIT_MILLISECONDS) {
    this.#place = place;
    this.#waitMilliseconds = waitMilliseconds;
    this.#commonDirectory = commonDirectory;
    this.#dialogue = gitProcess(place).open({
      args: ['-c', 'core.fsync=committed,reference', 'update-ref', '--stdin', '-z'],
    });
  }

  async apply(...changes: readonly RefChange[]): Promise<void> {
    this.#dialogue.write(`start\0${changes.map(instruction).join('')}commit\0`);
    const refs = changes.map(({ name }) => `${NAMESPACE}${name}`);
    try {
      // Each is answered when it is done.
      for (const command of ['start', 'commit']) await this.#demandAnswer(`${command}: ok`);
    } catch (error) {
      if (isLockedOut(error)) return this.#applyUnlocked(refs, changes);
      throw inTheWay(error) ?? lostRace(error, refs) ?? this.#failure(error);
    }
    try {
      this.#syncNames(refs.map((ref) => path.dirname(ref)));
    } catch (error) {
      throw writeFailure(this.#commonDirectory, error);
    }
  }

  /** git ends of a lock in its way: each try is a new one. */
  async #applyUnlocked(refs: readonly string[], changes: readonly RefChange[]): Promise<void> {
    const commonDirectory = this.#commonDirectory;
    const deadline = systemClock.now() + this.#waitMilliseconds;
    await waitForLocks({ commonDirectory, refs }, deadline);
    const left = Math.max(0, deadline - systemClock.now());
    return applyOnce(new RefUpdate(this.#place, commonDirectory, left), changes);
  }

  // git does not always say why it could not give a ref its name.
  #failure(error: unknown): unknown {
    if (!(error instanceof ContextError) || error.code !== 'git_failed') return error;
    return contextError('store_unwritable', { directory: this.#commonDirectory, reason: error.message }, error);
  }

  // All of them every time: another process may have made one a moment ago and not have synced it yet.
  #syncNames(directories: readonly string[]): void {
    const names = new Set<string>();
    for (const directory of directories) {
      for (let name = directory; name !== '.'; name = path.dirname(name)) names.add(name);
    }
    for (const name of names) syncDirectory(path.join(this.#commonDirectory, name));
    syncDirectory(this.#commonDirectory);
    // Where git keeps all refs in tables.
    syncDirectory(path.join(this.#commonDirectory, 'reftable'));
  }

  async #demandAnswer(expected: string): Promise<void> {
    const line = await this.#dialogue.line();
    if (line !== expected) throw contextError('git_failed', { command: 'update-ref', reason: line });
  }

  cancel(): Promise<void> {
    return this.#dialogue.close();
  }
}

/** Applies changes, and lets git end. @throws as `apply` */
export async function applyOnce(update: RefChanges, changes: readonly RefChange[]): Promise<void> {
  try {
    await update.apply(...changes);
  } finally {
    await update.cancel();
  }
}

function instruction({ name, target, expected }: RefChange): string {
  const ref = `${NAMESPACE}${name}`;
  const old = expected ?? (target === undefined ? '' : '0'.repeat(target.length));
  return target === undefined ? `delete ${ref}\0${old}\0` : `update ${ref}\0${target}\0${old}\0`;
}

/** Of two refs git can keep only one where the name of one is a folder of the other: no try will succeed. */
function inTheWay(error: unknown): ContextError | undefined {
  const message = error instanceof ContextError ? error.message : '';
  const [, other, ref] = /'(refs\/[^']+)' exists; cannot create '(refs\/[^']+)'/.exec(message) ?? [];
  return other === undefined || ref === undefined ? undefined : contextError('ref_in_the_way', { other, ref }, error);
}

function lostRace(error: unknown, refs: readonly string[]): ContextError | undefined {
  if (!(error instanceof ContextError) || DISK.test(error.message)) return undefined;
  if (!/cannot lock ref|reference already exists|unable to resolve/.test(error.message)) return undefined;
  const ref = refs.find((one) => error.message.includes(one)) ?? refs[0] ?? '';
  return contextError('head_moved', { ref }, error);
}
