/** Walks over JSON text without parsing it into values, and finds the secrets inside its string literals. */
import { isEscaped, unescapeOnce } from './text/escapes.js';
import { findInText } from './find.js';
import { classifyKey, PLAIN, isPathOf, type KeyClass } from './secrets/keys.js';
import { isOnlyMarkers, type Finding } from './text/spans.js';
import { SHORTEST_RUN, type Scope } from './secrets/tokens.js';
import { isPlaceholder } from './text/values.js';

interface Frame {
  readonly array: boolean;
  /** Of the key in front of the present value; an array has the class of its own key. */
  class: KeyClass;
  /** What the element before this one says about it: `["--password", "x"]`. */
  flagged?: KeyClass | undefined;
  key: string;
  /** What the field `name` beside this one says about the field `value`. */
  named?: KeyClass;
  expectsKey: boolean;
}

/** Where a scan stopped: out of text, in a literal that does not end there, or at something that is not JSON. */
export type Stop = 'end' | 'literal' | 'error';

export interface Scan {
  readonly consumed: number;
  readonly findings: readonly Finding[];
  readonly stop: Stop;
}

/** The walk over one JSON text, which may come in pieces. */
export class JsonWalk {
  private readonly frames: Frame[] = [];
  private values = 0;
  /** Set once a number or a name stood outside of everything. */
  private scalar = false;

  /** Goes on from the beginning of `text`; positions are those of `text`. */
  scan(text: string): Scan {
    const findings: Finding[] = [];
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at);
      if (code !== 34) {
        if (!this.structure(code)) return { consumed: at, findings, stop: 'error' };
        at++;
        continue;
      }
      const end = endOfLiteral(text, at + 1);
      if (end < 0) return { consumed: at, findings, stop: 'literal' };
      for (const found of this.literal(text.slice(at + 1, end))) {
        findings.push({ start: at + 1 + found.start, end: at + 1 + found.end, kind: found.kind });
      }
      at = end + 1;
    }
    return { consumed: text.length, findings, stop: 'end' };
  }

  /** Tells whether exactly one whole value was seen. */
  get isWhole(): boolean {
    return this.frames.length === 0 && this.values + (this.scalar ? 1 : 0) === 1;
  }

  /** Takes the content of a literal and returns the secrets in it. */
  literal(raw: string): readonly Finding[] {
    const frame = this.frames.at(-1);
    if (frame?.expectsKey === true) {
      const plain = unescapeOnce(raw)?.text ?? raw;
      frame.key = plain;
      frame.class = classifyKey(plain);
      return findInLiteral(raw, 'identifier');
    }
    const judged = this.valueClass();
    this.afterValue(raw);
    // "apiKeys": ["id", "mode"] lists names; a list of secrets looks like one.
    const isName = frame?.array === true && judged === frame.class && /^[A-Za-z_.-]{0,40}$/.test(raw);
    return isName ? [] : findInValueOf(raw, judged, frame?.key ?? '');
  }

  /** The key in front of the present value. */
  get key(): string {
    return this.frames.at(-1)?.key ?? '';
  }

  /** What is known about the value that comes next. */
  valueClass(): KeyClass {
    const frame = this.frames.at(-1);
    if (frame === undefined || frame.expectsKey) return PLAIN;
    if (frame.flagged?.rule === 'secret') return frame.flagged;
    return frame.named?.rule === 'secret' && /^value$/i.test(frame.key) ? frame.named : frame.class;
  }

  /** Remembers what a value says about its neighbours. */
  afterValue(raw: string): void {
    const frame = this.frames.at(-1);
    if (frame === undefined) this.values++;
    else if (frame.array) {
      frame.flagged = raw.startsWith('-') ? classifyKey(raw) : undefined;
    } else if (/^(?:name|key)$/i.test(frame.key) && raw.length <= 64) frame.named = classifyKey(raw);
  }

  private structure(code: number): boolean {
    const frame = this.frames.at(-1);
    switch (code) {
      case 0x7b: // {
        this.frames.push({ array: false, class: PLAIN, key: '', expectsKey: true });
        return true;
      case 0x5b: // [
        this.frames.push({ array: true, class: arrayClass(frame), key: frame?.key ?? '', expectsKey: false });
        return true;
      case 0x7d: // }
      case 0x5d: // ]
        this.frames.pop();
        if (this.frames.length === 0) this.values++;
        return frame !== undefined && frame.array === (code === 0x5d);
      case 0x2c: // ,
        if (frame !== undefined && !frame.array) frame.expectsKey = true;
        return frame !== undefined;
      case 0x3a: // :
        if (frame !== undefined) frame.expectsKey = false;
        return frame !== undefined && !frame.array;
      default:
        if (frame === undefined && code > 0x20) this.scalar = true;
        return SCALAR[code] === 1;
    }
  }
}

function arrayClass(frame: Frame | undefined): KeyClass {
  return frame === undefined || frame.expectsKey ? PLAIN : frame.class;
}

const SCALAR = new Uint8Array(256);
for (const character of ' \t\r\n0123456789+-.eEtrufalsn') SCALAR[character.charCodeAt(0)] = 1;

/** Returns the position of the closing quote, or -1. */
export function endOfLiteral(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at - 1) === 92 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

function findInValueOf(raw: string, judged: KeyClass, key: string): readonly Finding[] {
  switch (judged.rule) {
    case 'secret': {
      const value = unescapeOnce(raw)?.text ?? raw;
      return isSecretValue(value, judged)
        ? [{ start: 0, end: raw.length, kind: kindOfSecret(value, judged) }]
        : findInLiteral(raw, 'text');
    }
    case 'plain':
      return findInLiteral(raw, key === 'data' && isBase64(raw) ? 'random' : 'text');
    default:
      return findInLiteral(raw, judged.rule);
  }
}

// The content of images, documents and redacted thinking.
function isBase64(value: string): boolean {
  return value.length >= 32 && /^[A-Za-z0-9+/_-]*={0,2}$/.test(value);
}

/** Tells whether the value of a secret's key is one, and not a placeholder for it. */
export function isSecretValue(value: string, judged: KeyClass): boolean {
  const { kind } = judged;
  if (
    isPathOf(judged, value) ||
    isPlaceholder(value) ||
    isOnlyMarkers(value.slice(0, 4096).replace(/^[A-Za-z]{1,20} /, ''))
  )
    return false;
  if (kind !== 'authorization' && kind !== 'cookie') return true;
  return value.length >= 16 || /[0-9 =]/.test(value);
}

function kindOfSecret(value: string, { kind }: KeyClass): string {
  const [found, ...more] = findInText(value.slice(0, 65536), 'identifier');
  return found !== undefined && more.length === 0 && found.end - found.start >= value.length * 0.8 ? found.kind : kind;
}

// `pwd=x`.
const SHORTEST_TEXT = 5;

function findInLiteral(raw: string, scope: Scope): readonly Finding[] {
  if (raw.length < (scope === 'text' ? SHORTEST_TEXT : SHORTEST_RUN)) return [];
  const plain = unescapeOnce(raw);
  if (plain === undefined) return findInValue(raw, scope);
  return findInValue(plain.text, scope).map(({ start, end, kind }) => ({
    start: plain.origin(start),
    end: plain.origin(end),
    kind,
  }));
}

const MOST_PARSED = 4 * 1024 * 1024;

/** Returns the secrets of a value, which may itself be JSON as text. */
export function findInValue(text: string, scope: Scope): readonly Finding[] {
  if (scope !== 'text' || !isJson(text)) return findInText(text, scope);
  const { findings, stop } = new JsonWalk().scan(text);
  return stop === 'end' ? findings : findInText(text, scope);
}

function isJson(text: string): boolean {
  if (text.length > MOST_PARSED || !/^[ \t\r\n]*[[{]/.test(text) || !/[\]}][ \t\r\n]{0,8}$/.test(text.slice(-9)))
    return false;
  return parses(text);
}

/** Tells whether a text is JSON. */
export function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
