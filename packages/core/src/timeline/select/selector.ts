/** Reads the text of a selector into its form, before anything is looked up. */
import { contextError } from '../../base/errors.js';
import { looksLikeIsoTime } from './times.js';

export type Selector =
  | { readonly form: 'head'; readonly back: number }
  | { readonly form: 'id'; readonly prefix: string }
  | { readonly form: 'sequence'; readonly timeline?: string; readonly sequence: number }
  | { readonly form: 'commit'; readonly revision: string }
  | { readonly form: 'tag' | 'name'; readonly name: string }
  | { readonly form: 'before'; readonly of: Selector }
  | { readonly form: 'time'; readonly text: string };

const LONGEST = 1000;
/** Fewer digits match too much by chance. */
const FEWEST_DIGITS = 4;
const DEEPEST = 50;

/** @throws selector_malformed */
export function parseSelector(text: string): Selector {
  return parse(text, text, 0);
}

function parse(whole: string, part: string, depth: number): Selector {
  const refuse = (reason: string) => contextError('selector_malformed', { selector: printable(whole), reason });
  // Such text may come from a script or an agent: it must not reach a terminal, a log or an option parser.
  if (/\p{Cc}/u.test(part)) throw refuse('it holds a control character');
  const text = part.trim();
  if (text === '') throw refuse('it is empty');
  if (text.length > LONGEST) throw refuse(`it is longer than ${String(LONGEST)} characters`);
  if (text.startsWith('-')) throw refuse('it looks like an option');
  const head = /^head(?:~(\d{0,6}))?$/i.exec(text);
  if (head !== null) return { form: 'head', back: head[1] === undefined ? 0 : Number(head[1] === '' ? '1' : head[1]) };
  const id = /^@?([0-9a-f]+)$/i.exec(text)?.[1]?.toLowerCase();
  if (id !== undefined) return { form: 'id', prefix: checkDigits(id, refuse) };
  if (text.startsWith('@')) throw refuse('an id has only the digits 0-9 and a-f');
  if (looksLikeIsoTime(text)) return { form: 'time', text };
  const prefixed = /^([a-z]+):(.*)$/is.exec(text);
  if (prefixed === null) return { form: 'time', text };
  const [, prefix = '', rest = ''] = prefixed;
  if (prefix.toLowerCase() === 'before') {
    if (depth >= DEEPEST) throw refuse('it is nested too deep');
    return { form: 'before', of: parse(whole, rest, depth + 1) };
  }
  return parsePrefixed(prefix.toLowerCase(), rest.trim(), refuse);
}

type Refuse = (reason: string) => Error;

function checkDigits(id: string, refuse: Refuse): string {
  if (id.length < FEWEST_DIGITS) throw refuse(`an id needs at least ${String(FEWEST_DIGITS)} digits`);
  if (id.length > 64) throw refuse('an id has at most 64 digits');
  return id;
}

function parsePrefixed(prefix: string, rest: string, refuse: Refuse): Selector {
  if (rest === '') throw refuse(`nothing follows ${prefix}:`);
  if (rest.startsWith('-')) throw refuse(`what follows ${prefix}: looks like an option`);
  if (prefix === 'tag' || prefix === 'name') return { form: prefix, name: rest };
  if (prefix === 'commit') return { form: 'commit', revision: rest };
  if (prefix === 'seq') {
    const found = /^(?:([0-9a-f]{4,32})\/)?(\d{1,15})$/i.exec(rest);
    if (found === null) throw refuse('after seq: comes a number, or a timeline, a slash and a number');
    const [, timeline, digits] = found;
    return { form: 'sequence', ...(timeline && { timeline: timeline.toLowerCase() }), sequence: Number(digits) };
  }
  throw refuse(`there is no form ${prefix}:`);
}

/** Returns the text with control characters shown as U+FFFD, and cut where it is too long to print. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\u{FFFD}').slice(0, LONGEST);
}
