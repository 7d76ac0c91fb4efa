/** Installs and removes the pre-push guard; a hook that was there before is kept beside it and called after it. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { systemRandom } from '../../../base/clock.js';
import { ContextError } from '../../../base/errors.js';
import type { HookFiles, HookReport } from '../../../model/hook.js';
import { makeDirectory, removeQuietly } from '../system/durable.js';
import { holdLock } from '../locks/lock.js';
import { describeFormer, exists, readHook, sameHook, sameMaker } from './former-hook.js';
import { CHAINED_NAME, guardScript, readGuard, START_PROGRAM } from './guard-script.js';
import * as files from './hook-files.js';
import {
  CALL_LINE,
  callsGuard,
  findHookPlace,
  guardCopy,
  type HookPlace,
  type HookPlaceRequest,
} from './hook-place.js';

// Another run is done in a moment; only a stopped one holds it longer.
const LOCK_WAIT_MILLISECONDS = 10_000;
/** Names that hook managers move a hook to which they found; pre-commit still calls it there. */
const MOVED_NAMES = ['pre-push.legacy', 'pre-push.old'];

/** Returns the hooks of a repository. Failures to write are no errors: the report says what is not as it should be. */
export function gitHooks(request: HookPlaceRequest): HookFiles {
  const lock = path.join(request.commonDirectory, 'savepoint', 'locks', 'hooks');
  const alone = async (work: (hooks: Hooks) => HookReport): Promise<HookReport> => {
    const hooks = new Hooks(await findHookPlace(request), request.commonDirectory);
    try {
      const locked = { file: lock, random: systemRandom, waitMilliseconds: LOCK_WAIT_MILLISECONDS };
      return await holdLock(locked, async () => work(hooks));
    } catch (error) {
      return { ...hooks.report(false), problem: writeProblem(hooks.place.folder, error) };
    }
  };
  return {
    install: () => alone((hooks) => hooks.install()),
    uninstall: () => alone((hooks) => hooks.uninstall()),
    state: async () => new Hooks(await findHookPlace(request), request.commonDirectory).report(false),
  };
}

function writeProblem(folder: string, error: unknown): string {
  if (error instanceof ContextError) {
    if (error.kind !== 'refused') throw error;
    const { directory, reason } = error.data;
    return `${text(directory) ?? folder} cannot be written: ${text(reason) ?? 'there is no space left'}`;
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z]+$/.test(code)) throw error;
  return `${folder} cannot be written: ${message}`;
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

type Content = 'none' | 'guard' | 'edited' | 'other';

/** One look at, or one change of, the hooks in one place. */
class Hooks {
  readonly place: HookPlace;
  readonly #copy: string;
  readonly #defaultFolder: string;

  constructor(place: HookPlace, commonDirectory: string) {
    this.place = place;
    this.#copy = guardCopy(commonDirectory);
    this.#defaultFolder = path.join(commonDirectory, 'hooks');
  }

  get #hook(): string {
    return path.join(this.place.folder, 'pre-push');
  }

  get #chained(): string {
    return path.join(this.place.folder, CHAINED_NAME);
  }

  install(): HookReport {
    if (this.place.problem !== undefined || this.#isCalled()) return this.#offerCopy();
    files.clearTemporaries(this.place.folder);
    const content = contentOf(this.#hook);
    if (content === 'edited') return this.report(false);
    if (content === 'guard') return this.#renew();
    if (this.#movedGuard() !== undefined) return this.report(false);
    return content === 'other' ? this.#installOver() : this.#write(files.makeFolders(this.place.folder));
  }

  /** For a place that is not ours to write to: the guard lies ready, and the report names the line that calls it. */
  #offerCopy(): HookReport {
    const text = guardScript({ start: START_PROGRAM, foldersMade: 0 });
    const changed = readHook(this.#copy) !== text || !files.isExecutable(this.#copy);
    if (changed) {
      makeDirectory(path.dirname(this.#copy));
      files.writeHook(this.#copy, text);
    }
    return this.report(changed && this.#isCalled());
  }

  #renew(): HookReport {
    const standing = readHook(this.#hook) ?? '';
    const guard = readGuard(standing);
    const text = this.#text(guard?.foldersMade ?? 0);
    const current = standing === text && files.isExecutable(this.#hook);
    if (current || guard?.newer === true) return this.report(false);
    files.writeHook(this.#hook, text);
    return this.report(true);
  }

  #installOver(): HookReport {
    const problem = statSync(this.#hook, { throwIfNoEntry: false })?.isDirectory()
      ? `${this.#hook} is a folder`
      : describeFormer(this.#hook).refusal;
    if (problem !== undefined) return { ...this.report(false), problem };
    const stale = exists(this.#chained) && !sameHook(this.#hook, this.#chained);
    const aside = stale
      ? files.setAside(this.#chained, path.join(this.place.folder, 'pre-push.savepoint-former'))
      : undefined;
    const advice = describeFormer(this.#hook).advice;
    if (!exists(this.#chained)) files.keepBeside(this.#hook, this.#chained);
    const kept =
      aside && `${this.#hook} was replaced after the last \`savepoint init\`; the hook from before is kept as ${aside}`;
    return this.#write(0, [kept, advice]);
  }

  #write(foldersMade: number, notes: readonly (string | undefined)[] = []): HookReport {
    if (this.place.advice !== undefined && /savepoint\/hooks/.test(this.place.advice)) this.#offerCopy();
    files.writeHook(this.#hook, this.#text(foldersMade));
    const report = this.report(true);
    const problem = [report.problem, ...notes, this.place.advice].filter((note) => note !== undefined).join('; ');
    return problem === '' ? report : { ...report, problem };
  }

  #text(foldersMade: number): string {
    const start = exists(this.#chained) ? describeFormer(this.#chained).start : START_PROGRAM;
    return guardScript({ start, foldersMade });
  }

  uninstall(): HookReport {
    const hadCopy = exists(this.#copy);
    removeQuietly(this.#copy);
    const folders = this.place.problem === undefined ? [this.place.folder, this.#defaultFolder] : [this.#defaultFolder];
    const removed = [...new Set(folders)].map(removeGuard);
    const { problem, ...report } = this.report(hadCopy || removed.some(({ changed }) => changed));
    const left = report.installed ? (problem ?? this.#stays()) : this.#leftOver(removed);
    return left === undefined ? report : { ...report, problem: left };
  }

  #stays(): string {
    return `${this.place.problem ?? 'it could not be removed'}; take it out of ${this.#hook} yourself`;
  }

  #leftOver(removed: readonly Removal[]): string | undefined {
    const line = this.#callers().find((file) => callsGuard(readHook(file)));
    const notes = [
      ...removed.map(({ kept }) => kept),
      line && `${line} still holds the line that called the guard; it does nothing now`,
    ].filter((note) => note !== undefined);
    return notes.length === 0 ? undefined : notes.join('; ');
  }

  report(changed: boolean): HookReport {
    const content = contentOf(this.#hook);
    const ours = (content === 'guard' || content === 'edited') && files.isExecutable(this.#hook);
    const installed = ours || this.#isCalled() || this.#movedGuard() !== undefined;
    const problem = installed ? this.#flaw(content) : this.#reason();
    return {
      hook: 'pre-push',
      path: this.#hook,
      installed,
      changed,
      ...(ours && exists(this.#chained) ? { chained: this.#chained } : {}),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  #flaw(content: Content): string | undefined {
    if (content !== 'edited') return undefined;
    return `${this.#hook} was edited after it was installed, so it is left as it is; take your lines out, or remove the file and run \`savepoint init\``;
  }

  #reason(): string | undefined {
    if (this.place.problem !== undefined) {
      return `${this.place.problem}. Add this line at the beginning of the pre-push hook there: ${CALL_LINE}`;
    }
    if (contentOf(this.#hook) === 'guard') return `${this.#hook} is not executable, so git does not run it`;
    const moved = MOVED_NAMES.some((name) => contentOf(path.join(this.place.folder, name)) === 'guard');
    if (moved || exists(this.#chained)) {
      const what = exists(this.#hook) ? 'replaced by something else' : 'removed';
      return `${this.#hook} was ${what} after the guard was installed; \`savepoint init\` installs it again`;
    }
    const dead = path.join(this.#defaultFolder, 'pre-push');
    if (dead !== this.#hook && contentOf(dead) === 'guard') {
      return `core.hooksPath was set after the guard was installed, so git no longer runs ${dead}; \`savepoint init\` installs it in ${this.place.folder}`;
    }
    return undefined;
  }

  /** Another hook holds the line that calls the guard; husky's own hooks call the user's, one folder up. */
  #isCalled(): boolean {
    const called = this.#callers().some((file) => contentOf(file) === 'other' && callsGuard(readHook(file)));
    return called && files.isExecutable(this.#copy);
  }

  #callers(): readonly string[] {
    const { folder } = this.place;
    return [this.#hook, ...(path.basename(folder) === '_' ? [path.join(folder, '..', 'pre-push')] : [])];
  }

  /** pre-commit, installed later, moves a hook to this name and goes on calling it. */
  #movedGuard(): string | undefined {
    const [legacy = ''] = MOVED_NAMES.map((name) => path.join(this.place.folder, name));
    const calls = /generated by pre-commit/.test(readHook(this.#hook) ?? '');
    return calls && contentOf(legacy) === 'guard' && files.isExecutable(legacy) ? legacy : undefined;
  }
}

function contentOf(file: string): Content {
  if (!exists(file)) return 'none';
  const guard = readGuard(readHook(file) ?? '');
  return guard === undefined ? 'other' : guard.intact ? 'guard' : 'edited';
}

interface Removal {
  readonly changed: boolean;
  /** What could not be put back, for people. */
  readonly kept?: string;
}

/** Takes the guard out of a folder, under whatever name it is there, and gives that name to the hook from before. */
function removeGuard(folder: string): Removal {
  files.clearTemporaries(folder);
  const [hook, chained] = [path.join(folder, 'pre-push'), path.join(folder, CHAINED_NAME)];
  const names = [hook, ...MOVED_NAMES.map((name) => path.join(folder, name))];
  const guards = names.filter((file) => contentOf(file) === 'guard');
  const foldersMade = Math.max(0, ...guards.map((file) => readGuard(readHook(file) ?? '')?.foldersMade ?? 0));
  for (const file of guards) {
    // Moved by its own maker's newer hook, the one from before would be called twice.
    if (exists(chained) && (file === hook || !sameMaker(chained, hook))) files.putBack(chained, file);
    else removeQuietly(file);
  }
  const superseded = exists(chained) && contentOf(hook) === 'other' && sameMaker(chained, hook);
  if (superseded) removeQuietly(chained);
  files.removeFolders(folder, foldersMade);
  const changed = guards.length > 0 || superseded;
  if (!exists(chained)) return { changed };
  if (!exists(hook)) {
    files.putBack(chained, hook);
    return { changed: true };
  }
  return { changed, kept: `the hook from before the guard is still there as ${chained}` };
}
