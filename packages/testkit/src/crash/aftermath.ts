/** What must hold after a rewind that was torn: one of two trees, no byte lost, and the next commands work. */
import { existsSync, readdirSync } from 'node:fs';
import { diskManifest, manifestDifferences, snapshotManifest, type Manifest } from '../manifest.js';
import { differences, observe, type Observation } from '../observation.js';
import { untilNobodyWorksIn } from '../power/recovery.js';
import { savepoint, type ErrorOutput, type JsonOutput, type ProgramAnswer } from '../processes/program.js';
import { auditStore, storedSnapshots } from '../stored.js';
import type { TornTree } from './torn-tree.js';

export interface EndedRun {
  readonly code: number;
  readonly signal?: NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Aftermath {
  /** `before` and `after`: nothing was open, and that is what the tree was. The others: what `recover` did. */
  readonly outcome: 'before' | 'after' | 'partial' | 'completed' | 'rolled back';
  /** How the run ended: by a signal, with a result, or with an error. */
  readonly told: string;
  readonly problems: readonly string[];
}

export interface InspectOptions {
  /** What is open is rolled back; otherwise it is completed. */
  readonly rollBack: boolean;
  /** What was there before. */
  readonly world: Observation;
}

const MOST_LINES = 4;
/** Less than a capture waits for another one; it must not wait for a rewind at all. */
const WAITED_MILLISECONDS = 60_000;

/** Inspects and repairs, as the user would with the next commands. */
export async function inspect(tree: TornTree, run: EndedRun, { rollBack, world }: InspectOptions): Promise<Aftermath> {
  await untilNobodyWorksIn(tree.fixture.base);
  const inspection = new Inspection(tree);
  const told = inspection.demandClearEnd(run);
  const outcome = await inspection.settle(run, rollBack);
  inspection.demandNothingLost();
  inspection.demandSameWorld(world);
  await inspection.demandNextCommands(outcome);
  return { outcome, told, problems: inspection.problems };
}

/** Returns what is wrong while the rewind is stopped in the middle: others must be kept out. */
export async function whileItLives(tree: TornTree): Promise<readonly string[]> {
  const { fixture, target } = tree;
  const place = { cwd: fixture.root, home: fixture.home };
  const known = storedSnapshots(fixture).length;
  // Before its journal is there, nobody has to be kept out.
  if (!(await openState(tree)).open) return [];
  const [other, capture] = await Promise.all([
    savepoint(['--json', '--yes', 'rewind', target], { ...place, killAfter: WAITED_MILLISECONDS }),
    savepoint(['--json', 'capture'], { ...place, killAfter: WAITED_MILLISECONDS }),
  ]);
  const problems: string[] = [];
  if (other.code !== 11) problems.push(`a rewind beside a living one: ${describeEnd(other)}`);
  if (capture.code !== 11) problems.push(`a capture beside a living rewind: ${describeEnd(capture)}`);
  if (storedSnapshots(fixture).length !== known) problems.push('a snapshot was made beside a living rewind');
  return problems;
}

async function openState({ fixture }: TornTree): Promise<{ readonly open: boolean; readonly count: number }> {
  const answer = await savepoint(['--json', 'operations'], { cwd: fixture.root, home: fixture.home });
  const { open, operations } = answer.json() as unknown as { open: boolean; operations: readonly unknown[] };
  return { open, count: operations.length };
}

function describeEnd({ code, signal, stderr }: EndedRun): string {
  return signal === undefined ? `exit ${String(code)} ${stderr.slice(0, 500)}` : `ended by ${signal}`;
}

class Inspection {
  readonly #tree: TornTree;
  readonly problems: string[] = [];

  constructor(tree: TornTree) {
    this.#tree = tree;
  }

  #run(...args: readonly string[]): Promise<ProgramAnswer> {
    const { root: cwd, home } = this.#tree.fixture;
    return savepoint(['--json', ...args], { cwd, home });
  }

  /** Whoever was not killed says what happened. */
  demandClearEnd(run: EndedRun): string {
    if (run.signal !== undefined) return run.signal;
    if (run.code === 0 || run.code === 3) return `exit ${String(run.code)}`;
    const error = parse<{ readonly error?: ErrorOutput }>(run.stderr)?.error;
    const isClear = error?.hint !== undefined && error.kind !== 'internal' && run.stdout === '';
    if (!isClear) this.problems.push(`no clear error: ${describeEnd(run)}`);
    return `exit ${String(run.code)} ${error?.code ?? ''}`;
  }

  /** Recovers what is open, and demands that the tree is exactly what it has to be. */
  async settle(run: EndedRun, rollBack: boolean): Promise<Aftermath['outcome']> {
    const { before, after } = this.#tree;
    const { open } = await openState(this.#tree);
    if (!open) return this.#settled(run);
    if (run.code === 0) this.problems.push('it said that it was done, and is open');
    await this.#demandClosedDoors();
    const answer = await this.#run('recover', ...(rollBack ? ['--roll-back'] : []));
    const outcome = parse<{ readonly outcome?: string }>(answer.stdout)?.outcome;
    if (answer.code !== 0 || outcome !== (rollBack ? 'rolled_back' : 'completed'))
      this.problems.push(`recover: ${describeEnd(answer)} ${answer.stdout.slice(0, 600)}`);
    this.#demandTree(rollBack ? 'rolled back' : 'completed', rollBack ? before : after);
    return rollBack ? 'rolled back' : 'completed';
  }

  #settled(run: EndedRun): Aftermath['outcome'] {
    const { before, after } = this.#tree;
    const found = diskManifest(this.#tree.fixture);
    const isThat = (manifest: Manifest): boolean => manifestDifferences(manifest, found).length === 0;
    if (isThat(after)) return this.#agrees(run, 'after');
    if (isThat(before)) return this.#agrees(run, 'before');
    if (run.code === 3) return this.#demandListed(run, found);
    this.#demandTree('nothing is open', before);
    this.#demandTree('nothing is open', after);
    return 'partial';
  }

  // A success with the tree of before is none; an error with that of after was to change nothing.
  #agrees({ code, signal }: EndedRun, outcome: 'before' | 'after'): Aftermath['outcome'] {
    const isDone = code === 0 || code === 3;
    if (signal === undefined && isDone !== (outcome === 'after'))
      this.problems.push(`exit ${String(code)}, and the tree is that of ${outcome}`);
    return outcome;
  }

  /** What was left out has to be named, and all else has to be as asked. */
  #demandListed({ stdout }: EndedRun, found: Manifest): 'partial' {
    const { before, after } = this.#tree;
    const files = parse<JsonOutput>(stdout)?.files ?? [];
    const left = new Set(files.filter(({ reason }) => reason !== undefined).map(({ path }) => path));
    const isLeft = (path: string): boolean => [...left].some((one) => path === one || path.startsWith(`${one}/`));
    const [expected, actual] = [after, found].map(
      (manifest) => new Map([...manifest].filter(([path]) => !isLeft(path))),
    );
    if (expected !== undefined && actual !== undefined) this.#note('in part', manifestDifferences(expected, actual));
    const kept = [...before].filter(([path]) => isLeft(path));
    const changed = kept.filter(([path, entry]) => JSON.stringify(found.get(path)) !== JSON.stringify(entry));
    this.#note(
      'left out and changed',
      changed.map(([path]) => path),
    );
    return 'partial';
  }

  #demandTree(what: string, expected: Manifest): void {
    this.#note(what, manifestDifferences(expected, diskManifest(this.#tree.fixture)));
  }

  #note(what: string, lines: readonly string[]): void {
    this.problems.push(...lines.slice(0, MOST_LINES).map((line) => `${what}: ${line}`));
    if (lines.length > MOST_LINES) this.problems.push(`${what}: and ${String(lines.length - MOST_LINES)} more`);
  }

  async #demandClosedDoors(): Promise<void> {
    const { target } = this.#tree;
    const before = observe(this.#tree.fixture);
    for (const args of [['capture'], ['--yes', 'rewind', target], ['--yes', 'undo']]) {
      const answer = await this.#run(...args);
      if (answer.code !== 18) this.problems.push(`${args.join(' ')} beside an open one: ${describeEnd(answer)}`);
    }
    this.#note('a refused command changed', differences(before, observe(this.#tree.fixture)));
  }

  /** What is not on the disk as it was is in a snapshot, every byte of it; read with plain git. */
  demandNothingLost(): void {
    const { fixture, before } = this.#tree;
    const gone = missingFrom(before, diskManifest(fixture));
    if (gone.size === 0) return;
    const left = storedSnapshots(fixture).map(({ commit }) => missingFrom(gone, snapshotManifest(fixture, commit)));
    const fewest = left.sort((a, b) => a.size - b.size)[0] ?? gone;
    this.#note('LOST: no snapshot holds', [...fewest.keys()]);
  }

  /** Refs, index, HEAD, ignored files, the places beside: all but the files that a rewind is about. */
  demandSameWorld(world: Observation): void {
    const { fixture, before, after } = this.#tree;
    const known = new Set([...before.keys(), ...after.keys()].flatMap((path) => [path, `${path}/`]));
    const isTheirs = (name: string): boolean => name === 'worktree ' || known.has(name.replace(/^worktree /, ''));
    const rest = (seen: Observation): Observation => new Map([...seen].filter(([name]) => !isTheirs(name)));
    this.#note('the world changed', differences(rest(world), rest(observe(fixture))));
  }

  async demandNextCommands(outcome: Aftermath['outcome']): Promise<void> {
    const { fixture, before, after, target } = this.#tree;
    const verified = await this.#run('verify', '--all', '--deep');
    if (verified.code !== 0) this.problems.push(`verify: ${describeEnd(verified)} ${verified.stdout.slice(0, 600)}`);
    this.#note('the store', auditStore(fixture));
    const { count } = await openState(this.#tree);
    // What was done is an operation that can be taken back, and brings every byte.
    if (count > 0 && (outcome === 'after' || outcome === 'completed')) {
      const undone = await this.#run('--yes', 'undo');
      if (undone.code !== 0) this.problems.push(`undo: ${describeEnd(undone)}`);
      this.#demandTree('undone', before);
    }
    const next = await this.#run('capture', '-m', 'after all');
    const made = storedSnapshots(fixture).find(({ body }) => body.message === 'after all');
    if (next.code !== 0 || made === undefined) this.problems.push(`the next capture: ${describeEnd(next)}`);
    else
      this.#note(
        'the next capture',
        manifestDifferences(diskManifest(fixture), snapshotManifest(fixture, made.commit)),
      );
    const again = await this.#run('--yes', 'rewind', target, '--exact');
    if (again.code !== 0) this.problems.push(`the same rewind again: ${describeEnd(again)}`);
    this.#demandTree('the same rewind again', after);
    // Whoever died before the journal had its name leaves its beginning, which the next operation takes away.
    this.#note('left in the git directory', journalFiles(fixture.path('.git/savepoint/restores')));
  }
}

function missingFrom(wanted: Manifest, found: Manifest): Manifest {
  const isThere = (path: string, entry: unknown): boolean => JSON.stringify(found.get(path)) === JSON.stringify(entry);
  return new Map([...wanted].filter(([path, entry]) => !isThere(path, entry)));
}

function journalFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function parse<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
