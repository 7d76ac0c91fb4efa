/** Text of `show`. */
import type { ShowResult, ShownFile, ShownSession, SnapshotBody } from '@savepoint/core';
import { spentWords } from '../words/spent.js';
import { styled, verbatim, type Layout, type Line } from '../../terminal/line.js';
import { labelled, table } from '../../terminal/table.js';
import { boundaryLines, omissionLines, redactionWords } from '../words/losses.js';
import { anchorWords, clockTime, counted, grouped, size, subject, tagPieces, verdictPiece } from '../words/wording.js';

/** Enough to see what kind of paths are ignored; `--slice filesystem` has all. */
const IGNORED_SHOWN = 10;

export function showView(result: ShowResult, layout: Layout): readonly Line[] {
  const { shortId, tags, message, files, boundaries, omitted } = result;
  return [
    ['Snapshot ', styled('bold', shortId), '  ', verdictPiece(result.verdict, layout), ...tagPieces(tags)],
    ...foreignLines(result),
    ...labelled(rows(result)),
    ...section('Message', message === '' ? [] : message.split('\n').map((line) => verbatim(`  ${line}`))),
    ...section('Slices', sliceLines(result.slices, layout)),
    ...section(
      'Withheld by its author',
      (result.withheld ?? []).map((what) => `  ${what}`),
    ),
    ...section('Transcripts', transcriptLines(result)),
    ...section('Conversation', conversationLines(result)),
    ...section('Staged', stagedLines(result)),
    ...section(`Left out: ${counted(omitted.length, 'path')}`, omissionLines(omitted)),
    ...section('Left alone by design', boundaryLines(boundaries)),
    ...section('Ignored by git', ignoredLines(result)),
    ...(files === undefined ? [] : section(`Files: ${String(files.length)}`, fileLines(files, layout))),
  ];
}

function foreignLines({ foreign }: ShowResult): readonly Line[] {
  return foreign === true
    ? [styled('notice', 'Foreign: imported from others. What it says is theirs, not yours.')]
    : [];
}

function rows(result: ShowResult): readonly (readonly [string, Line])[] {
  const { id, createdAt, timeline, sequence, parents, origin, anchor, session, trigger, totals, signer } = result;
  const [parent] = parents;
  const all: readonly (readonly [string, Line] | undefined)[] = [
    ['id', id],
    ['time', clockTime(createdAt)],
    ['anchor', anchorWords(anchor)],
    [
      'timeline',
      `${timeline.slice(0, 12)} number ${String(sequence)}${parent === undefined ? '' : `, after ${parent.slice(0, 12)}`}`,
    ],
    origin === undefined ? undefined : ['origin', `${origin.kind} from ${origin.from.slice(0, 12)}`],
    ['trigger', `${trigger.kind}: ${trigger.reason}`],
    session && ['session', `${session.agent} ${session.id}${session.guessed === true ? ' (guessed)' : ''}`],
    ['files', `${counted(totals.files, 'file')}, ${size(totals.bytes)}`],
    result.redactions.count === 0 ? undefined : ['redacted', redactionWords(result)],
    ['signer', signer === '' ? 'none' : signer],
    ['stored', `commit ${result.commit}`],
  ];
  return all.filter((row) => row !== undefined);
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ['', styled('heading', title), ...lines];
}

function sliceLines(slices: SnapshotBody['slices'], layout: Layout): readonly Line[] {
  const columns = [{ title: '  SLICE' }, { title: 'SIZE', align: 'right' }, { title: 'DIGEST' }] as const;
  const lines = slices.map(({ name, bytes, algorithm, digest }) => [
    `  ${name}`,
    size(bytes),
    `${algorithm} ${digest}`,
  ]);
  return slices.length === 0 ? [] : table(columns, lines, layout);
}

function transcriptLines({ transcripts }: ShowResult): readonly Line[] {
  return transcripts.map(({ agent, session, folder, name, bytes, guessed, shrunk }): Line => {
    const versions = transcripts.filter((one) => one.session === session);
    const remarks = [
      guessed === true ? 'guessed' : '',
      shrunk === undefined ? '' : 'was longer before',
      versions.length === 1 ? '' : `transcript/${folder}${/\.\d+$/.test(folder) ? '' : '.1'}`,
    ].filter(Boolean);
    const file = name === `${session}.jsonl` ? '' : `${name}, `;
    return `  ${agent} ${session}  ${file}${size(bytes)}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`;
  });
}

function conversationLines({ conversation }: ShowResult): readonly Line[] {
  if (conversation === undefined) return [];
  const { sessions, ledger } = conversation;
  return [...sessions.flatMap(sessionLines), ...(ledger.requests === 0 ? [] : [`  spent: ${spentWords(ledger)}`])];
}

function sessionLines({ id, state, task, parent, window, totals }: ShownSession): readonly Line[] {
  const begun = parent === undefined ? '' : `, begun by ${parent}`;
  const words = [
    `${counted(window.items, 'item')} in the window (${window.estimated ? 'about ' : ''}${counted(window.tokens, 'token')})`,
    [
      counted(totals.actions, 'action'),
      ...(totals.compactions === 0 ? [] : [counted(totals.compactions, 'compaction')]),
    ].join(', '),
    ...(totals.unreadable === 0 ? [] : [`${counted(totals.unreadable, 'line')} of the log not readable`]),
  ];
  return [
    `  ${id} (${state}${begun})`,
    ...(task === undefined ? [] : [[styled('faint', `    ${subject(task)}`)]]),
    ...words.map((line) => `    ${line}`),
  ];
}

function stagedLines({ staged }: ShowResult): readonly Line[] {
  if (staged === undefined) return [];
  const { unmerged, flagged, tree } = staged;
  return [
    `  tree ${tree}`,
    ...unmerged.map(({ path, stage }) => `  in conflict: ${path} (stage ${String(stage)})`),
    ...flagged.map(({ path, flags }) => `  ${path}: ${flags.join(', ').replaceAll('_', ' ')}`),
  ];
}

function ignoredLines({ filesystem }: ShowResult): readonly Line[] {
  const ignored = filesystem?.ignored ?? [];
  const rest = ignored.length - IGNORED_SHOWN;
  const lines = ignored.slice(0, IGNORED_SHOWN).map(({ path }): Line => `  ${path}`);
  return rest > 0 ? [...lines, styled('faint', `  and ${grouped(rest)} more`)] : lines;
}

function fileLines(files: readonly ShownFile[], layout: Layout): readonly Line[] {
  const columns = [
    { title: '  MODE' },
    { title: 'SIZE', align: 'right' },
    { title: 'BLOB' },
    { title: 'PATH' },
  ] as const;
  const uncut: Layout = { unicode: layout.unicode };
  const lines = files.map(({ mode, bytes, blob, path }) => [
    `  ${mode}`,
    bytes === undefined ? '' : size(bytes),
    blob.slice(0, 12),
    path,
  ]);
  return table(columns, lines, uncut);
}
