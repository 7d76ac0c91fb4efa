/** The story of the demo: an agent takes a wrong turn, then deletes too much, and Savepoint has kept everything. */
import * as fs from 'node:fs';
import path from 'node:path';
import type { Stage } from '../face/stage.js';
import { fromRepository, runTyped, showAsJson, type Typed } from './commands.js';
import { makeScratch, runGit, type Scratch } from './scratch.js';
import { playSession, type Deed } from './session.js';
import type { Step } from './step.js';
import { suggestions } from './suggestions.js';
import { tamper } from './tamper.js';

interface Telling {
  readonly stage: Stage;
  readonly scratch: Scratch;
  readonly deeds: Generator<Deed, void>;
}

export interface DemoRequest {
  /** Where to make the scratch repository. */
  readonly directory: string | undefined;
  /** Whether it is still there after the demo. */
  readonly kept: boolean;
}

export interface Demo {
  readonly directory: string;
  /** Played as they are asked for. */
  readonly steps: AsyncIterable<Step>;
  remove(): void;
}

/** Prepares the demo. @throws git_missing; directory_unusable */
export function prepareDemo(stage: Stage, { directory, kept }: DemoRequest): Demo {
  const recording = Buffer.from(stage.shipped('demo/session.jsonl')).toString('utf8');
  const scratch = makeScratch(stage, directory);
  const deeds = playSession(scratch, recording);
  return {
    directory: scratch.folder,
    steps: tell({ stage, scratch, deeds }, kept),
    remove: () => {
      scratch.remove();
    },
  };
}

async function* tell(telling: Telling, kept: boolean): AsyncGenerator<Step, void> {
  const { folder } = telling.scratch;
  yield chapter('Savepoint in a minute');
  yield text(
    'Savepoint is a time machine for the context of coding agents. You see a recorded agent at work, and what Savepoint keeps of it. Lines with $ are what you would type.',
  );
  yield text(`It happens in ${folder}, with a key and settings of its own. Nothing of yours is read or changed.`);
  yield* record(telling);
  yield* lookBack(telling);
  yield* getBack(telling);
  yield* keepSecrets(telling);
  yield* prove(telling);
  yield* whatNext(telling, kept);
}

async function* record(telling: Telling): AsyncGenerator<Step, void> {
  yield chapter('1. An agent works, and you take snapshots');
  yield text('The project prints receipts. In it lies ideas.md, a note of yours that you never gave to git.');
  yield* play(telling, 1);
  yield text('First a snapshot: every file, the state of git, and the conversation so far.');
  yield* type(telling, ['capture', '-m', 'Before the agent', '-t', 'safe']);
  yield* play(telling, 3);
  yield text('A wrong turn. Keep that, too. (With --quiet only the id is printed.)');
  yield* type(telling, ['capture', '--quiet', '-m', 'Wrong: it joins prices', '-t', 'wrong']);
  yield* play(telling);
  yield* type(telling, ['capture', '--quiet', '-m', 'Right: it adds cents', '-t', 'works']);
  yield text('Meanwhile you write some documentation in a second worktree. It has a timeline of its own.');
  yield* type(telling, ['-C', secondWorktree(telling), 'capture', '--quiet', '-m', 'Where to start']);
  yield* play(telling);
  yield* type(telling, ['capture', '--quiet', '-m', 'Tidied up']);
}

async function* lookBack(telling: Telling): AsyncGenerator<Step, void> {
  yield chapter('2. Look back');
  yield* type(telling, ['list']);
  yield text('The timelines of both worktrees, drawn:');
  yield* type(telling, ['timeline', '--all']);
  yield text('The whole state behind one snapshot:');
  yield* type(telling, ['show', 'tag:works']);
  yield text('What turned wrong into right?');
  yield* type(telling, ['diff', 'tag:wrong', 'tag:works', '--', 'src/receipt.js']);
  yield text('What was there at a certain time? Words such as "2 hours ago" do as well.');
  const { createdAt } = await showAsJson(telling.stage, telling.scratch, 'tag:wrong');
  yield* type(telling, ['at', createdAt], { pipe: ['head', '-n', '6'] });
}

async function* getBack(telling: Telling): AsyncGenerator<Step, void> {
  yield chapter('3. Get back what git never had');
  yield text('What did the agent tidy up?');
  yield* type(telling, ['diff', 'tag:works', 'head', '--stat']);
  yield text('It removed your note, and git never had it. The snapshot does:');
  yield* type(telling, ['show', 'tag:works', '--file', 'ideas.md']);
}

async function* keepSecrets(telling: Telling): AsyncGenerator<Step, void> {
  yield chapter('4. Secrets stay out of the record');
  yield text("The agent also printed .env, so its log holds a payment key. The snapshot's copy of the log does not:");
  const pipe = ['grep', '-o', 'PAYMENT_KEY=[^\\]*'];
  yield* type(telling, ['show', 'head', '--file', 'transcript'], { pipe });
}

async function* prove(telling: Telling): AsyncGenerator<Step, void> {
  yield chapter('5. Prove that nothing was changed');
  yield* type(telling, ['verify', '--all']);
  const { scratch, stage } = telling;
  const { commit } = await showAsJson(stage, scratch, 'head');
  const { before, after, directory } = tamper(scratch, commit);
  yield text(
    `Now somebody changes one byte in a copy of the repository: ${before} becomes ${after} in the newest snapshot. verify names it:`,
  );
  yield* type(telling, ['-C', fromRepository(scratch, directory), 'verify', '--all'], { exitCode: 15 });
}

async function* whatNext({ scratch, stage }: Telling, kept: boolean): AsyncGenerator<Step, void> {
  yield chapter('Your turn');
  yield { kind: 'suggestions', commands: suggestions(scratch, stage, kept) };
  yield text(
    kept
      ? 'There you look with your own key, so the snapshots of the demo read "signer unknown".'
      : `${scratch.folder} is removed now.`,
  );
}

/** Makes a second worktree with a change in it, and returns it as one types it. */
function secondWorktree({ scratch }: Telling): string {
  const directory = path.join(scratch.folder, 'shop-docs');
  const place = { directory: scratch.repository, environment: scratch.environment };
  runGit(place, ['worktree', 'add', '--quiet', '-b', 'docs', directory]);
  fs.appendFileSync(path.join(directory, 'README.md'), 'Start with src/receipt.js.\n');
  return fromRepository(scratch, directory);
}

function chapter(title: string): Step {
  return { kind: 'chapter', title };
}

function text(sentences: string): Step {
  return { kind: 'text', text: sentences };
}

async function* type(
  { stage, scratch }: Telling,
  words: readonly string[],
  more: Omit<Typed, 'words'> = {},
): AsyncGenerator<Step, void> {
  yield await runTyped(stage, scratch, { words, ...more });
}

/** Plays on: so many deeds, or to the end of the turn. */
async function* play({ deeds }: Telling, count = Infinity): AsyncGenerator<Step, void> {
  for (let left = count; left > 0;) {
    const { value: deed, done } = deeds.next();
    if (done === true || deed.kind === 'ended') return;
    yield stepOf(deed);
    if (deed.kind !== 'said') left--;
  }
}

function stepOf(deed: Exclude<Deed, { kind: 'ended' }>): Step {
  switch (deed.kind) {
    case 'asked':
      return { kind: 'user', text: deed.text };
    case 'said':
      return { kind: 'agent', text: `"${deed.text}"` };
    case 'wrote':
      return { kind: 'agent', text: `writes ${deed.path}` };
    case 'edited':
      return { kind: 'agent', text: `edits ${deed.path}` };
    case 'ran':
      return { kind: 'agent', text: `runs ${deed.command}${outputShown(deed.output)}`, failed: deed.failed };
  }
}

// One line tells something here, more would be a wall.
function outputShown(output: string): string {
  const lines = output.trim().split('\n');
  return lines.length > 1 || lines[0] === '' ? '' : ` -> ${lines[0] ?? ''}`;
}
