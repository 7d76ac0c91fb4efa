/** Text of `show --window`: what the model had before it. */
import type { ShowWindowResult, ShownItem, ShownWindow } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { table } from '../../terminal/table.js';
import { counted, grouped, shortId } from '../words/wording.js';

const COLUMNS = [
  { title: '  ITEM' },
  { title: 'KIND' },
  { title: 'TOKENS', align: 'right' },
  { title: 'WHAT' },
] as const;

/** As much of a preview as fits a look. */
const SHOWN = 80;

export function windowView({ shortId: id, windows }: ShowWindowResult, layout: Layout): readonly Line[] {
  if (windows.length === 0) return [[styled('bold', id), ' holds no items.']];
  return windows.flatMap((window, index) => [...(index === 0 ? [] : ['']), ...oneWindow(window, layout)]);
}

function oneWindow(
  { session, rewoundTo, items, tokens, counted: sent, exact, request }: ShownWindow,
  layout: Layout,
): readonly Line[] {
  const told =
    sent === undefined ? `about ${counted(tokens, 'token')}` : `${counted(sent, 'token')}, counted by the provider`;
  const how = exact ? `as sent${request === undefined ? '' : ` with ${request}`}` : 'as the conversation says';
  const rewound = rewoundTo === undefined ? '' : `, rewound to ${shortId(rewoundTo)}`;
  return [
    [
      styled('heading', `Window of ${session}`),
      `: ${counted(items.length, 'item')}, ${told}, ${how}${whence(items)}${rewound}`,
    ],
    ...(items.length === 0 ? [] : table(COLUMNS, items.map(row), layout)),
  ];
}

/** Of what a restore added: it did not stand before this model. */
function whence([item]: readonly ShownItem[]): string {
  return item?.origin === undefined ? '' : `, restored from ${shortId(item.origin.snapshot)}`;
}

function row(item: ShownItem): readonly Line[] {
  const { id, kind, role, tokens, estimated, path, range, preview } = item;
  const lines = range === undefined ? '' : `:${String(range.from)}-${String(range.to)}`;
  const first = preview.trimStart().split('\n', 1)[0] ?? '';
  return [
    `  ${id}`,
    role === undefined || kind !== 'message' ? kind : role,
    `${estimated ? '~' : ''}${grouped(tokens)}`,
    path === undefined ? first.slice(0, SHOWN) : `${path}${lines}`,
  ];
}
