import { describe, expect, test } from 'vitest';
import { LongLineRedactor, redactBytes, redactLine, redactLongLine } from '../../src/redact/redactor.js';
import { BASE64, BASE62, drawFrom } from '../fixtures/redact/random.js';

const draw = drawFrom(5);
const github = ['gh', 'p_', draw(BASE62, 36)].join('');
const WORDS = 'lorem ipsum dolor sit amet, "consectetur" adipiscing elit\n';
const filler = (length: number): string => WORDS.repeat(Math.ceil(length / WORDS.length)).slice(0, length);
const edge = (word: string): string => ['-----', word, ' PRIV', 'ATE KEY-----'].join('');

interface Result {
  readonly text: string;
  readonly kinds: readonly string[];
  readonly readable: boolean;
}

function redacted(line: string, chunk = 50_000): Result {
  const bytes = Buffer.from(line);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  );
  const pieces: Buffer[] = [];
  const kinds: string[] = [];
  const run = redactLongLine(chunks);
  for (let next = run.next(); ; next = run.next()) {
    if (next.done === true) return { text: Buffer.concat(pieces).toString(), kinds, readable: next.value.readable };
    const piece = Buffer.from(next.value.bytes);
    for (const { start, end, kind } of next.value.spans) {
      expect(piece.subarray(start, end).toString()).toBe(`[REDACTED:${kind}]`);
      kinds.push(kind);
    }
    pieces.push(piece);
  }
}

describe('redacting a line that is too long to hold', () => {
  const SECRETS = [
    ` ${github} `,
    " password = 'correct horse battery staple' ",
    ' postgres://app:hunter2@db.internal/app ',
    `\n${edge('BEGIN')}\n${draw(BASE64, 64)}\n${draw(BASE64, 64)}\n${edge('END')}\n`,
  ].map((secret, at) => secret + filler(11 + at));
  const KINDS = ['github-token', 'assignment', 'url-password', 'private-key'];

  // So many secrets that each border falls into one, moved on so that it falls into each part of each.
  for (let shift = 0; shift < SECRETS.join('').length; shift += 131) {
    test(`no border of a window hides a secret: moved on by ${shift}`, () => {
      const times = Math.ceil(700_000 / SECRETS.join('').length);
      const content = 'x'.repeat(shift) + SECRETS.join('').repeat(times);
      const kinds = Array.from({ length: times }, () => KINDS).flat();
      const asText = redacted(content);
      expect(asText.kinds).toEqual(kinds);
      expect(asText.text).toBe(Buffer.from(redactBytes(Buffer.from(content)).bytes).toString());
      const line = JSON.stringify({ x: content });
      const asJson = redacted(line);
      expect(asJson.kinds).toEqual(kinds);
      expect(asJson.text).toBe(Buffer.from(redactLine(Buffer.from(line)).bytes).toString());
      expect(asJson.readable).toBe(true);
    });
  }

  test('a secret longer than any window goes as a whole', () => {
    const long = draw(BASE64, 64 * 1024).repeat(16);
    const key = redacted(JSON.stringify({ a: `x ${edge('BEGIN')}\n${long}\n${edge('END')} y`, b: 'z' }));
    expect(JSON.parse(key.text)).toEqual({ a: 'x [REDACTED:private-key] y', b: 'z' });
    const value = redacted(JSON.stringify({ password: filler(1_000_000), b: 'z' }));
    expect(JSON.parse(value.text)).toEqual({ password: '[REDACTED:assignment]', b: 'z' });
    const text = redacted(`password="${long}" and more`);
    expect(text.text).toBe('password="[REDACTED:assignment]" and more');
  });

  test('a long image stays as it is, between records that are read by their keys', () => {
    const line = JSON.stringify({
      a: { type: 'base64', data: draw(BASE64, 99_999).repeat(9) },
      password: 'x',
      id: draw(BASE62, 40),
      n: 1,
    });
    expect(redacted(line)).toEqual({
      text: line.replace('"password":"x"', '"password":"[REDACTED:assignment]"'),
      kinds: ['assignment'],
      readable: true,
    });
  });

  test('escapes over a window border stay whole', () => {
    for (const escape of ['\\n', '\\\\', '\\"', '\\u00e9']) {
      const line = `{"x":"${escape.repeat(200_000)} ${github}${escape.repeat(200_000)}"}`;
      expect(redacted(line, 65_537).text).toBe(line.replace(github, '[REDACTED:github-token]'));
    }
  });

  test('a line that stops being JSON goes on as text, and is flagged', () => {
    const { text, readable } = redacted(
      `{"a":"${filler(100).replace(/["\n]/g, ' ')}" oops password='hunter2 x' ${filler(700_000)}`,
    );
    expect(readable).toBe(false);
    expect(text).toContain(`oops password='[REDACTED:assignment]' lorem`);
    expect(redacted('{"a":"torn').readable).toBe(false);
    expect(redacted('{"a":1}]').readable).toBe(false);
    expect(redacted('{"a":1} {"b":2}').readable).toBe(false);
    expect(redacted('[1,2.5e3,true,null,{"a":[]}]').readable).toBe(true);
  });

  test('bytes that are not UTF-8 come out as they were, and the line is flagged', () => {
    const redactor = new LongLineRedactor();
    const input = Buffer.from([0x22, 0xff, 0xc3, 0x22]);
    const out = redactor.push(input);
    const end = redactor.end();
    expect(Buffer.concat([out.bytes, end.bytes])).toEqual(input);
    expect(end.readable).toBe(false);
  });

  test('never holds back more than a window and its overlap, whatever comes', () => {
    const chunk = Buffer.from(filler(1 << 20));
    for (const start of ['', '{"x":"', '{"password":"', `{"data":"`]) {
      const redactor = new LongLineRedactor();
      let given = redactor.push(Buffer.from(start)).bytes.length;
      let pushed = start.length;
      for (let at = 0; at < 12; at++) {
        const piece = start === '' ? chunk : Buffer.from(chunk.toString().replace(/["\n]/g, 'x'));
        pushed += piece.length;
        given += redactor.push(piece).bytes.length;
        if (start !== '{"password":"') expect(pushed - given).toBeLessThan(2 << 20);
      }
      if (start === '{"password":"') expect(given).toBeLessThan(100);
    }
  });
});
