/** The note for the agent whose files an operation changed: facts only, so that it does not work from what is gone. */
import { counted, grouped } from '../../base/counted.js';
import { fromRepoPath, toRepoPath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import type { ContextCount, ContextKind, FileOutcome, OperationBody } from '../../model/operation.js';

/** More paths than this are counted, not named. */
const NAMED = 20;

const VERBS: Readonly<Record<OperationBody['kind'], string>> = {
  rewind: 'rewound',
  restore: 'restored',
  undo: 'put back by an undo',
  redo: 'rewound again by a redo',
};

export type NotedOperation = Pick<
  OperationBody,
  'id' | 'kind' | 'at' | 'target' | 'safety' | 'options' | 'files' | 'kept' | 'of' | 'context'
>;

/** Returns the sentences: what happened, from where to where, what changed, what did not. */
export function operationNote(operation: NotedOperation): string {
  const { at, safety, options, files, kept = 0 } = operation;
  const lines = [
    `At ${at} ${happened(operation)}. What was there before is in the snapshot ${shortId(safety)}.`,
    ...contextLines(operation),
    ...told('Written', files, ({ action }) => action === 'write'),
    ...told('Removed', files, ({ action }) => action === 'delete'),
    ...told('Only the mode changed', files, ({ action }) => action === 'mode'),
    ...told('Not restored', files, ({ action }) => action === 'skip' || action === 'conflict'),
  ];
  if (kept > 0) lines.push(`Ignored paths and boundaries were left as they were (${String(kept)}).`);
  if (files.length === 0 && options.files) lines.push(kept > 0 ? 'No other file differed.' : 'No file differed.');
  return lines.join('\n');
}

function happened({ kind, target, options, of }: NotedOperation): string {
  const again = of === undefined ? '' : ` (operation ${of.slice(0, 12)})`;
  if (options.merge !== undefined) {
    const what = `the context of the snapshot ${shortId(target)} was added to the present one`;
    return `${what}${again}; nothing was removed or replaced`;
  }
  const parts = subjects(options);
  const were = parts.length < 2 && (!options.files || options.paths?.length === 1) ? 'was' : 'were';
  return `${joined(parts)} ${were} ${VERBS[kind]} to the snapshot ${shortId(target)}${again}`;
}

const CONTEXT_WORDS: Readonly<Record<ContextKind, readonly [one: string, more: string]>> = {
  task: ['task', 'tasks'],
  item: ['item', 'items'],
  touched: ['touched file', 'touched files'],
  progress: ['step of progress', 'steps of progress'],
};

function contextLines({ kind, options, context = [] }: NotedOperation): readonly string[] {
  if (context.length === 0) return options.merge === undefined ? [] : ['All of it was there already.'];
  const lines = (['add', 'remove'] as const).flatMap((action) => {
    const parts = context
      .filter((one) => one.action === action)
      .map((one) => counted(one.count, ...CONTEXT_WORDS[one.kind]));
    return parts.length === 0 ? [] : [`${titleOf({ kind, options }, action)}: ${parts.join(', ')}.`];
  });
  return options.merge === undefined && (kind === 'rewind' || kind === 'redo') ? [...lines, LIVE_WINDOW] : lines;
}

/** What is set is what is recorded: a program that runs keeps the conversation that it sends. */
const LIVE_WINDOW =
  'Only the recorded window was set: what an agent at work here has in its own conversation stays there, and its next request is recorded as its window again.';

function titleOf({ kind, options }: Pick<NotedOperation, 'kind' | 'options'>, action: ContextCount['action']): string {
  if (options.merge !== undefined) return 'Added';
  if (action === 'add') return 'Back in the window';
  return kind === 'undo' ? 'Taken back out of the context' : 'Out of the window';
}

function subjects({ files, context, index, paths }: OperationBody['options']): readonly string[] {
  return [
    ...(files ? [paths === undefined ? 'the files of this worktree' : counted(paths.length, 'named path')] : []),
    ...(index ? ['the staged tree'] : []),
    ...(context ? ['the context'] : []),
  ];
}

function joined(parts: readonly string[]): string {
  if (parts.length === 0) return 'nothing';
  return [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ');
}

function told(title: string, files: readonly FileOutcome[], fits: (file: FileOutcome) => boolean): string[] {
  const fitting = files.filter(fits);
  if (fitting.length === 0) return [];
  const names = fitting.slice(0, NAMED).map((file) => {
    const { path } = toRepoPath(fromRepoPath(file));
    const name = JSON.stringify(path).slice(1, -1);
    return file.reason === undefined ? name : `${name} (${file.reason.replaceAll('_', ' ')})`;
  });
  const more = fitting.length > NAMED ? ` and ${grouped(fitting.length - NAMED)} more` : '';
  return [`${title}: ${names.join(', ')}${more}.`];
}
