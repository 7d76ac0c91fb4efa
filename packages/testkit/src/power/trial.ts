/** Tries power cuts one after the other on the fixture that was recorded, and names the least loss that does harm. */
import { join } from 'node:path';
import { fsckComplaints } from '../fsck.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { describeLosses, diskAfter, milderCuts, type PowerCut } from './power-cuts.js';
import type { Recorder } from './recording.js';
import { brokenPromises, Keepsake, putBack } from './recovery.js';

export interface Violation {
  readonly cut: PowerCut;
  readonly problems: readonly string[];
  /** What was lost, as little as does harm. */
  readonly losses: readonly string[];
  /** The last things that were done before the cut. */
  readonly before: readonly string[];
}

/** Returns what does not hold on the disk that a cut left. */
export type Check = (cut: PowerCut) => Promise<readonly string[]>;

export class PowerTrial {
  readonly #fixture: FixtureRepository;
  readonly #recorder: Recorder;
  readonly #keepsake: Keepsake;
  readonly #complaints: readonly string[];
  readonly #first: Check;

  /** Begins when the recording is complete. `first` looks at a disk before the next capture is made on it. */
  constructor(fixture: FixtureRepository, recorder: Recorder, first: Check = () => Promise.resolve([])) {
    this.#first = first;
    this.#fixture = fixture;
    this.#recorder = recorder;
    this.#keepsake = new Keepsake(join(fixture.base, 'kept'), recorder.roots);
    this.#complaints = fsckComplaints(fixture);
  }

  /** Resolves with what does not hold after a cut; `search` looks for a milder cut that does the same harm. */
  async try(cut: PowerCut, search: boolean): Promise<Violation | undefined> {
    let problems = await this.#problems(cut);
    if (problems.length === 0) return undefined;
    let worst = cut;
    for (let milder = search; milder;) {
      milder = false;
      for (const candidate of milderCuts(worst)) {
        const found = await this.#problems(candidate);
        if (found.length === 0) continue;
        [worst, problems, milder] = [candidate, found, true];
        break;
      }
    }
    return { cut: worst, problems, losses: describeLosses(this.#recorder, worst), before: this.#before(worst) };
  }

  async #problems(cut: PowerCut): Promise<readonly string[]> {
    putBack(diskAfter(this.#recorder, cut), this.#recorder.roots, this.#keepsake);
    const found = await this.#first(cut);
    const broken = await brokenPromises({
      fixture: this.#fixture,
      acknowledged: cut.acknowledged,
      complaints: this.#complaints,
    });
    return [...found, ...broken];
  }

  #before({ after }: PowerCut): readonly string[] {
    return this.#recorder.operations
      .slice(0, after)
      .filter(({ kind }) => !['seek', 'advance', 'open'].includes(kind))
      .slice(-6)
      .map((operation) => `${operation.kind} ${operation.path}${'to' in operation ? ` ${operation.to}` : ''}`);
  }
}
