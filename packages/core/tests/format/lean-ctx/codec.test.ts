import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../src/base/bytes.js';
import {
  LEAN_CTX_BYTES,
  leanCtxBody,
  leanCtxId,
  leanCtxSignedMessage,
  looksLikeLeanCtx,
  readLeanCtx,
  writeLeanCtx,
} from '../../../src/format/lean-ctx/codec.js';
import { failure } from '../failure.js';
import { leanCtxSnapshot } from './generated.js';
import { readText, signedLine, vector, VECTORS } from './vectors.js';

describe('a snapshot of lean-ctx', () => {
  it.each(VECTORS)('has the body, the id and the signed message of the vector $name', (one) => {
    const snapshot = readText(signedLine(one));
    expect(text(leanCtxBody(snapshot))).toBe(one.canonical_body);
    expect(leanCtxId(snapshot)).toBe(one.snapshot_id);
    expect(text(leanCtxSignedMessage(one.snapshot_id))).toBe(one.signing_message_ascii);
  });

  it('is written in lines as its program publishes it', () => {
    const lines = text(writeLeanCtx(readText(signedLine(vector('FULL')))));
    // JSON.stringify would write 20 and 0.91 in the same way, but not 0.0.
    expect(lines).toBe(JSON.stringify(JSON.parse(lines), undefined, 2));
    expect(text(writeLeanCtx(readText(signedLine(vector('MIN')))))).toContain('  "items": []\n');
    expect(text(writeLeanCtx(readText(signedLine(vector('MIN')))))).toContain('"compression_rate": 0.0\n');
  });

  it('comes back byte for byte when it is read and written', () => {
    fc.assert(
      fc.property(leanCtxSnapshot, (snapshot) => {
        const bytes = writeLeanCtx(snapshot);
        const again = readLeanCtx(bytes);
        expect(text(writeLeanCtx(again))).toBe(text(bytes));
        expect(again).toEqual(snapshot);
        expect(leanCtxId(again)).toBe(leanCtxId(snapshot));
      }),
    );
  });

  it('has the same id whatever the order, the spacing and the escapes of its file', () => {
    const one = vector('FULL');
    const value = JSON.parse(signedLine(one)) as Record<string, unknown>;
    const turned = Object.fromEntries(Object.entries(value).reverse());
    expect(leanCtxId(readText(JSON.stringify(turned, undefined, '\t')))).toBe(one.snapshot_id);
    expect(leanCtxId(readText(signedLine(one).replace('src/main.rs', 'src\\/m\\u0061in.rs')))).toBe(one.snapshot_id);
  });

  it('has the same id where a field that may be null is missing', () => {
    const one = vector('MIN');
    const without = signedLine(one).replace('"parent_id":null,', '').replace('"session":null,', '');
    expect(leanCtxId(readText(without))).toBe(one.snapshot_id);
  });

  it('escapes as its serialiser does', () => {
    const task = '"\\\b\f\n\r\t\u0000\u001f/\u007f\u2028é\ud83d\ude00';
    const line = signedLine(vector('FULL')).replace('"Implement Context Time Machine"', JSON.stringify(task));
    expect(text(leanCtxBody(readText(line)))).toContain(
      '"task":"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\u007f\u2028é\ud83d\ude00"',
    );
  });

  it.each([
    ['4 tokens more', '"input_tokens":1000', '"input_tokens":18446744073709551615'],
    ['a number that a double would round', '"input_tokens":1000', '"input_tokens":9007199254740993'],
    ['an older exponent', '"compression_rate":0.44444', '"compression_rate":1e16'],
    ['a newer exponent', '"compression_rate":0.44444', '"compression_rate":1e+16'],
    ['a trailing zero', '"compression_rate":0.44444', '"compression_rate":0.444440'],
    ['no number', '"compression_rate":0.44444', '"compression_rate":null'],
  ])('keeps the digits of a number: %s', (_, before, after) => {
    const body = vector('FULL').canonical_body.replace(before, after);
    expect(body).toContain(after);
    expect(text(leanCtxBody(readText(body)))).toBe(body);
  });
});

describe('a file that is no snapshot of lean-ctx', () => {
  const full = signedLine(vector('FULL'));
  const swap = (before: string, after: string): string => {
    if (!full.includes(before)) throw new Error(`the vector lacks ${before}`);
    return full.replace(before, after);
  };

  it.each([
    ['nothing', '', 'a value is missing'],
    ['another value', '[]', 'it is not an object'],
    ['a field twice', swap('"git":', '"lineage":{},"git":'), 'a key stands twice'],
    ['a field twice in other letters', swap('"git":', '"g\\u0069t":{},"git":'), 'a key stands twice'],
    ['a field that no id covers', swap('"git":', '"note":"x","git":'), 'it has a field that its id does not cover'],
    ['such a field inside', swap('"dirty":true', '"dirty":true,"x":1'), 'git has a field that its id does not cover'],
    ['such a field in a list', swap('"phi":0.91', '"phi":0.91,"x":1'), 'ledger.items[0] has a field'],
    ['a prototype', swap('"git":', '"__proto__":{},"git":'), 'it has a field that its id does not cover'],
    [
      'a missing field',
      swap('"dirty":true', '"commit":null').replace('"commit":"abc1234",', ''),
      'git.dirty is missing',
    ],
    ['a number for a text', swap('"tool":"ctx_read"', '"tool":1'), 'lineage.items[0].tool is not a string'],
    ['a text for a number', swap('"seq":1', '"seq":"1"'), 'lineage.items[0].seq is not a number'],
    ['a negative count', swap('"seq":1', '"seq":-1'), 'seq is not an integer from 0'],
    ['a count with a point', swap('"seq":1', '"seq":1.0'), 'seq is not an integer from 0'],
    ['a count with an exponent', swap('"seq":1', '"seq":1e5'), 'seq is not an integer from 0'],
    ['a count of 2^64', swap('"seq":1', '"seq":18446744073709551616'), 'to 18446744073709551615'],
    ['a progress of 256', swap('"progress_pct":20', '"progress_pct":256'), 'progress_pct is not an integer'],
    ['a leading zero', swap('"seq":1', '"seq":01'), 'an object is not closed'],
    ['a bare point', swap('0.91', '.91'), 'a value is missing'],
    ['an endless number', swap('0.91', `0.${'1'.repeat(64)}`), 'a number has more than 64 characters'],
    ['no number at all', swap('0.91', 'NaN'), 'a value is missing'],
    ['a lone surrogate', swap('sess-1', '\\ud800'), 'a lone surrogate'],
    ['a raw control character', swap('sess-1', 'a\u001bb'), 'holds a control character'],
    ['something behind it', `${full}{}`, 'something follows the value'],
    ['a torn end', full.slice(0, -1), 'an object is not closed'],
    ['too many levels', swap('"decisions":[', `"decisions":[${'['.repeat(70)}`), 'nested more than 64 deep'],
    ['too many elements', swap('"decisions":[', `"decisions":[${'"",'.repeat(65_536)}`), 'more than 65536 elements'],
  ])('is refused: %s', (_, line, reason) => {
    const { code, message } = failure(() => readText(line));
    expect(code).toBe('format_unreadable');
    expect(message).toContain(reason);
  });

  it('is refused where it is too long or not UTF-8', () => {
    expect(failure(() => readLeanCtx(new Uint8Array(LEAN_CTX_BYTES + 1))).message).toContain('longer than');
    expect(failure(() => readLeanCtx(new Uint8Array([0x7b, 0xff, 0x7d]))).message).toContain('not UTF-8');
  });

  it('is too new where its schema is', () => {
    const { code, message } = failure(() => readText('{"schema_version":2,"all":"else"}'));
    expect(code).toBe('format_version_unsupported');
    expect(message).toContain('schema_version 2');
  });

  it('never makes the reader throw anything else, whatever is changed in it', () => {
    const bytes = utf8(full);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.boolean(), (at, byte, cut) => {
        const changed = cut ? bytes.slice(0, at) : bytes.with(at, byte);
        try {
          readLeanCtx(changed);
        } catch (error) {
          expect(error).toMatchObject({ code: expect.stringMatching(/^format_/) as string });
        }
      }),
    );
  });
});

describe('looksLikeLeanCtx', () => {
  it('tells a snapshot of lean-ctx from other files', () => {
    expect(looksLikeLeanCtx(utf8(signedLine(vector('MIN'))))).toBe(true);
    expect(looksLikeLeanCtx(writeLeanCtx(readText(signedLine(vector('FULL')))))).toBe(true);
    expect(looksLikeLeanCtx(utf8('{"format":"savepoint.snapshot/1"}'))).toBe(false);
    expect(looksLikeLeanCtx(new Uint8Array(0))).toBe(false);
  });
});
