/** Ends an interrupted rewind by the library's own `recover`, and judges the disk after it: one of two trees, nothing lost. */
import { asContextError, openRepository, operations, recover, rewind, type Repository } from '@savepoint/core';
import { gitEnvironment } from '../../processes/environment.js';
import { diskManifest, manifestDifferences, snapshotManifest } from '../../manifest.js';
import { untilNobodyWorksIn } from '../../power/recovery.js';
import { storedSnapshots } from '../../stored.js';
import { startNumbered, type NumberedCall } from '../numbered-calls.js';
import { armOwnCalls } from '../own-calls.js';
import type { TornTree } from '../torn-tree.js';
import { below, imageDifferences, ImageDisk, isSameNode, type DiskImage } from './disk-image.js';
import { recordCalls, type RunRecording } from './recording.js';

export interface StateVerdict {
  /**
   * `before`, `after` and `partial` (what was left out was told): nothing was open, and that is what the tree was. `held`:
   * the failure left a lock of a process that lives, this one; only a process of its own can be judged.
   */
  readonly outcome: 'before' | 'after' | 'partial' | 'completed' | 'rolled back' | 'held' | 'neither';
  readonly problems: readonly string[];
}

export interface FailedVerdict extends StateVerdict {
  readonly told: string;
  /** The call that failed, if it was reached. */
  readonly struck?: string;
  readonly count: number;
}

/** How a rewind ended that was not killed. */
interface Ending {
  readonly told: string;
  readonly done: boolean;
  /** Paths that it says it left as they were. */
  readonly left: readonly string[];
  readonly problems: readonly string[];
}

const MOST_LINES = 4;
/** Of the git directory and the home: what is not the user's. */
const OWN =
  /^(?:\.git\/(?:objects|savepoint|refs\/savepoint|logs\/refs\/savepoint)|\.(?:config|cache)\/savepoint)(?:\/|$)/;
const isGit = (path: string): boolean => path === '.git' || path.startsWith('.git/');

export class StateTrial {
  readonly recording: RunRecording;
  readonly #tree: TornTree;
  readonly #disk: ImageDisk;
  readonly #before: DiskImage;
  readonly #after: DiskImage;
  /** Tree and record of the snapshot that holds everything as it was before; every run makes the same two. */
  readonly #safety: readonly string[];

  private constructor(tree: TornTree, recording: RunRecording, safety: readonly string[]) {
    const { root } = tree.fixture;
    this.#tree = tree;
    this.recording = recording;
    this.#safety = safety;
    this.#disk = new ImageDisk(recording.roots);
    this.#before = below(recording.first, root, isGit);
    this.#after = below(this.#disk.look(), root, isGit);
  }

  /** Records the rewind once. @throws Error where it does not do by itself what it should */
  static async record(tree: TornTree, args: readonly string[]): Promise<StateTrial> {
    const { fixture } = tree;
    tree.reset();
    const recording = await recordCalls(fixture, args, [fixture.root, fixture.home, fixture.beside]);
    const { safety } = JSON.parse(recording.stdout) as { readonly safety: string };
    const commit = storedSnapshots(fixture).find(({ id }) => id === safety)?.commit ?? '';
    const wrong = [
      ...manifestDifferences(tree.after, diskManifest(fixture)),
      ...manifestDifferences(tree.before, snapshotManifest(fixture, commit)),
    ];
    if (recording.code !== 0 || wrong.length > 0) throw new Error(`undisturbed: ${wrong.join('\n')}`);
    const parts = ['worktree', 'filesystem.json'].map((name) => fixture.git('rev-parse', `${commit}:${name}`));
    return new StateTrial(tree, recording, parts);
  }

  /** Makes the disk what a kill left, and recovers. */
  async recoverFrom(image: DiskImage, rollBack: boolean): Promise<StateVerdict> {
    this.#disk.become(image);
    return this.#judge(image, rollBack);
  }

  /** Kills the real program at a call, lets what it started come to its end, and recovers. */
  async killAndRecover(args: readonly string[], call: NumberedCall, rollBack: boolean): Promise<StateVerdict> {
    const { fixture } = this.#tree;
    this.#disk.become(this.recording.first);
    await startNumbered(fixture, args, call).end;
    await untilNobodyWorksIn(fixture.base);
    return this.#judge(this.#disk.look(), rollBack);
  }

  /** Lets one call of a rewind in this process fail, and recovers where it is left open. */
  async failAndRecover(call: NumberedCall, rollBack: boolean): Promise<FailedVerdict> {
    const { fixture, target } = this.#tree;
    this.#disk.become(this.recording.first);
    const calls = armOwnCalls({ ...call, below: fixture.base });
    const ending = await this.#rewind(target).finally(calls.disarm);
    const { struck, count } = calls.disarm();
    await untilNobodyWorksIn(fixture.base);
    const { outcome, problems } = await this.#judge(this.recording.first, rollBack, ending);
    const all = [...ending.problems, ...problems];
    return { outcome, problems: all, told: ending.told, count, ...(struck !== undefined && { struck }) };
  }

  async #rewind(selector: string): Promise<Ending> {
    try {
      const work = (repository: Repository) => rewind({ repository, selector, exact: true });
      const { partial, files } = await this.#within(work);
      const left = files.filter(({ reason }) => reason !== undefined && reason !== 'ignored').map(({ path }) => path);
      return { told: partial ? 'partial' : 'done', done: true, left, problems: [] };
    } catch (error) {
      const { code, kind, hint, message, stack = '' } = asContextError(error);
      const isClear = hint !== undefined && kind !== 'internal';
      const problems = isClear ? [] : [`no clear error: ${code}: ${message} ${stack}`];
      return { told: code, done: false, left: [], problems };
    }
  }

  async #judge(image: DiskImage, rollBack: boolean, ending?: Ending): Promise<StateVerdict> {
    const problems: string[] = [];
    const note = (what: string, lines: readonly string[]): void => {
      problems.push(...lines.slice(0, MOST_LINES).map((line) => `${what}: ${line}`));
      if (lines.length > MOST_LINES) problems.push(`${what}: and ${String(lines.length - MOST_LINES)} more`);
    };
    const done = await this.#recover(rollBack);
    if (typeof done !== 'string') return done;
    const now = this.#disk.look();
    const found = below(now, this.#tree.fixture.root, isGit);
    const outcome = done === 'nothing' ? this.#standing(found, ending) : done;
    const expected = outcome === 'after' || outcome === 'completed' ? this.#after : this.#before;
    if (outcome !== 'partial') note(outcome, imageDifferences(expected, found));
    const isDone = outcome === 'after' || outcome === 'partial';
    if (done === 'nothing' && ending !== undefined && isDone !== ending.done)
      problems.push(`it told ${ending.told}, and the tree is ${outcome}`);
    note('the world changed', this.#changedWorld(image, now));
    note('the store', this.#lostContent(found));
    const left = [...now].filter(([path, { type }]) => type === 'file' && path.includes('/savepoint/restores/'));
    if (done !== 'nothing')
      note(
        'left in the git directory',
        left.map(([path]) => path),
      );
    if (outcome === 'completed') note('the record', await this.#recordProblems());
    return { outcome, problems };
  }

  async #recover(rollBack: boolean): Promise<'nothing' | 'completed' | 'rolled back' | StateVerdict> {
    const neither = (problem: string): StateVerdict => ({ outcome: 'neither', problems: [problem] });
    try {
      const { outcome, left } = await this.#within((repository) => recover({ repository, rollBack }));
      if (left.length > 0) return neither(`recover left ${left.map(({ path }) => path).join(', ')}`);
      return outcome === 'rolled_back' ? 'rolled back' : outcome;
    } catch (error) {
      const { code, kind, message, stack = '' } = asContextError(error);
      if (kind === 'locked') return { outcome: 'held', problems: [] };
      return neither(`recover: ${code}: ${message} ${code === 'invariant_broken' ? stack : ''}`);
    }
  }

  async #within<T>(work: (repository: Repository) => Promise<T>): Promise<T> {
    const { root: directory, home } = this.#tree.fixture;
    const { repository } = await openRepository({ directory, env: gitEnvironment(home), home });
    try {
      return await work(repository);
    } finally {
      await repository.close();
    }
  }

  #standing(found: DiskImage, ending: Ending | undefined): StateVerdict['outcome'] {
    if (imageDifferences(this.#before, found).length === 0) return 'before';
    if (imageDifferences(this.#after, found).length === 0) return 'after';
    return ending !== undefined && ending.left.length > 0 && this.#isAllButLeft(found, ending.left)
      ? 'partial'
      : 'neither';
  }

  /** Tells whether what it says it left is as it was, and all else as asked. */
  #isAllButLeft(found: DiskImage, left: readonly string[]): boolean {
    const isLeft = (path: string): boolean => left.some((one) => path === one || path.startsWith(`${one}/`));
    const paths = new Set([...found.keys(), ...this.#before.keys(), ...this.#after.keys()]);
    return [...paths].every((path) =>
      isSameNode(found.get(path), (isLeft(path) ? this.#before : this.#after).get(path)),
    );
  }

  /** Nothing of the user's but the files that the rewind is about, and of these no time of one that stays as it is. */
  #changedWorld(image: DiskImage, now: DiskImage): readonly string[] {
    const { root, home } = this.#tree.fixture;
    const isTheirs = (path: string): boolean => {
      const relative = path.replace(`${root}/`, '').replace(`${home}/`, '');
      if (OWN.test(relative)) return false;
      if (isGit(relative) || !path.startsWith(`${root}/`)) return true;
      const node = this.#before.get(relative);
      return node !== undefined && isSameNode(node, this.#after.get(relative));
    };
    const isSame = (path: string): boolean => {
      const [was, is] = [image.get(path), now.get(path)];
      if (!isSameNode(was, is)) return false;
      return was?.type !== 'file' || Math.abs(was.modified - (is?.modified ?? 0)) < 1e-5;
    };
    return [...new Set([...image.keys(), ...now.keys()])].filter((path) => isTheirs(path) && !isSame(path));
  }

  /** All that the refs reach is there; where the tree is another, the snapshot of it as it was is among that. */
  #lostContent(found: DiskImage): readonly string[] {
    const args = ['rev-list', '--objects', '--glob=refs/savepoint'];
    const { code, stdout, stderr } = this.#tree.fixture.run({ args, accept: 'any' });
    if (code !== 0) return [stderr];
    if (imageDifferences(this.#before, found).length === 0) return [];
    if (this.#safety.every((part) => stdout.includes(part))) return [];
    return ['LOST: no ref reaches the safety snapshot'];
  }

  async #recordProblems(): Promise<readonly string[]> {
    const { operations: done, problems, open } = await this.#within((repository) => operations({ repository }));
    const isOne = done.length === 1 && done[0]?.kind === 'rewind' && problems.length === 0 && !open;
    return isOne ? [] : [`there should be one operation: ${JSON.stringify({ done, problems, open })}`];
  }
}
