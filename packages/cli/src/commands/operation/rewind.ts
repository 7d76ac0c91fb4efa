import { contextError, rewind, rewindPoints } from '@savepoint/core';
import { PATHS0_OPTION } from '../../arguments/definition.js';
import { count, given, onlyOne } from '../../arguments/values.js';
import { defineCommand, type Call, type Outcome } from '../../face/command.js';
import { passedOver } from '../../face/passed-over.js';
import { operationOutcome } from './outcome.js';
import { OPERATION_EXIT_CODES, PLAN_OPTIONS, operationRequest } from './request.js';
import { rewindPointsView } from '../../views/operation/rewind.js';

const DEFAULT_LIMIT = '10';

const WORDS = {
  selector: { label: 'SELECTOR', summary: 'The snapshot to go back to', optional: true },
  paths: { label: 'PATH', summary: 'Only these files and directories', repeated: true, afterDashes: true },
} as const;

const OPTIONS = {
  ...PLAN_OPTIONS,
  files: { summary: 'Only the files, not the context' },
  context: { summary: 'Only the context, not the files: the recorded window becomes that of the snapshot' },
  exact: { summary: 'Also remove files that are in no snapshot, and untracked ones from before a live session' },
  index: { summary: 'Also restore what was staged; without it your index is left as it is' },
  paths0: PATHS0_OPTION,
  list: { summary: 'Show the points one can go back to, and what each would change' },
  limit: { value: 'N', summary: `With \`--list\`: show at most N (default ${DEFAULT_LIMIT})` },
} as const;

const OPS = { rewind, rewindPoints };

export const rewindCommand = defineCommand({
  name: 'rewind',
  summary: 'makes an earlier snapshot the present, after capturing the present',
  details: [
    'First everything is captured as a safety snapshot and verified; then only what differs is changed. HEAD, branches, index and stash stay as they are. `savepoint undo` takes it back.',
    'A file is removed only if the snapshot says that it did not exist and another snapshot holds it. Ignored files and boundaries are never touched. What is kept, and why, is listed.',
    'Of the context, the recorded window is set: `show --window` then shows what the snapshot had. An agent at work keeps its own conversation, which nobody else can change; what it sends next is recorded again.',
    'In a terminal the plan is shown and you are asked; elsewhere it needs `--yes`, which never implies `--exact`.',
  ],
  arguments: WORDS,
  options: OPTIONS,
  examples: [
    { command: 'savepoint rewind --list', does: 'Where one can go back to, and what each would change' },
    { command: 'savepoint rewind 9f2c --dry-run', does: 'Every file with what would happen to it, and a token' },
    { command: 'savepoint rewind 9f2c --plan TOKEN --yes', does: 'Exactly that, or nothing' },
    { command: 'savepoint rewind "10 minutes ago" -- src', does: 'Only one directory' },
  ],
  exitCodes: {
    ...OPERATION_EXIT_CODES,
    3: `${OPERATION_EXIT_CODES[3]}; with \`--list\`: some snapshots could not be read`,
  },
  ops: OPS,
  async run(call): Promise<Outcome> {
    const { face, arguments: words, options, ops } = call;
    const { files, context, list } = options;
    onlyOne('rewind', { SELECTOR: words.selector, '--list': list });
    onlyOne('rewind', { PATH: words.paths, '--list': list });
    onlyOne('rewind', { '--files': files, '--context': context });
    if (list) return points(call);
    // Who names a limit means to look; without `--list` everything would be rewound.
    if (options.limit !== undefined) throw contextError('argument_missing', { command: 'rewind', argument: '--list' });
    const { selector } = words;
    if (selector === undefined) throw contextError('argument_missing', { command: 'rewind', argument: 'SELECTOR' });
    const { exact, index } = options;
    const part = files ? ('files' as const) : context ? ('context' as const) : undefined;
    const request = { ...(await operationRequest(face, words.paths, options)), selector, index, ...given({ part }) };
    return operationOutcome({
      face,
      command: 'rewind',
      dryRun: options['dry-run'],
      plan: options.plan,
      consent: 'demanded',
      offersExact: !exact,
      perform: (step) => ops.rewind({ ...request, exact, ...step }),
    });
  },
});

async function points({ face, options, ops }: Call<typeof WORDS, typeof OPTIONS, typeof OPS>): Promise<Outcome> {
  const limit = count(options.limit ?? DEFAULT_LIMIT, '--limit');
  const { repository } = await face.open();
  const result = await ops.rewindPoints({ repository, limit });
  return {
    data: result,
    lines: () => rewindPointsView(result, face.layout, repository.clock.now()),
    problems: passedOver(result.unreadable),
  };
}
