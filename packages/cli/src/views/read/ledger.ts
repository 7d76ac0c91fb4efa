/** Text of `ledger`: a receipt. */
import type { LedgerResult } from '@savepoint/core';
import { styled, type Layout, type Line } from '../../terminal/line.js';
import { labelled, table } from '../../terminal/table.js';
import { counted, grouped, money } from '../words/wording.js';

const COLUMNS = [
  { title: 'MODEL' },
  { title: 'REQUESTS', align: 'right' },
  { title: 'INPUT', align: 'right' },
  { title: 'OUTPUT', align: 'right' },
  { title: 'CACHE READ', align: 'right' },
  { title: 'CACHE WRITTEN', align: 'right' },
  { title: 'COST', align: 'right' },
] as const;

export function ledgerView({ from, to, totals, byModel, prices }: LedgerResult, layout: Layout): readonly Line[] {
  const title: Line = [
    styled('bold', to.shortId),
    ...(from === undefined ? [] : [styled('faint', ' since '), styled('bold', from.shortId)]),
  ];
  const told = remarks(totals, prices);
  if (totals.requests === 0) return [title, 'No request to a model is known.', ...labelled(told.slice(0, -1))];
  const rows = [...Object.entries(byModel), ['total', totals] as const].map(([model, sums]) => [
    model,
    grouped(sums.requests),
    ...[sums.input, sums.output, sums.cacheRead, sums.cacheWrite].map((tokens) =>
      tokens === 0 && sums.unknown.tokens === sums.requests ? 'unknown' : grouped(tokens),
    ),
    sums.costMicros === undefined ? 'unknown' : money(sums.costMicros),
  ]);
  return [title, '', ...table(COLUMNS, rows, layout), '', ...labelled(told)];
}

function leftOut(name: string, tokens: number, by?: string): readonly [string, Line] | undefined {
  if (tokens === 0) return undefined;
  return [
    name,
    tokens > 0
      ? `${counted(tokens, 'token')} left out`
      : `${counted(-tokens, 'token')} more than without ${by ?? 'them'}`,
  ];
}

function remarks(totals: LedgerResult['totals'], prices: LedgerResult['prices']): readonly (readonly [string, Line])[] {
  const { saved, unknown } = totals;
  const { cacheMicros, tools, byTool, briefs, negative } = saved;
  // A loss of one must not hide behind what the others left out.
  const each = Object.entries(byTool);
  const losing = each.length < 2 ? [] : each.filter(([, tokens]) => tokens < 0);
  const all: readonly (readonly [string, Line] | undefined)[] = [
    cacheMicros === undefined
      ? undefined
      : ['cache', `${money(cacheMicros)} ${negative.includes('cacheMicros') ? 'more than without it' : 'saved'}`],
    leftOut('tools', tools),
    ...losing.map(([tool, tokens]) => leftOut('', tokens, tool)),
    leftOut('briefs', briefs),
    totals.reasoning === 0 ? undefined : ['thought', `${counted(totals.reasoning, 'token')} of the output`],
    unknown.tokens === 0 ? undefined : ['unknown', `the tokens of ${counted(unknown.tokens, 'request')}`],
    unknown.cost === 0 ? undefined : ['unknown', `the cost of ${counted(unknown.cost, 'request')}`],
    ['prices', `of ${prices.date}, ${prices.source}`],
  ];
  return all.filter((row) => row !== undefined);
}
