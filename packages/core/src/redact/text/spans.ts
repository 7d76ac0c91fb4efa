/** Findings, the markers that replace them, and where those markers stand afterwards. */
import type { RedactionSpan } from '../../model/context/transcript.js';

/** A secret at `[start, end)` of the text that was searched. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** Set where more text may still belong to it: tells where it ends in a text that goes on with `from`. */
  readonly resume?: (text: string, from: number) => number;
}

/** One replacement: `[from, to)` of the old text became the marker at `span` of the new one. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly span: RedactionSpan;
}

export function marker(kind: string): string {
  return `[REDACTED:${kind}]`;
}

const MARKERS = /\[REDACTED:[a-z0-9-]{1,40}\]/g;

/** Tells whether nothing but markers, white space and quotes stands in a text. */
export function isOnlyMarkers(text: string): boolean {
  return text.includes('[REDACTED:') && /^[\s"'`\\]*$/.test(text.replace(MARKERS, ''));
}

// A finding by a rule for one provider says more than "a value of a key" or "random".
const VAGUE: Readonly<Record<string, number>> = { cookie: 1, authorization: 1, assignment: 2, 'high-entropy': 3 };

/** Returns the findings in order, overlapping ones as one, without those that only find a marker again. */
export function mergeFindings(text: string, findings: readonly Finding[]): readonly Finding[] {
  if (findings.length === 0) return findings;
  const kept = withoutMarkers(text, findings);
  if (kept.length < 2) return kept;
  const merged: Finding[] = [];
  for (const next of kept.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || next.start >= last.end) merged.push(next);
    else merged[merged.length - 1] = union(last, next);
  }
  return merged;
}

function withoutMarkers(text: string, findings: readonly Finding[]): Finding[] {
  const marked = text.includes('[REDACTED:') ? [...text.matchAll(MARKERS)] : [];
  const whole = findings.map((found) => (marked.length === 0 ? found : besideMarkers(found, marked)));
  return whole.filter(
    ({ start, end }) => end > start && !isOnlyMarkers(text.slice(start, Math.min(end, start + 4096))),
  );
}

/** A finding that begins or ends within a marker leaves that marker alone. */
function besideMarkers(found: Finding, marked: readonly RegExpExecArray[]): Finding {
  let { start, end } = found;
  for (let at = firstAfter(marked, start); at < marked.length; at++) {
    const from = marked[at]?.index ?? 0;
    const to = from + (marked[at]?.[0].length ?? 0);
    if (from >= end) break;
    if (start > from && start < to) start = to;
    if (end > from && end < to) end = from;
  }
  return start === found.start && end === found.end ? found : { start, end, kind: found.kind };
}

/** Index of the first marker that ends behind a position. */
function firstAfter(marked: readonly RegExpExecArray[], position: number): number {
  let low = 0;
  let high = marked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const match = marked[middle];
    if (match !== undefined && match.index + match[0].length <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function union(a: Finding, b: Finding): Finding {
  const longer = b.end > a.end || (b.end === a.end && a.resume === undefined) ? b : a;
  const kind = (VAGUE[b.kind] ?? 0) < (VAGUE[a.kind] ?? 0) ? b.kind : a.kind;
  const { start } = a;
  const { end, resume } = longer;
  return resume === undefined ? { start, end, kind } : { start, end, kind, resume };
}

export function applyFindings(text: string, findings: readonly Finding[]): { text: string; edits: readonly Edit[] } {
  const pieces: string[] = [];
  const edits: Edit[] = [];
  let from = 0;
  let length = 0;
  for (const { start, end, kind } of findings) {
    const replacement = marker(kind);
    pieces.push(text.slice(from, start), replacement);
    length += start - from;
    edits.push({ from: start, to: end, span: { start: length, end: length + replacement.length, kind } });
    length += replacement.length;
    from = end;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(''), edits };
}

/** Returns the spans of two rounds of edits: those of the first round where the second one left them, and its own. */
export function composeSpans(first: readonly RedactionSpan[], edits: readonly Edit[]): readonly RedactionSpan[] {
  const spans: RedactionSpan[] = [];
  let shift = 0;
  let index = 0;
  for (const span of first) {
    for (let edit = edits[index]; edit !== undefined && edit.from < span.end; edit = edits[++index]) {
      spans.push(edit.span);
      shift = edit.span.end - edit.to;
    }
    const before = spans.at(-1);
    const start = span.start + shift;
    if (before === undefined || start >= before.end) spans.push({ ...span, start, end: span.end + shift });
  }
  return [...spans, ...edits.slice(index).map((edit) => edit.span)];
}

// Each round leaves fewer characters that are not markers; real texts need one round and one that finds nothing.
const MAX_ROUNDS = 8;

/** Searches and replaces until nothing is found, so that redacting the result again changes nothing. */
export function redactUntilClean(
  text: string,
  find: (text: string) => readonly Finding[],
): { readonly text: string; readonly spans: readonly RedactionSpan[] } {
  let current = text;
  let spans: readonly RedactionSpan[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const findings = find(current);
    if (findings.length === 0) break;
    const applied = applyFindings(current, findings);
    spans = composeSpans(spans, applied.edits);
    current = applied.text;
  }
  return { text: current, spans };
}

/** Returns the number of replacements by kind. */
export function redactionKinds(spans: readonly { readonly kind: string }[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { kind } of spans) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
