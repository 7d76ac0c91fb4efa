/** Finds private keys in blocks: PEM of every kind, PGP, OpenSSH, SSH2, PuTTY; whole, cut at either end, or indented. */
import type { Finding } from '../text/spans.js';

const KIND = 'private-key';
const NAME = 'PRIVATE KEY';

// A block with both its ends is at most this long; of a longer or cut one, everything that looks like its body goes.
export const LONGEST_BLOCK = 32 * 1024;

const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}$/;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}$/;
// The markers' text behind the name: ` BLOCK-----` or ` ----`.
const TAIL = /(?: BLOCK)? ?-{4,5}/y;

/** Adds every private key in `text`. */
export function findPrivateKeys(text: string, findings: Finding[]): void {
  let done = 0;
  for (let at = text.indexOf(NAME); at >= 0; at = text.indexOf(NAME, Math.max(at + NAME.length, done))) {
    TAIL.lastIndex = at + NAME.length;
    const tail = TAIL.exec(text);
    if (tail === null) continue;
    const markEnd = TAIL.lastIndex;
    const mark = text.slice(Math.max(0, at - 64), markEnd);
    const begin = BEGIN.exec(mark);
    const start = begin ? markEnd - begin[0].length : END.test(mark) ? startOfBody(text, markEnd, done) : undefined;
    if (start === undefined) continue;
    const found = begin ? blockFrom(text, start, markEnd) : { start, end: markEnd, kind: KIND };
    done = found.end;
    if (hasBody(text, begin ? markEnd : start, done)) findings.push(found);
  }
  findPuttyKeys(text, findings);
}

/** Code and prose name the marks without a key between them. */
function hasBody(text: string, from: number, to: number): boolean {
  return /[A-Za-z0-9+/]{16}/.test(text.slice(from, Math.min(to, from + LONGEST_BLOCK)));
}

function blockFrom(text: string, start: number, bodyStart: number): Finding {
  const window = text.slice(bodyStart, bodyStart + LONGEST_BLOCK);
  const next = window.search(/-{4,5} ?(?:BEGIN|END) /);
  if (next >= 0) {
    const end = /^-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/.exec(window.slice(next, next + 80));
    if (end !== null) return { start, end: bodyStart + next + end[0].length, kind: KIND };
  }
  const end = endOfBody(text, bodyStart);
  return end === text.length ? { start, end, kind: KIND, resume: endOfBodyAndMark } : { start, end, kind: KIND };
}

const HEADERS =
  /(?:[\r\n\\rn \t]{0,16}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Subject|X-[A-Za-z-]{1,24}): [^\r\n\\"]{0,200}){0,6}/y;

/** Of a block without its end: white space, escapes of it, and base64, also behind line numbers or a diff's signs. */
function endOfBody(text: string, from: number): number {
  HEADERS.lastIndex = from;
  const headers = HEADERS.exec(text);
  let at = headers === null ? from : from + headers[0].length;
  for (let step = bodyAt(text, at); step > 0; step = bodyAt(text, at)) at += step;
  if (at === text.length) return at;
  while (at > from && (text[at - 1] === ' ' || text[at - 1] === '\n')) at--;
  return at;
}

const BODY = new Set(
  Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n\t \\|', (c) => c.charCodeAt(0)),
);

/** Length of the piece of a body at `at`: a character, or the arrow that agents print behind a line's number. */
function bodyAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (BODY.has(code) || code === 0x2192) return 1;
  return code === 0xe2 && text.startsWith(ARROW, at) ? ARROW.length : 0;
}

function bodyBefore(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  if (BODY.has(code) || code === 0x2192) return 1;
  return code === 0x92 && text.startsWith(ARROW, at - ARROW.length) ? ARROW.length : 0;
}

// U+2192 in UTF-8, one character for each byte.
const ARROW = '\xe2\x86\x92';

function endOfBodyAndMark(text: string, from: number): number {
  const end = endOfBody(text, from);
  const mark = /^[\s\\n]{0,8}-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/.exec(text.slice(end, end + 96));
  return end + (mark?.[0].length ?? 0);
}

/** Returns where the body before an END mark begins, if the block's beginning was cut off. */
function startOfBody(text: string, markEnd: number, from: number): number | undefined {
  const mark = text.slice(0, markEnd).lastIndexOf('END');
  let start = mark;
  while (start > from && text[start - 1] === '-') start--;
  for (let step = 1; step > 0 && start > from && mark - start < LONGEST_BLOCK; start -= step)
    step = bodyBefore(text, start);
  // Words of a sentence before the body are base64 too: it begins where its first full line does.
  const body = text.slice(start, mark);
  const line = body.search(/[A-Za-z0-9+/]{16}/);
  return line < 0 ? undefined : start + line;
}

const PUTTY = /Private-Lines: ?[0-9]{1,4}/g;

function findPuttyKeys(text: string, findings: Finding[]): void {
  if (!text.includes('Private-Lines:')) return;
  const matches = [...text.matchAll(PUTTY)];
  matches.forEach((match, index) => {
    const start = match.index + match[0].length;
    const limit = Math.min(matches[index + 1]?.index ?? text.length, start + LONGEST_BLOCK);
    const mac = /Private-(?:MAC|Hash): ?[0-9a-f]{0,128}/.exec(text.slice(start, limit));
    const end = mac === null ? endOfBody(text, start) : start + mac.index + mac[0].length;
    if (hasBody(text, start, end)) findings.push({ start, end, kind: KIND });
  });
}
