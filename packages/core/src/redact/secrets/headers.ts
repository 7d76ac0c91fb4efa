/** Finds credentials in HTTP headers: `Authorization`, `Bearer`, `Basic`, `Cookie`. */
import type { Finding } from '../text/spans.js';
import { isPlaceholder } from '../text/values.js';

const SCHEME =
  /["'`]?(?:(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|Bot|GoogleLogin|OAuth|AWS4-HMAC-SHA256|SharedKey|GenieKey|Key)[ \t]{1,8})?/iy;

/** Returns the credentials of a header whose value begins at `at`; the scheme's name stays. */
export function findHeader(text: string, at: number, kind: string): Finding | undefined {
  SCHEME.lastIndex = at;
  const scheme = SCHEME.exec(text)?.[0] ?? '';
  const start = at + scheme.length;
  const end = endOfHeader(text, start);
  let last = end;
  // Not trimEnd: in the bytes of UTF-8 an 0xa0 is no space.
  while (last > start && (text[last - 1] === ' ' || text[last - 1] === '\t')) last--;
  const content = text.slice(start, last);
  const named = /[A-Za-z]/.test(scheme);
  if (!isCredential(content, kind, named)) return undefined;
  return end === text.length ? { start, end, kind, resume: endOfHeader } : { start, end: last, kind };
}

function endOfHeader(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\n' || character === '\r' || character === '"' || character === "'" || character === '`')
      return at;
    if (character === '\\' && /^\\+["'`nr]/.test(text.slice(at, at + 8))) return at;
  }
  return text.length;
}

function isCredential(content: string, kind: string, named: boolean): boolean {
  if (content.length > 1024) return true;
  if (isPlaceholder(content) || /^[$<{]/.test(content)) return false;
  if (kind === 'cookie') return /^[A-Za-z0-9_.-]{1,128}=[^;\s]{2,}/.test(content);
  const first = /^[^ \t]*/.exec(content)?.[0] ?? '';
  if (isPlaceholder(first) || /[([]/.test(first)) return false;
  if (named) return first.length >= 4 && !/^[A-Z_]+$/.test(first);
  return first.length >= 8 && /[0-9]/.test(first) && /[A-Za-z]/.test(first);
}

const TOKEN = /[A-Za-z0-9._~+/=-]{16,4096}/y;
const BASIC = /[A-Za-z0-9+/]{6,2048}={0,2}(?![A-Za-z0-9+/=])/y;

/** Returns what follows `Bearer ` or `Basic ` without a header's name in front of it. */
export function findLooseCredential(text: string, at: number, scheme: string): Finding | undefined {
  if (/[A-Za-z0-9_]/.test(text.charAt(at - 1))) return undefined;
  const bearer = scheme.toLowerCase() === 'bearer ';
  const pattern = bearer ? TOKEN : BASIC;
  const start = at + scheme.length;
  pattern.lastIndex = start;
  const content = pattern.exec(text)?.[0];
  if (content === undefined || isPlaceholder(content)) return undefined;
  const secret = bearer ? /[0-9]/.test(content) && /[A-Za-z]/.test(content) : isBasicCredential(content);
  return secret ? { start, end: start + content.length, kind: 'authorization' } : undefined;
}

/** Tells whether base64 stands for `user:password`. */
export function isBasicCredential(base64: string): boolean {
  if (!/[0-9=]/.test(base64) && base64.length < 16) return false;
  return /^[^\x00-\x1f:]{0,256}:[^\x00-\x1f]{1,1024}$/.test(Buffer.from(base64, 'base64').toString('latin1'));
}
