/** Text of `verify`: each result with its checks, and in plain words what is proven and what is not. */
import { isGoodVerdict, type VerifyResult, type VerifyResultEntry } from '@savepoint/core';
import { lineColumns, piecesOf, styled, type Layout, type Line } from '../../terminal/line.js';
import { wrapped } from '../../terminal/wrap.js';
import { counted, mark, shortId, verdictWords } from '../words/wording.js';

/** More results than this are counted; only the bad ones are told one by one. */
const TOLD_IN_FULL = 3;

export function verifyView(result: VerifyResult, layout: Layout): readonly Line[] {
  const { results, proven, notProven } = result;
  if (results.length === 0) return [...notProven, 'Run `savepoint capture` to take the first one.'];
  const told = results.length > TOLD_IN_FULL ? results.filter(({ verdict }) => !isGoodVerdict(verdict)) : results;
  return [
    ...told.flatMap((entry) => entryLines(entry, layout)),
    ...(told === results ? [] : summaryLines(results, layout)),
    ...bullets('Proven', proven, layout),
    ...bullets('Not proven', notProven, layout),
  ];
}

function entryLines({ id, verdict, checks }: VerifyResultEntry, layout: Layout): readonly Line[] {
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  return [
    ['Snapshot ', styled('bold', shortId(id)), ' is ', styled(toneOf(verdict), verdictWords(verdict).toUpperCase())],
    ...checks.flatMap(({ name, ok, detail }) => {
      const sign = mark(ok, layout);
      const before: Line = ['  ', styled(ok ? 'good' : 'bad', sign), ` ${name.padEnd(width)}  `];
      return indented(before, detail, layout);
    }),
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

function bullets(title: string, sentences: readonly string[], layout: Layout): readonly Line[] {
  if (sentences.length === 0) return [];
  return [styled('heading', title), ...sentences.flatMap((sentence) => indented('  - ', sentence, layout))];
}

/** Returns a text that goes on below its own beginning, where a terminal is too narrow for it. */
function indented(before: Line, sentence: string, { width }: Layout): readonly Line[] {
  const indent = lineColumns(before);
  const [first = '', ...rest] = width === undefined ? [sentence] : wrapped(sentence, Math.max(20, width - indent));
  return [[...piecesOf(before), first], ...rest.map((line) => ' '.repeat(indent) + line)];
}
