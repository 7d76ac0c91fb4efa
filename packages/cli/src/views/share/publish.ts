/** Text of `publish`: what leaves, what stays, and why. */
import type { PublishResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { table } from '../../terminal/table.js';
import { counted, size } from '../words/wording.js';

type Withheld = PublishResult['withheld'][number];

const REASONS: Readonly<Record<Withheld['reason'], string>> = {
  no_place: 'has no place in this format',
  not_chosen: 'not chosen',
  by_name_only: 'leaves only by name',
  secret: 'a secret was found in it',
  worktree_content: 'bytes of the worktree',
};

export function publishView(result: PublishResult & { readonly out?: string }, layout: Layout): readonly Line[] {
  const { shortId, dryRun, bytes, files, withheld, out, added, unknown = [] } = result;
  const what: Line = ['Snapshot ', styled('bold', shortId), `, ${counted(files.length, 'file')}, ${size(bytes)}`];
  const first: Line = dryRun
    ? [...what, ' would leave this machine. Nothing did.']
    : [...what, ` written to ${out ?? ''}`, added === 0 ? ' (published before)' : ''];
  return [
    first,
    ...(dryRun ? section('Would leave', leavingLines(files, layout)) : []),
    ...section('Withheld', withheldLines(withheld, layout)),
    ...section(
      'Not known, and 0 in the file',
      unknown.map((name) => `  ${name}`),
    ),
  ];
}

function leavingLines(files: PublishResult['files'], layout: Layout): readonly Line[] {
  const columns = [{ title: '  SLICE' }, { title: 'SIZE', align: 'right' }, { title: 'PATH' }] as const;
  const rows = files.map(({ path, slice, bytes }) => [`  ${slice === '' ? '-' : slice}`, size(bytes), path]);
  return table(columns, rows, { unicode: layout.unicode });
}

function withheldLines(withheld: readonly Withheld[], layout: Layout): readonly Line[] {
  const columns = [{ title: '  WHAT' }, { title: 'WHY' }] as const;
  const rows = withheld.map(({ path, reason, kind }) => {
    const why = `${REASONS[reason]}${kind === undefined ? '' : ` (${kind})`}`;
    return [`  ${path}`, reason === 'secret' ? styled('bad', why) : why];
  });
  return withheld.length === 0 ? [] : table(columns, rows, { unicode: layout.unicode });
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : ['', styled('heading', title), ...lines];
}
