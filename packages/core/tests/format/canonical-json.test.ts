import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text as textOf, utf8 } from '../../src/base/bytes.js';
import { ContextError } from '../../src/base/errors.js';
import type { JsonValue } from '../../src/base/json.js';
import {
  canonicalJson,
  DEPTH_LIMIT,
  isCanonical,
  isCanonicalText,
  parseJson,
} from '../../src/format/canonical-json.js';
import { failure } from './failure.js';
import { jsonValue } from './generated.js';

const canonical = (value: unknown): string => textOf(canonicalJson(value as JsonValue));
const parse = (json: string): JsonValue => parseJson(utf8(json), 'The test');

describe('canonicalJson', () => {
  it('sorts keys by UTF-16 code units, as the example of RFC 8785 §3.2.3', () => {
    const value = {
      '€': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      ö: 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.keys(JSON.parse(canonical(value)) as object).slice(1)).toEqual([
      '\r',
      '\u0080',
      'ö',
      '€',
      '\ud83d\ude00',
      '\ufb33',
    ]);
    // By code points, the emoji would come after U+FB33.
    expect(canonical({ '\ufb33': 1, '\ud83d\ude00': 2 })).toBe('{"\ud83d\ude00":2,"\ufb33":1}');
    // Numbers come before everything in JavaScript's own order of keys.
    expect(canonical({ '10': 1, '9': 2, '': 3, '!': 4 })).toBe('{"":3,"!":4,"10":1,"9":2}');
  });

  it('escapes as RFC 8785 §3.2.2.2 and nothing else', () => {
    expect(canonical('€$\u000f\nA\'B"\\\\"/')).toBe(`"€$\\u000f\\nA'B\\"\\\\\\\\\\"/"`);
    expect(canonical('\b\t\n\f\r\u0000\u001f')).toBe('"\\b\\t\\n\\f\\r\\u0000\\u001f"');
    expect(canonical('\u007f\u0080\u2028\u2029</script>\ufeff')).toBe('"\u007f\u0080\u2028\u2029</script>\ufeff"');
  });

  it('does not normalise text', () => {
    expect(canonical(['A\u030a', '\u00c5'])).toBe('["A\u030a","\u00c5"]');
  });

  it('writes literals and integers', () => {
    expect(canonical([true, false, 0, -0, -1, 9007199254740991, -9007199254740991])).toBe(
      '[true,false,0,0,-1,9007199254740991,-9007199254740991]',
    );
    expect(canonical({ a: {}, b: [], c: [[1], { d: 'e' }] })).toBe('{"a":{},"b":[],"c":[[1],{"d":"e"}]}');
  });

  it('drops absent properties and adds no newline', () => {
    expect(canonical({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it('keeps keys that name something of the prototype', () => {
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}') as JsonValue;
    expect(canonical(value)).toBe('{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}');
  });

  it.each([
    ['null', null],
    ['null in an object', { a: null }],
    ['undefined in an array', [undefined]],
    ['a hole in an array', new Array(1)],
    ['a fraction', 0.5],
    ['2^53', 2 ** 53],
    ['NaN', Number.NaN],
    ['infinity', Infinity],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['bytes', new Uint8Array(1)],
    ['a map', new Map()],
    ['a high surrogate', 'a\ud83d'],
    ['a low surrogate', '\ude00b'],
    ['a lone surrogate in a key', { '\ud83d': 1 }],
  ])('refuses %s', (_, value) => {
    expect(failure(() => canonical(value)).code).toBe('invariant_broken');
  });

  it('refuses what is nested too deep instead of overflowing the stack', () => {
    const nest = (depth: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < depth; level++) value = [value];
      return value;
    };
    expect(canonical(nest(DEPTH_LIMIT))).toHaveLength(2 * DEPTH_LIMIT + 1);
    expect(failure(() => canonical(nest(DEPTH_LIMIT + 1))).code).toBe('invariant_broken');
    expect(failure(() => canonical(nest(100_000))).code).toBe('invariant_broken');
  });
});

describe('parseJson', () => {
  it('reads what canonicalJson writes', () => {
    fc.assert(
      fc.property(jsonValue, (value) => {
        const bytes = canonicalJson(value);
        expect(parseJson(bytes, 'The test')).toEqual(value);
        expect(canonicalJson(parseJson(bytes, 'The test'))).toEqual(bytes);
        expect(isCanonical(bytes)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('agrees with JSON.parse on every value of its value space, however it is spelled', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(1, '\t', ' \n'), (value, space) => {
        const json = JSON.stringify(value, undefined, space);
        expect(parse(` ${json}\r\n`)).toEqual(JSON.parse(json));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads escapes and white space', () => {
    expect(parse(' { "a\\u0062\\n" : [ 1 , -2 , true , false , "\\ud83d\\ude00\\/" ] } \n')).toEqual({
      'ab\n': [1, -2, true, false, '😀/'],
    });
    expect(Object.is(parse('-0'), 0)).toBe(true);
  });

  it('makes __proto__ an ordinary key', () => {
    const value = parse('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['only space', ' \n'],
    ['null', 'null'],
    ['null inside', '{"a":[null]}'],
    ['a fraction', '1.5'],
    ['a fraction of zero', '[1.0]'],
    ['an exponent', '1e3'],
    ['an upper exponent', '1E3'],
    ['2^53', '9007199254740992'],
    ['minus 2^53', '-9007199254740992'],
    ['a long number', '12345678901234567890'],
    ['a leading zero', '01'],
    ['a plus', '+1'],
    ['a bare minus', '-'],
    ['a bare point', '.5'],
    ['NaN', 'NaN'],
    ['an upper literal', 'True'],
    ['a longer literal', 'trues'],
    ['a cut literal', 'tru'],
    ['a duplicate key', '{"a":1,"b":2,"a":1}'],
    ['a duplicate key in another spelling', '{"a":1,"\\u0061":2}'],
    ['a duplicate __proto__', '{"__proto__":1,"__proto__":2}'],
    ['a duplicate key deep inside', '[[{"x":{"a":1,"a":2}}]]'],
    ['a trailing comma in an array', '[1,]'],
    ['a trailing comma in an object', '{"a":1,}'],
    ['a missing comma', '[1 2]'],
    ['a missing colon', '{"a" 1}'],
    ['a missing value', '{"a":}'],
    ['a key without quotes', '{a:1}'],
    ['single quotes', "{'a':1}"],
    ['a comment', '/* */1'],
    ['an open array', '[1'],
    ['an open object', '{"a":1'],
    ['an open string', '"abc'],
    ['a string that ends in an escape', '"abc\\'],
    ['a raw newline in a string', '"a\nb"'],
    ['a raw NUL in a string', '"a\0b"'],
    ['an unknown escape', '"\\x41"'],
    ['a short escape', '"\\u12"'],
    ['a lone high surrogate', '"\\ud83d"'],
    ['a lone low surrogate', '"\\ude00"'],
    ['swapped surrogates', '"\\ude00\\ud83d"'],
    ['two values', '1 2'],
    ['a closing bracket too many', '[]]'],
    ['the wrong bracket', '[1}'],
    ['a byte order mark', '\ufeff{}'],
    ['a form feed as space', '\f1'],
    ['a no-break space', '\u00a01'],
  ])('refuses %s', (_, json) => {
    const error = failure(() => parse(json));
    expect([error.code, error.kind]).toEqual(['format_unreadable', 'corrupt']);
    expect(error.message).toContain('The test cannot be read');
  });

  it.each([
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['a stray byte', [0x22, 0x80, 0x22]],
    ['beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
  ])('refuses %s, which is not UTF-8', (_, bytes) => {
    expect(failure(() => parseJson(new Uint8Array(bytes), 'The test')).code).toBe('format_unreadable');
  });

  it('refuses nesting beyond the limit and reads nesting up to it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(DEPTH_LIMIT))).toBeInstanceOf(Array);
    expect(failure(() => parse(nested(DEPTH_LIMIT + 1))).message).toContain('more than 64 deep');
    expect(failure(() => parse(nested(100_000))).code).toBe('format_unreadable');
    expect(failure(() => parse('['.repeat(100_000))).code).toBe('format_unreadable');
    expect(failure(() => parse('{"a":'.repeat(100_000))).code).toBe('format_unreadable');
  });

  it('reads or refuses huge input without trouble', () => {
    const long = 'x'.repeat(10_000_000);
    expect(parse(`"${long}"`)).toBe(long);
    expect(parse(`"\\n${long}"`)).toBe(`\n${long}`);
    expect(failure(() => parse(`"${long}`)).code).toBe('format_unreadable');
    expect(failure(() => parse('"' + '\\"'.repeat(5_000_000))).code).toBe('format_unreadable');
    expect(failure(() => parse('9'.repeat(10_000_000))).code).toBe('format_unreadable');
    expect(failure(() => parse(' '.repeat(10_000_000))).code).toBe('format_unreadable');
    expect(parse(`[${'1,'.repeat(1_000_000)}1]`)).toHaveLength(1_000_001);
    const keys = Array.from({ length: 200_000 }, (_, index) => `"k${String(index)}":1`).join(',');
    expect(failure(() => parse(`{${keys},"k0":1}`)).message).toContain('twice');
  });

  it('never throws anything but a ContextError, whatever the bytes', () => {
    const bit = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0123dDefalstrn \n-.') }).map(utf8),
    );
    fc.assert(
      fc.property(bit, (bytes) => {
        try {
          const value = parseJson(bytes, 'The test');
          expect(isCanonical(canonicalJson(value))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ContextError);
        }
      }),
      { numRuns: 5000 },
    );
  });
});

describe('isCanonical', () => {
  it.each([
    ['white space', '{"a": 1}'],
    ['a trailing newline', '{"a":1}\n'],
    ['keys in another order', '{"b":1,"a":1}'],
    ['a needless escape', '"\\u0061"'],
    ['an escaped slash', '"\\/"'],
    ['upper hex in an escape', '"\\u001F"'],
    ['a long form of a short escape', '"\\u000a"'],
    ['minus zero', '-0'],
    ['keys in the order of code points', '{"\ufb33":1,"\ud83d\ude00":2}'],
    ['duplicate keys', '{"a":1,"a":1}'],
    ['null', 'null'],
    ['not JSON', '{'],
  ])('is false for %s', (_, json) => {
    expect(isCanonical(utf8(json))).toBe(false);
  });
});

describe('isCanonicalText', () => {
  const says = (json: string): boolean => isCanonicalText(JSON.parse(json), json);

  it.each([
    ['space', '{"a": 1}'],
    ['members in another order', '{"b":1,"a":2}'],
    ['members in another order further down', '[{"a":{"c":1,"b":2}}]'],
    ['members in the order of code points', '{"\ufb33":1,"\ud83d\ude00":2}'],
    ['numbers as keys in the order of JavaScript', '{"9":1,"10":2}'],
    ['a member twice', '{"a":1,"a":1}'],
    ['null', '{"a":null}'],
    ['a fraction', '[1.5]'],
    ['an exponent', '[1e3]'],
    ['minus zero', '[-0]'],
    ['an integer beyond 2^53', '[9007199254740992]'],
    ['an escape that is not needed', '"\\u0041"'],
    ['an escape of another form', '"\\u000a"'],
    ['upper-case digits in an escape', '"\\u001F"'],
    ['a lone surrogate', '"\\ud83d"'],
    ['an escaped slash', '"\\/"'],
    ['too deep a nesting', '['.repeat(DEPTH_LIMIT + 1) + ']'.repeat(DEPTH_LIMIT + 1)],
  ])('says no to %s', (_, json) => {
    expect(says(json)).toBe(false);
  });

  it('says yes only to canonical texts, and to nearly all of them', () => {
    let [yes, all] = [0, 0];
    fc.assert(
      fc.property(jsonValue, (value) => {
        const json = canonical(value);
        all += 1;
        if (says(json)) yes += 1;
        // The same value in the order of JavaScript, or spaced out.
        for (const other of [JSON.stringify(JSON.parse(json)), JSON.stringify(JSON.parse(json), undefined, 1)])
          if (says(other)) expect(isCanonical(utf8(other))).toBe(true);
      }),
      { numRuns: 1000 },
    );
    expect(yes / all).toBeGreaterThan(0.8);
  });

  it('agrees with the strict reader whatever stands in a text', () => {
    const piece = fc.constantFrom(...'{}[]",:\\u0d8129eE.-+ tfn', 'true', 'null', '"a"', '"b"', '{"a":1}', '\\ud83d');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const json = pieces.join('');
        let value: unknown;
        try {
          value = JSON.parse(json);
        } catch {
          return;
        }
        if (isCanonicalText(value, json)) expect(isCanonical(utf8(json))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
