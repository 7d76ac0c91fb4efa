/** What was spent, in words: what is not known is not shown as 0, and where something is not known this is said. */
import type { SpentTokens } from '@savepoint/core';
import { counted, grouped, money } from './wording.js';

export function spentWords(spent: SpentTokens): string {
  const { requests, input, output, cacheRead, cacheWrite, costMicros, unknown } = spent;
  const known = isKnown(spent);
  return [
    counted(requests, 'request'),
    ...(known ? [`${grouped(input + cacheRead + cacheWrite)} tokens in`, `${grouped(output)} out`] : []),
    ...(costMicros === undefined ? [] : [money(costMicros)]),
    ...(unknown.tokens === 0 ? [] : [`tokens of ${known ? grouped(unknown.tokens) : 'all'} unknown`]),
    ...(unknown.cost === 0 || costMicros === undefined ? [] : [`cost of ${grouped(unknown.cost)} unknown`]),
  ].join(', ');
}

/** For two columns; a `+` says that there is more, which is not known. */
export function spentCells(spent: SpentTokens | undefined): readonly [tokens: string, cost: string] {
  if (spent === undefined) return ['', ''];
  const { input, output, cacheRead, cacheWrite, costMicros, unknown } = spent;
  const tokens = isKnown(spent) ? grouped(input + output + cacheRead + cacheWrite) : 'unknown';
  const more = (isMore: boolean): string => (isMore ? '+' : '');
  return [
    tokens + more(unknown.tokens > 0 && tokens !== 'unknown'),
    costMicros === undefined ? 'unknown' : money(costMicros) + more(unknown.cost > 0),
  ];
}

/** Between two snapshots, what was known before may have grown. */
function isKnown({ requests, input, output, cacheRead, cacheWrite, unknown }: SpentTokens): boolean {
  return requests > unknown.tokens || input + output + cacheRead + cacheWrite > 0;
}
