/** Finds secrets by the name in front of them: `.env` lines, YAML, JSON in text, code, flags, XML and plain sentences. */
import { findHeader, findLooseCredential } from './headers.js';
import { classifyKey, isPathOf, LONGEST_KEY, type KeyClass } from './keys.js';
import type { Finding } from '../text/spans.js';
import { isCode, isPlaceholder, valueAt, type Value } from '../text/values.js';

const KEYWORD = new RegExp(
  'pass(?:w(?:or)?d|phrase|code|(?![a-z]))|pwd|secret|token|credential|authorization|cookie|bearer |basic |' +
    '(?:api|access|private|account|auth|encryption|signing|master|storage|service|deploy|license)[-_. ]?key|' +
    'connection[-_ ]?string|_auth(?![a-z])',
  'gi',
);

/** Adds the values of secret names in `text`. */
export function findAssignments(text: string, findings: Finding[]): void {
  const pattern = new RegExp(KEYWORD);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const word = match[0];
    const found = word.endsWith(' ')
      ? findLooseCredential(text, match.index, word)
      : findAssignment(text, match.index, pattern.lastIndex);
    if (found === undefined) continue;
    if (isFinding(found)) findings.push(found);
    // Text that belongs to a value is not searched for names again: a secret value stays one, however long.
    pattern.lastIndex = Math.max(pattern.lastIndex, found.end);
  }
}

function isFinding(found: Finding | { readonly end: number }): found is Finding {
  return 'kind' in found;
}

interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly class: KeyClass;
}

function findAssignment(text: string, from: number, to: number): Finding | { readonly end: number } | undefined {
  const name = nameAround(text, from, to);
  if (name.class.rule !== 'secret' || isKindOfMarker(text, name)) return { end: name.end };
  if (text[name.end] === '>' && text[name.start - 1] === '<') return elementValue(text, name);
  const separator = separatorAfter(text, name);
  if (separator === undefined || isBranch(text, name)) return { end: name.end };
  const { kind } = name.class;
  if (kind === 'authorization' || kind === 'cookie') {
    return findHeader(text, separator.end, kind) ?? { end: name.end };
  }
  const value = valueAt(text, separator.end, isLineOfItsOwn(text, name, separator.sign));
  if (value === undefined || !holdsSecret(text, { name, separator, value })) return { end: name.end };
  const { start, end, resume } = value;
  return resume === undefined ? { start, end, kind } : { start, end, kind, resume };
}

function isKindOfMarker(text: string, name: Name): boolean {
  return text.endsWith('[REDACTED:', name.start) && text[name.end] === ']';
}

/** `mode === 'a' ? 'secret' : 'literal'` names nothing. */
function isBranch(text: string, name: Name): boolean {
  return /\? ?["'`]$/.test(text.slice(Math.max(0, name.start - 3), name.start));
}

const NAME_CHARACTER = /[A-Za-z0-9_.-]/;

function nameAround(text: string, from: number, to: number): Name {
  let start = from;
  while (start > 0 && from - start < LONGEST_KEY && NAME_CHARACTER.test(text.charAt(start - 1))) start--;
  let end = to;
  while (end - to < LONGEST_KEY && NAME_CHARACTER.test(text.charAt(end))) end++;
  const name = text.slice(start, end);
  return { start, end, text: name, class: name === '_auth' ? AUTH : classifyKey(name) };
}

// The field of an .npmrc.
const AUTH: KeyClass = { rule: 'secret', kind: 'assignment', password: false };

interface Separator {
  readonly sign: string;
  /** True where no space stands around an equals sign. */
  readonly tight: boolean;
  readonly end: number;
}

const SEPARATOR = /["'`]?\]?\)?[?!]?\*{0,2}([ \t]{0,16})(=>|:=|===?|!==?|=|:|is(?= )|is:)\*{0,2}([ \t]{0,32})/y;
const TYPE =
  /(?:string|str|String|Secret|SecretStr|Optional\[str\]|&str|&'static str|const char\s?\*)(?:[ ]?\|[ ]?[a-z]{1,12}){0,2}[ \t]{0,8}=[ \t]{0,8}/y;
const QUOTE_PREFIX = /(?:[fbruFBRU@]{1,2}|\$)(?=["'`])/y;
const FLAG_VALUE = /(?:[ ]|["'],[ ]{0,4}(?=["']))/y;

function separatorAfter(text: string, name: Name): Separator | undefined {
  const match = matchAt(SEPARATOR, text, name.end);
  if (match !== undefined && (match[2] !== 'is' || isSpokenPassword(name))) {
    let end = name.end + match[0].length;
    end += matchAt(TYPE, text, end)?.[0].length ?? 0;
    end += matchAt(QUOTE_PREFIX, text, end)?.[0].length ?? 0;
    return { sign: match[2] ?? '', tight: match[1] === '' && match[3] === '', end };
  }
  const flag = name.text.startsWith('-') ? matchAt(FLAG_VALUE, text, name.end) : undefined;
  return flag && { sign: ' ', tight: false, end: name.end + flag[0].length };
}

function isSpokenPassword(name: Name): boolean {
  return name.class.password && /^[A-Za-z]+$/.test(name.text);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function elementValue(text: string, name: Name): Finding | { readonly end: number } {
  const start = name.end + 1;
  const content = /^[^<\r\n]{1,1024}(?=<\/)/.exec(text.slice(start, start + 1026))?.[0];
  if (content === undefined || isPlaceholder(content)) return { end: start };
  return { start, end: start + content.length, kind: name.class.kind };
}

const LINE_START = /(?:^|[\r\n])[ \t>+$#|-]*(?:(?:export|set|setx|ENV|ARG|declare -x|-) +)?["']?$/;

/** Tells whether an assignment fills its line, as in a `.env` file, where only white space ends the value. */
function isLineOfItsOwn(text: string, name: Name, sign: string): boolean {
  if (sign !== '=' && sign !== ':') return false;
  return startsLine(text, name.start) && (sign === ':' || /^[A-Z0-9_]+$/.test(name.text));
}

function startsLine(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 32), start);
  return LINE_START.test(start > 32 ? ` ${before}`.replace(/^ [ \t>+$#|-]+/, 'x') : before);
}

interface Assignment {
  readonly name: Name;
  readonly separator: Separator;
  readonly value: Value;
}

function holdsSecret(text: string, assignment: Assignment): boolean {
  const { name, value } = assignment;
  // No code and no placeholder is that long, and judging it again for each name in it would cost its square.
  if (value.end - value.start > 512) return true;
  const content = text.slice(value.start, value.end);
  if (isPlaceholder(content) || isPathOf(name.class, content)) return false;
  if (value.quote !== '') return isSecretInQuotes(content, name);
  return isBareSecret(text, assignment, content.replace(/[;,.)\]}]+$/, ''));
}

// A message about passwords, as forms and validators have them.
const MESSAGE = /\b(?:password|passwords|required|must|invalid|incorrect|please|token|secret)\b/i;

function isSecretInQuotes(content: string, name: Name): boolean {
  const { password } = name.class;
  // `'password:', value`: the quote ended the text before it.
  if (/^[,;)+]/.test(content) && /^.[ \r\n)]|^.$/.test(content.slice(0, 2))) return false;
  const literal = content.replace(/\$?\{[^{}]{0,100}\}/g, '').replace(/\$[A-Za-z_]\w{0,60}/g, '');
  if (literal !== content && literal.replace(/[^A-Za-z0-9]/g, '').length < 8) return false;
  if (!password && !isTokenInQuotes(content, name.text)) return false;
  return !(content.split(' ').length >= 3 && MESSAGE.test(content));
}

// A regular expression in quotes.
const EXPRESSION = /\(\?[:=!<]|\[\^|\\[sdwbSDWB]/;

/** Parsers and themes are full of `token: 'comment'`; a key or a secret in code may be a word. */
function isTokenInQuotes(content: string, name: string): boolean {
  if (content.length < 6 || EXPRESSION.test(content) || /^(?:[A-Z][a-z]+)+$/.test(content)) return false;
  if (!/token$/i.test(name) || content.length >= 20) return true;
  return content.length >= 8 && /[0-9]/.test(content) && !/#[0-9a-fA-F]{3,8}$/.test(content);
}

function isBareSecret(text: string, { name, separator, value }: Assignment, content: string): boolean {
  if (content === '' || isPlaceholder(content) || isCode(content) || /[=!]==?/.test(separator.sign)) return false;
  const { password } = name.class;
  const env = /^[A-Z0-9_.]+$/.test(name.text) && separator.sign === '=' && separator.tight;
  if (/^[-+]?[0-9][0-9_.,]*$/.test(content)) return password && content.length >= 4 && /^[0-9]+$/.test(content);
  if (env) return !isFollowedByCode(text, value.end);
  if (separator.sign === ' ') return isFlagValue(content, password);
  if (/[^A-Za-z_]/.test(content)) return isMixedSecret(content, password);
  return isWordSecret(text, { name, separator, value }, content);
}

function isFollowedByCode(text: string, end: number): boolean {
  return /^[([]/.test(text.slice(end, end + 1));
}

// Words that follow a flag in a sentence about it.
const PROSE = new Set(
  'to for the and or flag flags option options argument is are from with in on at a an if as by can may must will instead'.split(
    ' ',
  ),
);

function isFlagValue(content: string, password: boolean): boolean {
  if (content.startsWith('-') || PROSE.has(content) || /^[A-Z_]+$/.test(content)) return false;
  if (/[^A-Za-z_-]/.test(content)) return password || content.length >= 8;
  return password && content.length >= 4 && !/^(?:string|prompt|file|stdin|value|authentication)$/i.test(content);
}

/** A bare value with digits or signs: nearly every password; a token only if it is as long as tokens are. */
function isMixedSecret(content: string, password: boolean): boolean {
  if (/^[.,:;|/\\<>()[\]{}=*+?!-]+$/.test(content)) return false;
  if (password) return !/^\.{0,2}\/[A-Za-z0-9_./-]*$/.test(content);
  if (content.length < 8 || /^[a-z]+[0-9]{1,2}$/i.test(content)) return false;
  if (/[0-9]/.test(content)) return /[A-Za-z]/.test(content);
  return content.length >= 20 && /[a-z]/.test(content) && /[A-Z]/.test(content);
}

/** A bare value of letters only: a weak password in a settings file, or a name in code or prose. */
function isWordSecret(text: string, { name, separator, value }: Assignment, content: string): boolean {
  if (!name.class.password && content.length < 16) return false;
  const end = value.end;
  const fillsLine = startsLine(text, name.start) && /^[ \t]*(?:$|[\r\n]|#)/.test(text.slice(end, end + 40));
  if (separator.sign === ':')
    return (
      fillsLine &&
      end - value.start === content.length &&
      !/^[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(content) &&
      text[name.end] === ':'
    );
  const repeats = content.toLowerCase().includes(name.text.toLowerCase().slice(-6));
  return separator.sign === '=' && separator.tight && !repeats && !/[.([,)]/.test(text.charAt(end));
}
