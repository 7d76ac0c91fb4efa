/** Text of `diff`: patches as git prints them, a summary of lines, or names only. */
import type { DiffEnd, DiffResult, FileChange } from '@savepoint/core';
import { spentWords } from '../words/spent.js';
import { styled, verbatim, type Layout, type Line, type Piece, type Style } from '../../terminal/line.js';
import { columnsOf, printable } from '../../terminal/printable.js';
import { widest } from '../../terminal/table.js';
import { anchorWords, clockTime, counted, grouped, separator, size } from '../words/wording.js';

export type DiffForm = 'patch' | 'stat' | 'names';

const SIGNS: Readonly<Record<FileChange['change'], readonly [sign: string, style: Style]>> = {
  added: ['A', 'added'],
  removed: ['D', 'removed'],
  modified: ['M', 'notice'],
  mode: ['m', 'notice'],
  type: ['T', 'notice'],
};

export function diffView(result: DiffResult, layout: Layout, form: DiffForm): readonly Line[] {
  if (form === 'names') return result.files.map(({ path }) => path);
  const { files, directories, transcripts, unknown, items, actions, withheld = [] } = result;
  const differences = [files, directories, transcripts, items, actions];
  const isEmpty = differences.every(({ length }) => length === 0);
  return [
    [styled('faint', 'from '), endWords(result.from)],
    [styled('faint', 'to   '), endWords(result.to)],
    ...withheld.map(({ side, slice }): Line =>
      styled('faint', `withheld: the ${sideWord(side)} side has no ${slice} to compare`),
    ),
    ...(isEmpty ? [withheld.length + unknown.length === 0 ? 'Nothing differs.' : 'Nothing else differs.'] : []),
    ...(form === 'stat'
      ? statLines(files, layout)
      : files.flatMap((file) => patchLines(file, result.to.id === undefined))),
    ...directories.map(
      ({ path, change }): Line => `directory ${path}/ ${change === 'mode' ? 'changed its mode' : change}`,
    ),
    ...transcripts.map(({ session, from, to }): Line => `transcript ${session}: ${size(from)} -> ${size(to)}`),
    ...recordLines(result),
    ...unknown.map(unknownLine),
    ...(isEmpty ? [] : [totalsLine(result, layout)]),
  ];
}

function sideWord(side: 'from' | 'to'): string {
  return side === 'from' ? 'first' : 'second';
}

/** Enough to see what went on; `--json` has all. */
const SHOWN = 20;

function recordLines({ items, actions, ledger }: DiffResult): readonly Line[] {
  const { totals } = ledger;
  return [
    ...cut(items, ({ change, kind, path, role, tokens, window }): Line => [
      styled(change === 'entered' ? 'added' : 'removed', change === 'entered' ? '+ ' : '- '),
      `${kind} ${path ?? role ?? ''} (${counted(tokens, 'token')}${change === 'left' ? `, ${window}` : ''})`,
    ]),
    ...cut(
      actions,
      ({ tool, status, command, writes }): Line => `action ${tool} ${command ?? writes.join(' ')} (${status})`,
    ),
    ...(totals === undefined || totals.requests === 0 ? [] : [`spent ${spentWords(totals)}`]),
  ];
}

function cut<T>(all: readonly T[], line: (one: T) => Line): readonly Line[] {
  const rest = all.length - SHOWN;
  return [...all.slice(0, SHOWN).map(line), ...(rest > 0 ? [styled('faint', `and ${grouped(rest)} more`)] : [])];
}

function unknownLine({ path, side, reason }: DiffResult['unknown'][number]): Line {
  const why = reason === 'omitted' ? 'left it out' : `did not look there: ${reason}`;
  return [styled('faint', `unknown: ${path} (the ${sideWord(side)} side ${why})`)];
}

function endWords({ shortId, createdAt, anchor }: DiffEnd): string {
  return `${shortId ?? 'the present worktree'}  ${clockTime(createdAt)}  ${anchorWords(anchor)}`;
}

function totalsLine({ totals: { files, insertions = 0, deletions = 0 } }: DiffResult, layout: Layout): Line {
  return [
    styled('faint', counted(files, 'file')),
    styled('faint', separator(layout)),
    styled('added', `+${String(insertions)}`),
    ' ',
    styled('removed', `-${String(deletions)}`),
  ];
}

function statLines(files: readonly FileChange[], layout: Layout): readonly Line[] {
  const width = widest(files.map(({ path }) => columnsOf(printable(path))));
  const most = Math.max(1, widest(files.map(({ insertions = 0, deletions = 0 }) => insertions + deletions)));
  const room = Math.max(10, Math.min(40, (layout.width ?? 80) - width - 12));
  return files.map((file): Line => {
    const [sign, style] = SIGNS[file.change];
    const path = file.path + ' '.repeat(width - columnsOf(printable(file.path)));
    return [' ', styled(style, sign), ` ${path} | `, ...statPieces(file, Math.min(1, room / most))];
  });
}

function statPieces(file: FileChange, scale: number): readonly Piece[] {
  const { before, after, binary, insertions = 0, deletions = 0 } = file;
  if (binary) return [`binary ${size(before?.bytes ?? 0)} -> ${size(after?.bytes ?? 0)}`];
  if (file.change === 'mode') return [`mode ${before?.mode ?? ''} -> ${after?.mode ?? ''}`];
  const bar = (count: number, sign: string): string =>
    sign.repeat(count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  if (isUnread(file)) return [UNREAD];
  const number = String(insertions + deletions).padStart(4);
  return [`${number} `, styled('added', bar(insertions, '+')), styled('removed', bar(deletions, '-'))];
}

const UNREAD = 'not compared: its content is not at hand';

/** Tells of a file that is no binary one and whose lines nobody counted: an object is gone, or too much is new to be held. */
function isUnread({ change, before, after, insertions }: FileChange): boolean {
  return insertions === undefined && change !== 'mode' && [before, after].every((side) => side?.mode !== 'submodule');
}

/** `numbered`: the hunks can be taken back by their numbers, which stand where git has the name of a function. */
function patchLines(file: FileChange, numbered: boolean): readonly Line[] {
  const { path, before, after, binary, patch } = file;
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)];
  const lines: Line[] = [styled('bold', `diff --git ${a} ${b}`), ...modeLines(file)];
  if (binary) {
    const note = `Binary files differ: ${size(before?.bytes ?? 0)} -> ${size(after?.bytes ?? 0)}`;
    return [...lines, note];
  }
  if (isUnread(file)) return [...lines, UNREAD];
  if (patch === undefined || patch === '') return lines;
  const names = [`--- ${before === undefined ? '/dev/null' : a}`, `+++ ${after === undefined ? '/dev/null' : b}`];
  return [
    ...lines,
    ...names.map((name) => styled('bold', name)),
    ...(numbered ? withNumbers(patch) : patch).replace(/\n$/, '').split('\n').map(patchLine),
  ];
}

function withNumbers(patch: string): string {
  let count = 0;
  return patch.replace(/^@@ .* @@$/gm, (line) => `${line} hunk ${String((count += 1))}`);
}

function modeLines({ change, before, after }: FileChange): readonly Line[] {
  if (before === undefined) return [styled('bold', `new file mode ${gitMode(after?.mode ?? '')}`)];
  if (after === undefined) return [styled('bold', `deleted file mode ${gitMode(before.mode)}`)];
  if (change !== 'type' && before.mode === after.mode) return [];
  const [from, to] = [gitMode(before.mode), gitMode(after.mode)];
  // git knows the executable bit only; the rest is ours.
  if (from === to) return [styled('bold', `mode ${before.mode} -> ${after.mode}`)];
  return [styled('bold', `old mode ${from}`), styled('bold', `new mode ${to}`)];
}

function gitMode(mode: string): string {
  if (mode === 'link') return '120000';
  if (mode === 'submodule') return '160000';
  return (Number.parseInt(mode, 8) & 0o100) === 0 ? '100644' : '100755';
}

function patchLine(line: string): Line {
  if (line.startsWith('+')) return verbatim(line, 'added');
  if (line.startsWith('-')) return verbatim(line, 'removed');
  return line.startsWith('@@') ? styled('heading', line) : verbatim(line);
}

// As git's core.quotePath: a name with control characters, quotes or backslashes stands in quotes.
function quoted(path: string): string {
  if (!/[\u0000-\u001f\u007f"\\]/.test(path)) return path;
  const inner = path.replace(/[\u0000-\u001f\u007f"\\]/g, (sign) => SHORT_QUOTES[sign] ?? octal(sign));
  return `"${inner}"`;
}

const SHORT_QUOTES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function octal(sign: string): string {
  return `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`;
}
