/** What the redactor gives back, and its entrances. The rules live beside this file. */
import { strictText } from '../base/bytes.js';
import type { RedactionSpan } from '../model/context/transcript.js';
import { fromLatin1, latin1 } from './text/byte-text.js';
import { findInText } from './find.js';
import { findInValue, isSecretValue, JsonWalk, parses } from './json-text.js';
import { classifyKey } from './secrets/keys.js';
import { redactUntilClean, redactionKinds, type Finding } from './text/spans.js';

export { LongLineRedactor, redactLongLine } from './long-line.js';
export { redactionKinds } from './text/spans.js';

/** Changes whenever a rule changes what is replaced; recorded with every part. */
export const REDACTOR_VERSION = 'savepoint-redact/1';

export interface RedactedBytes {
  /** The same array as the input where nothing was found. */
  readonly bytes: Uint8Array;
  /** Where the replacements stand in `bytes`. */
  readonly spans: readonly RedactionSpan[];
}

export interface RedactedLine extends RedactedBytes {
  /** True if the line is UTF-8 and JSON. */
  readonly readable: boolean;
}

export interface RedactedText {
  readonly text: string;
  /** Number of replacements by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

export interface SpannedText extends RedactedText {
  /** Where the replacements stand in `text`, in UTF-16 code units. */
  readonly spans: readonly RedactionSpan[];
}

export interface TextContext {
  /** Name of the field that the text is the value of. */
  readonly key?: string;
}

/** Replaces the secrets in a text: a message, a tag, a branch, a title. */
export function redactText(text: string, context: TextContext = {}): RedactedText {
  const { text: clean, kinds } = redactTextSpans(text, context);
  return { text: clean, kinds };
}

/** As `redactText`, and says where the replacements stand. */
export function redactTextSpans(text: string, context: TextContext = {}): SpannedText {
  const redacted = redactUntilClean(text, (current) => findForKey(current, context.key));
  return { ...redacted, kinds: redactionKinds(redacted.spans) };
}

function findForKey(text: string, key: string | undefined): readonly Finding[] {
  const judged = classifyKey(key ?? '');
  if (judged.rule === 'identifier' || judged.rule === 'random') return findInText(text, judged.rule);
  const found = findInValue(text, 'text');
  if (judged.rule !== 'secret' || !isSecretValue(text, judged)) return found;
  const whole = found.length === 1 && found[0] && found[0].end - found[0].start >= text.length * 0.8;
  return [{ start: 0, end: text.length, kind: whole ? (found[0]?.kind ?? judged.kind) : judged.kind }];
}

/** Replaces the secrets in plain text of any bytes; what is no hit stays as it was, also where it is not UTF-8. */
export function redactBytes(bytes: Uint8Array): RedactedBytes {
  return redactAsBytes(bytes, (text) => findInValue(text, 'text'));
}

/**
 * Replaces the secrets in one line of a JSONL transcript, given without its newline. In JSON only bytes inside string
 * literals change; any other line is redacted as text.
 */
export function redactLine(line: Uint8Array): RedactedLine {
  const text = strictText(line);
  if (text === undefined || !parses(text)) return { ...redactBytes(line), readable: false };
  return { ...redactAsBytes(line, (current) => new JsonWalk().scan(current).findings), readable: true };
}

/** One character for each byte, so that every position is that of a byte and no byte is lost. */
function redactAsBytes(bytes: Uint8Array, find: (text: string) => readonly Finding[]): RedactedBytes {
  const text = latin1(bytes);
  const redacted = redactUntilClean(text, find);
  return redacted.spans.length === 0
    ? { bytes, spans: [] }
    : { bytes: fromLatin1(redacted.text), spans: redacted.spans };
}
