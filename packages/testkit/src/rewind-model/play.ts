/** Plays steps in a real repository and holds every operation against the laws. */
import { diskManifest, manifestDifferences } from '../manifest.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { AgentsModel } from './script/agents-model.js';
import { restoreElsewhere } from './elsewhere.js';
import { operate } from './operate.js';
import type { OperationStep, Step, TurnStep } from './script/steps.js';
import { StoredStates } from './stored-states.js';
import type { Subject } from './subject/subject.js';
import { undoModel } from './undo-model.js';
import { actAsUser } from './user.js';
import type { World } from './world.js';

export interface Played {
  /** What broke a law, empty where all held. The first step that does ends the play. */
  readonly problems: readonly string[];
  /** Operations and captures that were carried out. */
  readonly operations: number;
}

export async function play(fixture: FixtureRepository, subject: Subject, steps: readonly Step[]): Promise<Played> {
  const stored = new StoredStates(fixture);
  const agents = new AgentsModel(fixture);
  const world: World = { fixture, subject, undos: undoModel(), agents, stored, snapshots: [], captured: new Set() };
  let operations = 0;
  try {
    await captureAll(world);
    for (const [at, step] of steps.entries()) {
      const problems = await playStep(world, step);
      if (problems === undefined) continue;
      operations += 1;
      if (problems.length > 0) {
        return { problems: problems.map((problem) => `step ${String(at)} (${step.do}): ${problem}`), operations };
      }
    }
    return { problems: [], operations };
  } finally {
    stored.close();
  }
}

async function playStep(world: World, step: Step): Promise<readonly string[] | undefined> {
  if (step.do === 'capture') return captureAll(world);
  if (step.do === 'elsewhere') return restoreElsewhere(world, step);
  if (isOperation(step)) return operate(world, step);
  if (step.do === 'turn') await playTurn(world, step);
  else actAsUser(world.fixture, step);
  return undefined;
}

function isOperation(step: Step): step is OperationStep {
  return step.do === 'rewind' || step.do === 'restore' || step.do === 'undo' || step.do === 'redo';
}

async function playTurn({ fixture, agents }: World, step: TurnStep): Promise<void> {
  await agents.play(step);
  actAsUser(fixture, { do: 'write', name: step.name, text: step.text });
}

async function captureAll({ fixture, subject, snapshots, captured, stored }: World): Promise<readonly string[]> {
  const before = diskManifest(fixture);
  const { id, unchanged } = await subject.capture();
  const { manifest: held } = await stored.of(id);
  if (!unchanged) for (const [path, { type }] of held) if (type !== 'directory') captured.add(path);
  if (snapshots.at(-1) !== id) snapshots.push(id);
  return manifestDifferences(before, held).map((line) => `the capture holds something else: ${line}`);
}
