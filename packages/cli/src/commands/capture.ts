import path from 'node:path';
import { capture, contextError, type CaptureResult, type ContextError } from '@savepoint/core';
import { commaList, given, onlyOne } from '../arguments/values.js';
import { defineCommand } from '../face/command.js';
import { briefOf, itemsOf, savingsOf } from './capture-items.js';
import { showScan } from '../face/scan-progress.js';
import { captureView } from '../views/capture.js';

// Said as the problem that it is, not as a remark.
const UNSIGNED = /^The snapshot is not signed/;

export const captureCommand = defineCommand({
  name: 'capture',
  aliases: ['create'],
  summary: 'takes a snapshot of the worktree and the conversation',
  details: [
    'The whole worktree is recorded, wherever in it you stand, and nothing of yours is changed. Where nothing differs from the head and neither message nor tag is given, no new snapshot is made.',
    'Without `--transcript` the log of the agent that worked here in the last ten minutes is taken, if there is exactly one.',
  ],
  arguments: { message: { label: 'MESSAGE', summary: 'The same as `--message`', optional: true } },
  options: {
    message: { short: 'm', value: 'TEXT', summary: 'Say what this moment is' },
    tag: { short: 't', value: 'TAG', repeated: true, summary: 'Add a tag; may be given more than once' },
    tags: { value: 'A,B', repeated: true, summary: 'Add several tags' },
    transcript: { value: 'FILE', summary: "The agent's log that belongs to this moment" },
    'no-transcript': { summary: 'Record no conversation' },
    file: { value: 'PATH[:LINES]', repeated: true, summary: 'Add a file as an item, or lines such as `:10-20` of it' },
    image: { value: 'FILE', repeated: true, summary: 'Add an image as an item' },
    snippet: { value: 'TEXT', repeated: true, summary: 'Add a text as an item' },
    command: { value: 'CMD', repeated: true, summary: 'Run CMD with the shell and add what it writes as an item' },
    url: { value: 'URL', summary: 'Add a page as an item; `--content` has it, nothing is fetched' },
    content: { value: 'FILE', summary: 'The page that `--url` names (`-`: standard input)' },
    heuristic: { summary: 'Say that these items were found by a rule, not chosen' },
    evict: { value: 'ITEM', repeated: true, summary: 'Say that an item added by hand is before the model no more' },
    saved: {
      value: 'TOOL:BASELINE:SENT',
      repeated: true,
      summary: 'Tokens that a context tool left out; with `:ID` behind it, the same is counted once',
    },
    brief: {
      value: 'FILE',
      summary: 'Count what this text saved an agent that began with it in place of a conversation',
    },
    of: { value: 'SELECTOR', summary: 'The snapshot of that conversation; without it the head' },
    by: { value: 'AGENT:SESSION', summary: 'The run of an agent that these items and savings belong to' },
    fresh: {
      summary:
        'Read every file again, whatever earlier captures remember; begin the records anew where those of the newest snapshot are damaged',
    },
  },
  examples: [
    { command: 'savepoint capture', does: 'Take a snapshot if anything changed' },
    { command: 'savepoint capture -m "Before the refactoring" -t safe', does: 'Take one with a message and a tag' },
    { command: 'savepoint capture --file src/app.ts:10-40 --command "npm test"', does: 'Add items to the context' },
    { command: 'savepoint capture --transcript session.jsonl', does: 'Record this log with it' },
    { command: 'savepoint capture --saved lean-ctx:12000:3000:call-7', does: 'Count what a context tool left out' },
    {
      command: 'savepoint capture --brief notes.md --of 9f2c',
      does: 'Count what beginning with notes saved against reading all of that conversation again',
    },
  ],
  exitCodes: { 3: 'The snapshot was made, but leaves something out or is not signed; what and why is listed' },
  ops: { capture },
  async run({ face, arguments: words, options, ops }) {
    // Before anything is started, so that the user can stop it.
    const signal = face.interruption();
    onlyOne('capture', { MESSAGE: words.message, '--message': options.message });
    const { repository } = await face.open();
    const { transcript } = options;
    const items = itemsOf(face, options, repository.worktree.root);
    const result = await ops.capture({
      repository,
      ...given({
        message: options.message ?? words.message,
        items,
        evict: listOrNone(options.evict),
        savings: savingsOf(options.saved),
        brief: briefOf(face, options),
        by: runOf(options.by),
        tags: listOrNone([...options.tag, ...commaList(options.tags)]),
        transcript: options['no-transcript']
          ? (false as const)
          : transcript && path.resolve(face.directory, transcript),
      }),
      fresh: options.fresh,
      signal,
      progress: showScan(face),
    });
    return {
      data: result,
      changed: true,
      lines: () => captureView(result, face.layout),
      quiet: () => [result.id],
      notes: result.signer === '' ? result.notes.filter((note) => !UNSIGNED.test(note)) : result.notes,
      ...(repository.maintenance.isDue()
        ? { background: ['-C', repository.worktree.root, '--quiet', 'maintain'] }
        : {}),
      problems: problemsOf(result, repository.keys.problem()),
    };
  },
});

function runOf(by: string | undefined): { readonly agent: string; readonly id: string } | undefined {
  if (by === undefined) return undefined;
  const [, agent, id] = /^([^:]+):(.+)$/s.exec(by) ?? [];
  if (agent !== undefined && id !== undefined) return { agent, id };
  throw contextError('argument_malformed', { argument: '--by', value: by, reason: 'it has the form AGENT:SESSION' });
}

function listOrNone(tags: readonly string[]): readonly string[] | undefined {
  return tags.length === 0 ? undefined : tags;
}

function problemsOf(
  { shortId, omitted, complete, signer }: CaptureResult,
  reason = 'there is no usable key',
): readonly ContextError[] {
  return [
    ...(complete ? [] : [contextError('snapshot_incomplete', { snapshot: shortId, count: omitted.length })]),
    ...(signer === '' ? [contextError('snapshot_unsigned', { snapshot: shortId, reason })] : []),
  ];
}
