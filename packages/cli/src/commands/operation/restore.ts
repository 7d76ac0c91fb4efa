import { restore } from '@savepoint/core';
import path from 'node:path';
import { PATHS0_OPTION } from '../../arguments/definition.js';
import { commaList, count, given, onlyOne } from '../../arguments/values.js';
import { defineCommand, type Outcome } from '../../face/command.js';
import { operationOutcome } from './outcome.js';
import { OPERATION_EXIT_CODES, PLAN_OPTIONS, operationRequest } from './request.js';
import { restoreView } from '../../views/operation/restore.js';

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'brings parts of a snapshot back into the present; the timeline does not move',
  details: [
    'With paths it brings these files back; without any it merges the context of the snapshot (its task, progress, touched files, and the items of its window) into the live session, additions only, each marked with where it came from. The present is captured first, and `savepoint undo` takes it back.',
  ],
  arguments: {
    selector: { label: 'SELECTOR', summary: 'Which snapshot' },
    paths: { label: 'PATH', summary: 'Files and directories to bring back', repeated: true, afterDashes: true },
  },
  options: {
    ...PLAN_OPTIONS,
    slice: {
      value: 'NAME',
      summary:
        '`worktree` (the files), `index` (what was staged), `context` (items of the window) or `session` (task, progress, touched files)',
    },
    to: { value: 'DIR', summary: 'Write into this directory, empty or not yet there, and change nothing else' },
    git: { summary: 'First check the anchored commit out; refused where anything is not committed' },
    exact: { summary: 'Also remove files that are in no snapshot' },
    hunk: {
      value: 'N[,M]',
      summary: 'Only these hunks of one file, numbered as `savepoint diff SELECTOR -- PATH` shows them',
      repeated: true,
    },
    paths0: PATHS0_OPTION,
  },
  examples: [
    { command: 'savepoint restore 9f2c src/app.ts', does: 'Get one file back' },
    { command: 'savepoint restore 9f2c src/app.ts --hunk 2', does: 'Take one change in it back' },
    { command: 'savepoint restore "yesterday" --slice worktree --to /tmp/then', does: 'All files, written elsewhere' },
    { command: 'savepoint restore 9f2c', does: 'Merge its context into the live session' },
  ],
  exitCodes: OPERATION_EXIT_CODES,
  ops: { restore },
  async run({ face, arguments: words, options, ops }): Promise<Outcome> {
    const { slice, git, exact, plan } = options;
    const hunks = options.hunk.length === 0 ? undefined : commaList(options.hunk).map((one) => count(one, '--hunk'));
    const to = options.to === undefined ? undefined : path.resolve(face.directory, options.to);
    onlyOne('restore', { '--to': to, '--git': git });
    const request = await operationRequest(face, words.paths, options);
    const isOfFiles = slice !== undefined && slice !== 'context' && slice !== 'session';
    const touchesFiles = to === undefined && (request.paths !== undefined || isOfFiles || git);
    return operationOutcome({
      face,
      command: 'restore',
      dryRun: options['dry-run'],
      plan,
      // Without a terminal the words are the consent: they name what is to come back, and undo takes it back.
      consent: touchesFiles ? 'asked' : 'given',
      offersExact: false,
      perform: (step) =>
        ops.restore({ ...request, selector: words.selector, git, exact, ...given({ slice, to, hunks }), ...step }),
      view: restoreView,
    });
  },
});
