/** Records what captures, rewinds, and git itself, do to a fixture's git directory and home, and to its worktree. */
import { lstatSync } from 'node:fs';
import { cleanEnvironment, gitEnvironment } from '../processes/environment.js';
import { PROGRAM, type JsonOutput } from '../processes/program.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { DiskModel, type DiskPolicy } from './disk-model.js';
import { diskOperations, type DiskOperation } from './disk-operations.js';
import type { Recording } from './power-cuts.js';
import { trace } from './system-calls.js';

export class Recorder implements Recording {
  readonly #fixture: FixtureRepository;
  readonly #part: '.' | '.git';
  readonly #before: readonly [DiskPolicy, DiskModel][];
  readonly operations: DiskOperation[] = [];
  readonly exposed: { from: number; to: number }[] = [];
  #exposedFrom: number | undefined;

  /** Everything that is there now counts as durable. The worktree, where it is watched too, may have no links. */
  constructor(fixture: FixtureRepository, watched: 'git directory' | 'worktree' = 'git directory') {
    this.#fixture = fixture;
    this.#part = watched === 'worktree' ? '.' : '.git';
    this.#before = (['posix', 'ordered'] as const).map((policy) => {
      const model = new DiskModel(policy);
      for (const root of this.roots) model.load(root);
      return [policy, model];
    });
  }

  /** What is watched. */
  get roots(): readonly string[] {
    const fixture = this.#fixture;
    return [fixture.path(this.#part), fixture.home].filter((root) => lstatSync(root).isDirectory());
  }

  readonly start = (policy: DiskPolicy): DiskModel => {
    const found = this.#before.find(([one]) => one === policy);
    if (found === undefined) throw new Error(`no model for ${policy}`);
    return found[1].copy();
  };

  /** Captures; the capture must succeed. */
  capture(...args: readonly string[]): JsonOutput {
    return this.#record(['capture', ...args], ({ id }) => id);
  }

  /** Rewinds; the rewind must succeed. What it tells is its safety snapshot. */
  rewind(...args: readonly string[]): JsonOutput {
    return this.#record(['--yes', 'rewind', ...args], ({ safety }) => safety);
  }

  #record(args: readonly string[], told: (answer: JsonOutput) => string): JsonOutput {
    const { root, home } = this.#fixture;
    const command = [process.execPath, PROGRAM, '--json', ...args];
    const { code, stdout, stderr, calls } = trace({ command, cwd: root, env: cleanEnvironment(home) });
    if (code !== 0) throw new Error(`savepoint ${args.join(' ')} ended with ${String(code)} when recorded: ${stderr}`);
    const answer = JSON.parse(stdout) as JsonOutput;
    const operations = diskOperations({ calls, cwd: root, roots: this.roots, printed: told(answer) });
    const at = operations.findIndex(({ kind }) => kind === 'acknowledge');
    if (at < 0) throw new Error('it was not seen when the id was told');
    this.#expose(this.operations.length + at + 1);
    this.operations.push(...operations);
    return answer;
  }

  /** Runs git as a user does; what it writes is as unsafe as git leaves it. */
  git(...args: readonly string[]): void {
    const { root, home } = this.#fixture;
    const { code, stderr, calls } = trace({ command: ['git', ...args], cwd: root, env: gitEnvironment(home) });
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
    this.#exposedFrom ??= this.operations.length;
    this.operations.push(...diskOperations({ calls, cwd: root, roots: this.roots }));
  }

  #expose(to: number): void {
    if (this.#exposedFrom !== undefined) this.exposed.push({ from: this.#exposedFrom, to });
    this.#exposedFrom = undefined;
  }

  /** Lets time pass: seconds, in which all is written but the content of git's objects, or as long as it takes. */
  settle(except: 'nothing' | 'objects' = 'nothing'): void {
    this.operations.push({ kind: 'settle', path: '', except });
    if (except === 'nothing') this.#expose(this.operations.length);
  }
}
