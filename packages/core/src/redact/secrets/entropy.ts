/** Tells a random string from names, paths, digests and ids: the last resort for secrets of no known form. */
import { classifyKey } from './keys.js';
import type { Finding } from '../text/spans.js';

const SHORTEST = 24;
// Longer runs are data, not keys; a token of that length has a form of its own (a JWT).
const LONGEST = 200;

const RUN = /[A-Za-z0-9+/_=-]{24,}/g;

/** Ids that services and agents print everywhere: they name something and open nothing. */
const ID_PREFIX =
  /^(?:sha1|sha256|sha384|sha512|md5|toolu|srvtoolu|msg|msgs|req|call|chatcmpl|cmpl|resp|rs|fc|fco|ws|ci|run|step|thread|asst|file|batch|ses|session|prt|part|evt|event|snap|item|turn|task|job|user|usr|org|proj|conv|chat|gen|cus|pi|ch|in|sub|price|prod|acct|si|seti|pm|txn|agent|ctr|container|vs|ev|id|key_id|ap|im|sg|ami|i|vpc|subnet|arn)[_-]/;

const HARMLESS_BEFORE =
  /(?:sha\d{1,3}[-:=]|md5[-:]|SHA256:|h1:|;base64,|ssh-[a-z0-9]{2,10} |ecdsa-[a-z0-9-]{4,24} |[/\\~@])$/;

/** Adds what looks random in `text[from, to)`, one run of characters that tokens are made of. */
export function findRandom(
  text: string,
  range: { readonly from: number; readonly to: number },
  findings: Finding[],
): void {
  const { from, to } = range;
  RUN.lastIndex = 0;
  const run = text.slice(from, to);
  for (let match = RUN.exec(run); match !== null; match = RUN.exec(run)) {
    const { start, token } = afterAssignment(match[0], from + match.index);
    if (!looksRandom(token) || hasHarmlessPlace(text, start, start + token.length)) continue;
    findings.push({ start, end: start + token.length, kind: 'high-entropy' });
  }
}

/** In `name=value` only the value can be random; a `=` at the end is padding. */
function afterAssignment(token: string, start: number): { readonly start: number; readonly token: string } {
  const equals = token.search(/=[^=]/);
  return equals < 0 ? { start, token } : { start: start + equals + 1, token: token.slice(equals + 1) };
}

/** Tells whether a token is spread over letters of both cases and digits as only chance does it. */
export function looksRandom(token: string): boolean {
  const bare = token.replace(/={1,3}$/, '');
  if (bare.length < SHORTEST || bare.length > LONGEST) return false;
  const { lower, upper, digits, marks, slashes, changes, vowels, words } = measure(bare);
  if (lower < 3 || upper < 3 || digits < 2) return false;
  if (words >= bare.length * 0.45) return false;
  if (marks > bare.length / 8 || slashes > bare.length / 12) return false;
  const changeRate = changes / (bare.length - 1);
  const vowelRate = vowels / (lower + upper);
  if (changeRate < 0.36 || (vowelRate >= 0.34 && changeRate < 0.5) || shannon(bare) < 3.6) return false;
  // `NODE_SEA_FUSE_fce680ab` is a name and a digest.
  if (!bare.split(/[-_/+]/).some((part) => part.length >= 8 && /[a-z]/.test(part) && /[A-Z]/.test(part))) return false;
  return !ID_PREFIX.test(bare) && !bare.startsWith('AAAA') && !/^Qm[1-9A-HJ-NP-Za-km-z]{44}$/.test(bare);
}

const MARK = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const SLASH = 4;
const SORTS = new Uint8Array(128);
const VOWELS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) SORTS[code] = LOWER;
  if (/[A-Z]/.test(character)) SORTS[code] = UPPER;
  if (/[0-9]/.test(character)) SORTS[code] = DIGIT;
  if (character === '/') SORTS[code] = SLASH;
  if (/[aeiou]/i.test(character)) VOWELS[code] = 1;
}

interface Measure {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  readonly marks: number;
  readonly slashes: number;
  /** How often a character is of another sort than the one before it. */
  readonly changes: number;
  readonly vowels: number;
  /** Characters in runs of three or more small letters. */
  readonly words: number;
}

function measure(token: string): Measure {
  const counts = [0, 0, 0, 0, 0];
  let changes = 0;
  let vowels = 0;
  let words = 0;
  let run = 0;
  let before = -1;
  for (let at = 0; at < token.length; at++) {
    const code = token.charCodeAt(at);
    const sort = SORTS[code] ?? MARK;
    counts[sort] = (counts[sort] ?? 0) + 1;
    vowels += VOWELS[code] ?? 0;
    if (sort !== before && before >= 0) changes++;
    run = sort === LOWER ? run + 1 : 0;
    if (run >= 3) words += run === 3 ? 3 : 1;
    before = sort;
  }
  const [marks = 0, lower = 0, upper = 0, digits = 0, slashes = 0] = counts;
  return { lower, upper, digits, marks, slashes, changes, vowels, words };
}

/** Bits per character. */
function shannon(token: string): number {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits;
}

function hasHarmlessPlace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  if (text[start] === '/' || HARMLESS_BEFORE.test(before)) return true;
  const after = text.slice(end, end + 8);
  if (/^(?:\.[a-z][a-z0-9]{0,4}(?![A-Za-z0-9])|\(|\\)/.test(after)) return true;
  return isInUrl(text, start) || isValueOfOpaqueKey(text, start) || isLineOfBlock(text, start, end);
}

/** A query's value is judged by its name; the rest of a URL without a password names a place. */
function isInUrl(text: string, start: number): boolean {
  let from = start;
  while (from > 0 && start - from < 512 && !' \t\r\n"\'`<>'.includes(text.charAt(from - 1))) from--;
  return text.slice(from, start).includes('://');
}

/** The text of torn or quoted JSON keeps its signatures and ids too. */
function isValueOfOpaqueKey(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  const key = /([A-Za-z0-9_.-]{1,64})["'\\]{0,8} {0,4}[:=>] {0,4}["'\\]{0,8}$/.exec(before)?.[1];
  if (key === undefined) return false;
  const { rule } = classifyKey(key);
  return rule === 'identifier' || rule === 'random' || key === 'data';
}

/** Lines of base64 under one another: a certificate, an attachment, an encoded file. */
function isLineOfBlock(text: string, start: number, end: number): boolean {
  let above = start;
  while (start - above < 16 && ' \t>|+'.includes(text.charAt(above - 1))) above--;
  if (text.charAt(above - 1) === '\n') {
    const last = text.charAt(above - 2) === '\r' ? above - 2 : above - 1;
    if (/^[A-Za-z0-9+/]{40}$/.test(text.slice(Math.max(0, last - 40), last))) return true;
  }
  return end - start >= 60 && /^\r?\n[ \t>|+]{0,16}[A-Za-z0-9+/]{16}/.test(text.slice(end, end + 64));
}
