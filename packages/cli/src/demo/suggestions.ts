/** What to try after the demo. */
import path from 'node:path';
import type { Stage } from '../face/stage.js';
import { quoted } from './commands.js';
import type { Scratch } from './scratch.js';
import type { Suggestion } from './step.js';

export function suggestions(scratch: Scratch, stage: Stage, kept: boolean): readonly Suggestion[] {
  return [
    ...shortForm(stage),
    ...(kept
      ? [
          { command: `cd ${quoted(scratch.repository)}`, does: 'Look around in the scratch repository' },
          { command: 'savepoint diff tag:safe', does: 'See what has changed since the first snapshot' },
          { command: 'savepoint show tag:works --file ideas.md > ideas.md', does: 'Get your note back' },
        ]
      : []),
    {
      command: 'cd YOUR-PROJECT && savepoint capture',
      does: 'Take your own first snapshot; it changes nothing of yours',
    },
    { command: 'savepoint help', does: 'See all verbs' },
    ...(kept ? [{ command: `rm -rf ${quoted(scratch.folder)}`, does: 'Remove all of the demo' }] : []),
  ];
}

// Started by npx, the program has no name in the user's shell.
function shortForm({ environment, self }: Stage): readonly Suggestion[] {
  if (environment['npm_command'] !== 'exec') return [];
  const program = [self.node, path.resolve(self.program)].map(quoted).join(' ');
  return [{ command: `alias savepoint=${quoted(program)}`, does: 'Give the program its name, without npx' }];
}
