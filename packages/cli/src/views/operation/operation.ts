/** Text of rewind, restore, undo and redo: the plan before, what was done after, in the same words. */
import type { ContextChange, FileReason, OperationResult, ReportedFile } from '@savepoint/core';
import { styled, type Layout, type Line, type Style } from '../../terminal/line.js';
import { labelled } from '../../terminal/table.js';
import { clockTime, counted, separator, shortId, size, subject } from '../words/wording.js';

/** More paths of one kind that are left alone by design are counted, not listed; `--json` has them all. */
const LISTED_BY_DESIGN = 20;

const BY_DESIGN: Readonly<Partial<Record<FileReason, string>>> = {
  ignored: 'ignored',
  submodule: 'submodule',
  repository: 'repository of its own',
  special: 'special file',
  sparse: 'outside the sparse cone',
};

export function planView(result: OperationResult, layout: Layout): readonly Line[] {
  return [
    ['Plan: ', styled('bold', titleOf(result, 'plan'))],
    ...fileLines(result.files, layout),
    ...partLines(result, 'plan'),
    ...contextLines(result, layout),
    ...leftAloneLines(result.files),
    ...totalsLines(result, layout),
    [styled('faint', 'Nothing was changed. This plan: '), `--plan ${result.plan}`],
  ];
}

export interface OperationLayout {
  readonly layout: Layout;
  /** The plan was seen before: only what did not go as wished is told again. */
  readonly known: boolean;
}

export function operationView(result: OperationResult, { layout, known }: OperationLayout): readonly Line[] {
  const { files, operation, safety, snapshot } = result;
  const told = known ? files.filter(({ action }) => action === 'skip' || action === 'conflict') : files;
  const ids: readonly (readonly [string, Line] | undefined)[] = [
    operation === undefined ? undefined : ['operation', operation.slice(0, 12)],
    safety === undefined ? undefined : ['safety', `${shortId(safety)}, ${heldWords(result)}`],
    snapshot === undefined ? undefined : ['head', shortId(snapshot)],
  ];
  return [
    styled('bold', titleOf(result, 'done')),
    ...fileLines(told, layout),
    ...partLines(result, 'done'),
    ...(known ? [] : contextLines(result, layout)),
    ...leftAloneLines(files),
    ...totalsLines(result, layout),
    ...labelled(ids.filter((row) => row !== undefined)),
    ...(operation === undefined ? [] : [nextLine(result)]),
  ];
}

/** Which paths were left out, `show` says. */
function heldWords({ unsaved }: OperationResult): string {
  if (unsaved === undefined) return 'everything as it was before';
  return `as it was before, without ${counted(unsaved, 'path')} that it had to leave out`;
}

type Tense = 'plan' | 'done';

function titleOf({ kind, target, of, options }: OperationResult, tense: Tense): string {
  const message = target.message === '' ? '' : ` "${subject(target.message)}"`;
  const snapshot = `${target.shortId} of ${clockTime(target.createdAt)}${message}`;
  if (kind === 'undo' || kind === 'redo') {
    const taken = of === undefined ? '' : ` the ${of.kind} of ${clockTime(of.at)}`;
    const verb = kind === 'undo' ? ['undo', 'Undid'] : ['redo', 'Did again'];
    return `${verb[tense === 'plan' ? 0 : 1] ?? ''}${taken}: back to ${snapshot}`;
  }
  if (kind === 'rewind') return `${tense === 'plan' ? 'rewind' : 'Rewound'} to ${snapshot}`;
  if (options.merge !== undefined)
    return `${tense === 'plan' ? 'add' : 'Added'} to the context what is missing from ${snapshot}`;
  const what = options.files || options.index ? '' : ' the context';
  return `${tense === 'plan' ? 'restore' : 'Restored'}${what} from ${snapshot}`;
}

function fileLines(files: readonly ReportedFile[], layout: Layout): readonly Line[] {
  return files.filter((file) => !isByDesign(file)).map((file) => fileLine(file, layout));
}

const WORDS: Readonly<Record<ReportedFile['action'], readonly [word: string, style: Style]>> = {
  write: ['overwrite', 'notice'],
  delete: ['delete', 'removed'],
  mode: ['mode', 'notice'],
  skip: ['keep', 'bad'],
  conflict: ['conflict', 'bad'],
};

function fileLine({ path, action, creates, type, bytes, reason, why }: ReportedFile, { unicode }: Layout): Line {
  const [word, style] = creates === true ? (['create', 'added'] as const) : WORDS[action];
  const name = type === 'directory' ? `${path}/` : path;
  const about = reason === undefined ? (bytes === undefined ? '' : size(bytes)) : (why ?? reason);
  const dash = unicode ? '  – ' : '  - ';
  return [
    '  ',
    styled(style, word.padEnd(9)),
    ` ${name}`,
    ...(about === '' ? [] : [styled('faint', `${reason === undefined ? '  ' : dash}${about}`)]),
  ];
}

/** What is restored besides files. */
function partLines({ options, stagedLeft }: OperationResult, tense: Tense): readonly Line[] {
  if (stagedLeft === true) return [['  ', styled('bad', 'index'.padEnd(9)), ' the staged tree was not restored']];
  const does = tense === 'plan' ? 'would be' : 'was';
  return options.index ? [['  ', styled('notice', 'index'.padEnd(9)), ` the staged tree ${does} restored`]] : [];
}

/** More characters of a text are not needed to know it again. */
const SHOWN = 80;

const KINDS: Readonly<Record<ContextChange['kind'], string>> = {
  task: 'task',
  item: '',
  touched: 'touched file',
  progress: 'progress',
};

/** More items that leave a window or come back are counted only; `--json` has them all. */
const LISTED_OF_WINDOW = 20;

/** Every piece of the context that is added, or taken back, and the first ones that a rewind moves. */
function contextLines(result: OperationResult, { unicode }: Layout): readonly Line[] {
  const { context = [], kind: operation } = result;
  const most = isRewind(result) ? LISTED_OF_WINDOW : context.length;
  const lines = context.slice(0, most).map(({ action, kind, from, text, tokens }): Line => {
    const isAdded = action === 'add';
    const word = isAdded ? (isRewind(result) ? 'back in' : 'add') : operation === 'undo' ? 'take back' : 'leave out';
    const [first = ''] = text.split('\n', 1);
    const words = [KINDS[kind], first.slice(0, SHOWN)].filter((word) => word !== '').join(' ');
    const item = from.item === undefined ? '' : `item ${from.item}`;
    const source = isRewind(result) ? item : `from ${[shortId(from.snapshot), item].filter(Boolean).join(', ')}`;
    const size = tokens === undefined ? '' : `, about ${counted(tokens, 'token')}`;
    return [
      '  ',
      styled(isAdded ? 'added' : 'removed', word.padEnd(9)),
      ` ${words}`,
      styled('faint', `${unicode ? '  – ' : '  - '}${source}${size}`),
    ];
  });
  const more = context.length - most;
  return more > 0 ? [...lines, [styled('faint', `  and ${counted(more, 'more item')}`)]] : lines;
}

/** Tells whether windows were set, or given back. */
function isRewind({ kind, options, of }: OperationResult): boolean {
  return kind === 'rewind' || of?.kind === 'rewind' || (kind === 'redo' && options.merge === undefined);
}

/** Tells whether a path is kept whatever is asked for: then nothing is missing. */
export function isByDesign({ reason }: ReportedFile): boolean {
  return reason !== undefined && BY_DESIGN[reason] !== undefined;
}

function leftAloneLines(files: readonly ReportedFile[]): readonly Line[] {
  const kept = files.filter(isByDesign);
  if (kept.length === 0) return [];
  const more = kept.length - LISTED_BY_DESIGN;
  return [
    styled('faint', 'Left alone by design'),
    ...kept
      .slice(0, LISTED_BY_DESIGN)
      .map(({ path, reason }): Line => [styled('faint', `  ${path}  ${(reason && BY_DESIGN[reason]) ?? ''}`)]),
    ...(more > 0 ? [styled('faint', `  and ${counted(more, 'more path')}`)] : []),
  ];
}

function totalsLines(result: OperationResult, layout: Layout): readonly Line[] {
  const { context, options } = result;
  const files = options.files || options.index ? [totalsLine(result, layout)] : [];
  if (context === undefined && files.length === 0) return ['No item of the window differs.'];
  if (context === undefined) return files;
  if (context.length === 0 && !isRewind(result)) return [...files, 'All of it is in the context already.'];
  const tokens = context.reduce((sum, change) => sum + (change.tokens ?? 0), 0);
  const size = tokens === 0 ? '' : `, about ${counted(tokens, 'token')}`;
  if (isRewind(result)) return [...files, `Window: ${movedItems(context)}`, ...liveNote(result)];
  const verb = context.some(({ action }) => action === 'remove') ? 'taken back' : 'added';
  return [...files, `${counted(context.length, 'piece')} of context ${verb}${size}`];
}

function movedItems(context: readonly ContextChange[]): string {
  const parts = (['remove', 'add'] as const).flatMap((action) => {
    const moved = context.filter((change) => change.action === action);
    if (moved.length === 0) return [];
    const tokens = moved.reduce((sum, change) => sum + (change.tokens ?? 0), 0);
    return [
      `${counted(moved.length, 'item')} ${action === 'add' ? 'back in' : 'out'} (about ${counted(tokens, 'token')})`,
    ];
  });
  return parts.length === 0 ? 'the same items as before' : parts.join(', ');
}

/** Nobody but the agent changes what it sends. */
function liveNote({ kind }: OperationResult): readonly Line[] {
  return kind === 'undo'
    ? []
    : [[styled('faint', 'Only the record changes: an agent at work keeps its own conversation.')]];
}

function totalsLine({ totals, files }: OperationResult, layout: Layout): Line {
  const kept = files.filter((file) => file.action === 'skip' && !isByDesign(file)).length;
  const parts: readonly (readonly [number, string, Style])[] = [
    [totals.create, 'created', 'added'],
    [totals.overwrite, 'overwritten', 'notice'],
    [totals.delete, 'deleted', 'removed'],
    [totals.mode, 'with another mode', 'notice'],
    [kept, 'kept', 'bad'],
    [totals.conflict, 'in conflict', 'bad'],
  ];
  const told = parts.filter(([count]) => count > 0);
  if (told.length === 0) return files.length === 0 ? 'No file differs.' : 'No other file differs.';
  const pieces = told.flatMap(([count, word, style], at) => [
    ...(at === 0 ? [] : [separator(layout)]),
    styled(style, `${String(count)} ${word}`),
  ]);
  return totals.bytes === 0
    ? pieces
    : [...pieces, styled('faint', `${separator(layout)}${size(totals.bytes)} written`)];
}

function nextLine({ kind }: OperationResult): Line {
  const verb = kind === 'undo' ? 'redo' : 'undo';
  return `\`savepoint ${verb}\` ${verb === 'undo' ? 'takes it back' : 'does it again'}.`;
}
