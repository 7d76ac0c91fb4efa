/** Text of `verify`: each result with its checks, and in plain words what is proven and what is not. */
import { isGoodVerdict, type VerifyResult, type VerifyResultEntry } from '@savepoint/core';
import { styled, type Layout, type Line } from '../terminal/line.js';
import { counted, mark, shortId, verdictWords } from './wording.js';

/** More results than this are counted; only the bad ones are told one by one. */
const TOLD_IN_FULL = 3;

export function verifyView(result: VerifyResult, layout: Layout): readonly Line[] {
  const { results, proven, notProven } = result;
  const told = results.length > TOLD_IN_FULL ? results.filter(({ verdict }) => !isGoodVerdict(verdict)) : results;
  return [
    ...told.flatMap((entry) => entryLines(entry, layout)),
    ...(told === results ? [] : summaryLines(results, layout)),
    ...bullets('Proven', proven),
    ...bullets('Not proven', notProven),
  ];
}

function entryLines({ id, verdict, checks }: VerifyResultEntry, layout: Layout): readonly Line[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return [
    ['Snapshot ', styled('bold', shortId(id)), ' is ', styled(toneOf(verdict), verdictWords(verdict).toUpperCase())],
    ...checks.map(({ name, ok, detail }): Line => [
      '  ',
      styled(ok ? 'good' : 'bad', mark(ok, layout)),
      ` ${name.padEnd(width)}  ${detail}`,
    ]),
  ];
}

function summaryLines(results: readonly VerifyResultEntry[], layout: Layout): readonly Line[] {
  const counts = new Map<VerifyResultEntry['verdict'], number>();
  for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return [
    `${counted(results.length, 'snapshot')} verified`,
    ...[...counts].map(([verdict, count]): Line => [
      '  ',
      styled(toneOf(verdict), `${mark(isGoodVerdict(verdict), layout)} ${String(count)} ${verdictWords(verdict)}`),
    ]),
  ];
}

function toneOf(verdict: VerifyResultEntry['verdict']): 'good' | 'notice' | 'bad' {
  if (verdict === 'valid') return 'good';
  return isGoodVerdict(verdict) ? 'notice' : 'bad';
}

function bullets(title: string, sentences: readonly string[]): readonly Line[] {
  return sentences.length === 0
    ? []
    : [styled('heading', title), ...sentences.map((sentence): Line => `  - ${sentence}`)];
}
