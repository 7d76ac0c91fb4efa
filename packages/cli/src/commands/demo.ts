import path from 'node:path';
import type { Step } from '../demo/step.js';
import { prepareDemo, type Demo } from '../demo/story.js';
import { defineCommand, type Face, type Outcome } from '../face/command.js';
import { demoText } from '../views/demo.js';

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'plays a recorded agent session into a scratch repository and looks back on it',
  details: [
    'The scratch repository has a home, a key and settings of its own: nothing of yours is read or changed. It is kept, for you to look around in, unless `--remove` is given.',
  ],
  arguments: {},
  options: {
    dir: {
      value: 'DIR',
      summary: 'Make it in DIR, which has to be empty or new; without it in a new temporary directory',
    },
    remove: { summary: 'Remove it at the end' },
  },
  examples: [
    { command: 'savepoint demo', does: 'See in a minute what Savepoint does' },
    { command: 'savepoint demo --dir ~/savepoint-demo', does: 'Keep it in a place of your choice' },
  ],
  ops: {},
  async run({ face, options: { dir, remove } }): Promise<Outcome> {
    const demo = prepareDemo(face.stage, {
      directory: dir === undefined ? undefined : path.resolve(face.directory, dir),
      kept: !remove,
    });
    const told = { demo, remove };
    if (!face.globals.json && !face.globals.quiet)
      return { data: undefined, lines: () => [], bytes: asText(told, face) };
    const steps: Step[] = [];
    for await (const step of stepsOf(told)) steps.push(step);
    return {
      data: { directory: demo.directory, removed: remove, steps },
      lines: () => (remove ? [] : [demo.directory]),
    };
  },
});

interface Told {
  readonly demo: Demo;
  readonly remove: boolean;
}

async function* asText(told: Told, face: Face): AsyncGenerator<Uint8Array, void> {
  const text = demoText(face.layout, face.stage.colours);
  for await (const step of stepsOf(told)) yield Buffer.from(text(step));
}

async function* stepsOf({ demo, remove }: Told): AsyncGenerator<Step, void> {
  try {
    yield* demo.steps;
  } finally {
    if (remove) demo.remove();
  }
}
