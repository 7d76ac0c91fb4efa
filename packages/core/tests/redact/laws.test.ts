import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { latin1 } from '../../src/redact/text/byte-text.js';
import {
  LongLineRedactor,
  redactBytes,
  redactLine,
  redactTextSpans,
  type RedactedBytes,
} from '../../src/redact/redactor.js';
import { anyJson, anyLine, anyText, isJson } from './pieces.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const anyBytes = fc.oneof(
  anyText.map(bytes),
  fc
    .tuple(anyText, fc.uint8Array({ maxLength: 6 }), anyText)
    .map(([a, b, c]) => new Uint8Array([...bytes(a), ...b, ...bytes(c)])),
);

/** What is left of a text when its replacements are taken away. */
function gaps({ bytes: all, spans }: RedactedBytes): readonly string[] {
  const text = latin1(all);
  let from = 0;
  const kept = spans.map(({ start, end, kind }) => {
    expect(text.slice(start, end)).toBe(`[REDACTED:${kind}]`);
    const gap = text.slice(from, start);
    from = end;
    return gap;
  });
  return [...kept, text.slice(from)];
}

/** Tells whether `parts` stand in `whole` in this order, the first at its beginning and the last at its end. */
function standsIn(whole: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return whole === first;
  const last = parts.at(-1) ?? '';
  if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = whole.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return at <= whole.length - last.length;
}

describe('laws of redaction', () => {
  test('redacting text twice changes nothing and finds nothing', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(undefined, 'password', 'id', 'signature'), (text, key) => {
        const context = key === undefined ? {} : { key };
        const once = redactTextSpans(text, context);
        expect(redactTextSpans(once.text, context)).toEqual({ text: once.text, kinds: {}, spans: [] });
      }),
      { numRuns: 1000 },
    );
  });

  test('redacting bytes twice gives the same array back', () => {
    fc.assert(
      fc.property(anyBytes, (input) => {
        const once = redactBytes(input);
        const twice = redactBytes(once.bytes);
        expect(latin1(twice.bytes)).toBe(latin1(once.bytes));
        expect(twice).toEqual({ bytes: once.bytes, spans: [] });
        expect(twice.bytes).toBe(once.bytes);
      }),
      { numRuns: 1000 },
    );
  });

  test('redacting a line twice gives the same array back', () => {
    fc.assert(
      fc.property(fc.oneof(anyLine.map(bytes), anyBytes), (input) => {
        const once = redactLine(input);
        const twice = redactLine(once.bytes);
        expect(latin1(twice.bytes)).toBe(latin1(once.bytes));
        expect(twice.bytes).toBe(once.bytes);
        expect(twice.readable).toBe(once.readable);
      }),
      { numRuns: 1000 },
    );
  });

  test('every byte outside a replacement is the one that stood there', () => {
    fc.assert(
      fc.property(fc.oneof(anyLine.map(bytes), anyBytes), (input) => {
        for (const redacted of [redactBytes(input), redactLine(input)]) {
          expect(standsIn(latin1(input), gaps(redacted))).toBe(true);
          if (redacted.spans.length === 0) expect(redacted.bytes).toBe(input);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('a JSON line stays JSON with the same keys, numbers and shape', () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const { bytes: redacted, readable } = redactLine(bytes(line));
        const text = Buffer.from(redacted).toString();
        expect(readable).toBe(true);
        expect(isJson(text)).toBe(true);
        expect(shape(JSON.parse(text))).toEqual(shape(JSON.parse(line)));
      }),
      { numRuns: 1000 },
    );
  });

  test('a long line comes out the same however it is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyLine, anyText),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }),
        (line, cuts) => {
          const input = bytes(line);
          expect(pushed(input, cuts)).toEqual(pushed(input, []));
        },
      ),
      { numRuns: 500 },
    );
  });

  test('a long line has the same replacements as a short one, and stays JSON', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const input = bytes(JSON.stringify(value));
        const long = pushed(input, [7, 11]);
        const short = redactLine(input);
        expect(long.readable).toBe(true);
        expect(latin1(long.bytes)).toBe(latin1(short.bytes));
        expect(long.spans).toEqual(short.spans);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Keys and kinds of values, without the texts. A key that holds a secret loses it, so keys are counted. */
function shape(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shape);
  return value;
}

function pushed(input: Uint8Array, cuts: readonly number[]): RedactedBytes & { readonly readable: boolean } {
  const redactor = new LongLineRedactor();
  const out: number[] = [];
  const spans: { start: number; end: number; kind: string }[] = [];
  const take = (piece: RedactedBytes): void => {
    for (const { start, end, kind } of piece.spans)
      spans.push({ start: start + out.length, end: end + out.length, kind });
    for (const byte of piece.bytes) out.push(byte);
  };
  let from = 0;
  for (const cut of cuts) {
    take(redactor.push(input.subarray(from, from + cut)));
    from = Math.min(input.length, from + cut);
  }
  take(redactor.push(input.subarray(from)));
  const { readable, ...last } = redactor.end();
  take(last);
  return { bytes: new Uint8Array(out), spans, readable };
}
