import { describe, expect, test } from 'vitest';
import { redactBytes, redactionKinds, redactLine, redactText, redactTextSpans } from '../../src/redact/redactor.js';
import { BASE62, BASE64, drawFrom, HEX } from '../fixtures/redact/random.js';

const draw = drawFrom(99);
const github = ['gh', 'p_', draw(BASE62, 36)].join('');
const aws = ['AK', 'IA', 'QWERTYUIOP234567'].join('');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const redacted = (line: string): string => Buffer.from(redactLine(bytes(line)).bytes).toString('latin1');

describe('redacting a line in place', () => {
  test('keeps key order, spacing, escapes, number forms and duplicate keys', () => {
    const line = `{ "b" :\t1.50e+2,"a":"caf\\u00e9 \\/ ${github}\\n\\ud83d\\ude00" , "a":-0.0, "z":[ true,null ]}`;
    expect(redacted(line)).toBe(line.replace(github, '[REDACTED:github-token]'));
  });

  test('spans are byte offsets in the new line', () => {
    const line = new Uint8Array(Buffer.from(`{"é":"ü ${github} x"}`));
    const { bytes: out, spans, readable } = redactLine(line);
    expect(readable).toBe(true);
    expect(spans.map(({ start, end }) => Buffer.from(out.subarray(start, end)).toString())).toEqual([
      '[REDACTED:github-token]',
    ]);
    expect(redactionKinds(spans)).toEqual({ 'github-token': 1 });
  });

  test('escapes do not hide a secret', () => {
    const escaped = [...github].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    expect(redacted(`{"x":"a ${escaped} b"}`)).toBe('{"x":"a [REDACTED:github-token] b"}');
    expect(redacted(`{"x":"line\\n${github}\\ttab"}`)).toBe('{"x":"line\\n[REDACTED:github-token]\\ttab"}');
    const twice = JSON.stringify({ x: `{"y":"${escaped}"}` });
    expect(redacted(twice)).toBe(JSON.stringify({ x: '{"y":"[REDACTED:github-token]"}' }));
    const url = 'postgres:\\/\\/app:hunter2@db\\/x';
    expect(redacted(`{"x":"${url}"}`)).toBe('{"x":"postgres:\\/\\/app:[REDACTED:url-password]@db\\/x"}');
  });

  test('a private key behind escaped newlines goes as a whole, at any depth', () => {
    const edge = (word: string): string => ['-----', word, ' RSA PRIV', 'ATE KEY-----'].join('');
    const pem = `${edge('BEGIN')}\n${draw(BASE64, 64)}\n${draw(BASE64, 64)}\n${edge('END')}\n`;
    let value: unknown = pem;
    for (let depth = 0; depth < 4; depth++) {
      value = { x: typeof value === 'string' ? value : JSON.stringify(value) };
      let found: unknown = JSON.parse(redacted(JSON.stringify(value)));
      for (let level = 0; level <= depth; level++) {
        const { x } = found as { x: string };
        found = level < depth ? JSON.parse(x) : x;
      }
      expect(found).toBe('[REDACTED:private-key]\n');
    }
  });

  test('values of secret keys go whole, also harmless looking ones; other types and placeholders stay', () => {
    const line = (value: unknown): string => JSON.stringify({ password: value });
    expect(redacted(line('a'))).toBe(line('[REDACTED:assignment]'));
    expect(redacted(line('four words with "quotes"'))).toBe(line('[REDACTED:assignment]'));
    expect(redacted(line(github))).toBe(line('[REDACTED:github-token]'));
    for (const value of [
      true,
      false,
      12345678,
      null,
      '',
      '${PASSWORD}',
      '<your password>',
      '***',
      '$(pass show x)',
      { type: 'string' },
    ]) {
      expect(redacted(line(value))).toBe(line(value));
    }
    const all = {
      apiKey: 'x1',
      clientSecret: 'y',
      ACCESS_TOKEN: 'z',
      'x-api-key': 'q',
      db_password: 'w',
      Authorization: 'Bearer abc123',
    };
    expect(Object.values(JSON.parse(redacted(JSON.stringify(all))) as object)).toEqual([
      ...Array.from({ length: 5 }, () => '[REDACTED:assignment]'),
      '[REDACTED:authorization]',
    ]);
  });

  test('lists, pairs of name and value, and arguments are read with their neighbours', () => {
    expect(redacted('{"passwords":["hunter2","x y"]}')).toBe(
      '{"passwords":["[REDACTED:assignment]","[REDACTED:assignment]"]}',
    );
    expect(redacted('{"apiKeys":["id","mode"]}')).toBe('{"apiKeys":["id","mode"]}');
    expect(redacted('[{"name":"DB_PASSWORD","value":"x"},{"name":"PORT","value":"x"}]')).toBe(
      '[{"name":"DB_PASSWORD","value":"[REDACTED:assignment]"},{"name":"PORT","value":"x"}]',
    );
    expect(redacted('{"args":["--password","x","--user","y"]}')).toBe(
      '{"args":["--password","[REDACTED:assignment]","--user","y"]}',
    );
    expect(redacted(`{"${github}":1}`)).toBe('{"[REDACTED:github-token]":1}');
  });

  test('an opaque field is no hiding place for a token with a known beginning', () => {
    expect(redacted(`{"id":"${github}"}`)).toBe('{"id":"[REDACTED:github-token]"}');
    expect(redacted(`{"signature":"${aws}"}`)).toBe('{"signature":"[REDACTED:aws-access-key]"}');
    expect(redacted(`{"sessionId":"x ${github}"}`)).toBe('{"sessionId":"x [REDACTED:github-token]"}');
    const chance = `${draw(BASE64, 30)}${aws}${draw(BASE64, 30)}`;
    expect(redacted(`{"signature":"${chance}"}`)).toBe(`{"signature":"${chance}"}`);
    expect(redacted(`{"id":"password=${draw(HEX, 32)}"}`)).toContain('password=');
  });

  test('a line that is not JSON is redacted as text and flagged', () => {
    const torn = `{"type":"user","content":"key ${github}`;
    expect(redacted(torn)).toBe('{"type":"user","content":"key [REDACTED:github-token]');
    expect(redactLine(bytes(torn)).readable).toBe(false);
    const odd = `\xff\xfe{"password":"hun\xe9ter\xff2"}\x80`;
    expect(redacted(odd)).toBe(`\xff\xfe{"password":"[REDACTED:assignment]"}\x80`);
    expect(redactLine(bytes('{"a":"\xff"}')).readable).toBe(false);
    expect(redactLine(bytes('')).readable).toBe(false);
  });

  test('without a hit the same array comes back', () => {
    for (const line of ['{"a":"b"}', 'plain', '', '\xff\x00']) {
      const input = bytes(line);
      expect(redactLine(input).bytes).toBe(input);
      expect(redactBytes(input).bytes).toBe(input);
    }
  });

  test('a view into a larger buffer is read at its own place', () => {
    const whole = bytes(`xxxx{"a":"${github}"}yyyy`);
    const out = redactLine(whole.subarray(4, whole.length - 4));
    expect(Buffer.from(out.bytes).toString()).toBe('{"a":"[REDACTED:github-token]"}');
  });
});

describe('redacting text', () => {
  test('the key in front decides as in JSON', () => {
    expect(redactText('hunter', { key: 'password' })).toEqual({
      text: '[REDACTED:assignment]',
      kinds: { assignment: 1 },
    });
    expect(redactText(draw(BASE62, 40), { key: 'uuid' }).kinds).toEqual({});
    expect(redactText(github, { key: 'uuid' }).kinds).toEqual({ 'github-token': 1 });
  });

  test('counts by kind and gives spans in characters of the new text', () => {
    const { text, spans, kinds } = redactTextSpans(`😀 ${github}, ${github} and ${aws}`);
    expect(kinds).toEqual({ 'aws-access-key': 1, 'github-token': 2 });
    for (const { start, end, kind } of spans) expect(text.slice(start, end)).toBe(`[REDACTED:${kind}]`);
    expect(Object.keys(redactionKinds(spans))).toEqual(['aws-access-key', 'github-token']);
  });

  test('keeps lone surrogates and other odd characters outside of hits', () => {
    expect(redactText(`\ud800 ${github} \udc00\u0000`).text).toBe('\ud800 [REDACTED:github-token] \udc00\u0000');
  });

  test('a default inside a variable is no placeholder', () => {
    expect(redactText('PASSWORD=${PASSWORD:-hunter2}').text).toBe('PASSWORD=[REDACTED:assignment]');
  });

  test('a marker is not found again, and hides nothing beside it', () => {
    expect(redactText('password=[REDACTED:assignment]').kinds).toEqual({});
    expect(redactText('password="[REDACTED:jwt] hunter2"').text).toBe('password="[REDACTED:assignment]"');
    expect(redactText('curl -u [REDACTED:github-token] https://example.com').kinds).toEqual({});
  });
});
