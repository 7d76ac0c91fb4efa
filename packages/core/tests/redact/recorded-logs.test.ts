import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { classifyKey } from '../../src/redact/secrets/keys.js';
import { LongLineRedactor, redactLine } from '../../src/redact/redactor.js';
import { BASE62, drawFrom } from '../fixtures/redact/random.js';
import { isJson } from './pieces.js';

const ROOT = path.join(import.meta.dirname, '../fixtures/agents');
const logsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.jsonl?$/.test(file));
const LOGS = logsIn(ROOT);
/** A folder of further recordings, that are not of this repository. */
const MORE = process.env['SAVEPOINT_RECORDINGS'] ?? '';
const FURTHER =
  MORE === ''
    ? []
    : logsIn(MORE)
        .filter((file) => file.endsWith('.jsonl'))
        .map((file) => path.join(MORE, file));

function linesOf(file: string): readonly Buffer[] {
  const content = readFileSync(path.resolve(ROOT, file), 'latin1');
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'latin1'));
}

/** Every text of a record with the key in front of it. */
function textsOf(value: unknown, key = ''): readonly (readonly [key: string, text: string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item, key));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => textsOf(item, name));
}

/** The same value, each text with what `tail` says for its key at the end. */
function withTail(value: unknown, tail: (key: string) => string, key = ''): unknown {
  if (typeof value === 'string') return value + tail(key);
  if (Array.isArray(value)) return value.map((item) => withTail(item, tail, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withTail(item, tail, name)]));
}

describe('recorded agent logs', () => {
  test('there are logs of six agents', () => {
    expect(new Set(LOGS.map((file) => file.split(path.sep)[0])).size).toBeGreaterThanOrEqual(6);
    expect(LOGS.flatMap(linesOf).length).toBeGreaterThan(250);
  });

  for (const file of [...LOGS, ...FURTHER]) {
    test(`nothing is replaced in ${file}`, () => {
      for (const line of linesOf(file)) {
        const redacted = redactLine(line);
        expect(redacted.spans).toEqual([]);
        expect(redacted.bytes).toBe(line);
        expect(redacted.readable).toBe(isJson(line.toString()));
      }
    });
  }

  test('with a secret planted in every text, ids, signatures and structure stay and the secret goes', () => {
    const secret = ['gh', 'o_', drawFrom(3)(BASE62, 36)].join('');
    let planted = 0;
    for (const line of [...LOGS, ...FURTHER].flatMap(linesOf)) {
      if (!isJson(line.toString())) continue;
      const before = JSON.parse(line.toString()) as unknown;
      const opaque = (key: string): boolean =>
        ['identifier', 'random'].includes(classifyKey(key).rule) || key === 'timestamp';
      const dirty = JSON.stringify(withTail(before, (key) => (opaque(key) ? '' : ` ${secret}`)));
      const clean = Buffer.from(redactLine(Buffer.from(dirty)).bytes).toString();
      expect(clean).not.toContain(secret);
      const after = textsOf(JSON.parse(clean));
      expect(after.map(([key]) => key)).toEqual(textsOf(before).map(([key]) => key));
      expect(after.filter(([key]) => opaque(key))).toEqual(textsOf(before).filter(([key]) => opaque(key)));
      planted += dirty.split(secret).length - 1;
    }
    expect(planted).toBeGreaterThan(2000);
  });

  test('pushed in pieces, each line is the same', () => {
    for (const line of LOGS.flatMap(linesOf)) {
      const redactor = new LongLineRedactor();
      const out = [redactor.push(line.subarray(0, 100)).bytes, redactor.push(line.subarray(100)).bytes];
      const end = redactor.end();
      expect(Buffer.concat([...out, end.bytes]).equals(line)).toBe(true);
      expect(end.readable).toBe(isJson(line.toString()));
    }
  });
});
