import { describe, expect, test } from 'vitest';
import { redactLine, redactText } from '../../src/redact/redactor.js';
import { leaks, plantedSecrets, type Planted } from '../fixtures/redact/corpus.js';

const CORPUS = [1, 2, 3, 4, 5].flatMap((seed) => plantedSecrets(seed));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const line = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const read = (bytes: Uint8Array): { readonly a: { readonly b: string } } => JSON.parse(text(bytes)) as never;

/** The forms in which the same text is met. */
const FORMS: Readonly<Record<string, (planted: string) => string>> = {
  'as text': (planted) => redactText(planted).text,
  'in a JSON line': (planted) => read(redactLine(line({ a: { b: planted } })).bytes).a.b,
  'in JSON within a JSON line': (planted) => {
    const inner = read(redactLine(line({ a: { b: JSON.stringify({ a: { b: planted } }) } })).bytes).a.b;
    return read(Buffer.from(inner)).a.b;
  },
  'in a torn line': (planted) => text(redactLine(line({ a: { b: planted } }).subarray(0, -2)).bytes),
  'in a torn line of JSON within JSON': (planted) =>
    text(redactLine(line({ a: { b: JSON.stringify({ a: { b: planted } }) } }).subarray(0, -2)).bytes),
};

function missed(group: Planted['group'], form: (planted: string) => string): readonly Planted[] {
  return CORPUS.filter((planted) => planted.group === group && leaks(form(planted.text), planted.secret));
}

describe('recall on planted secrets', () => {
  test('the corpus has more than 250 secrets of more than 50 kinds in each planting', () => {
    const corpus = plantedSecrets();
    expect(corpus.length).toBeGreaterThan(250);
    expect(new Set(corpus.map(({ kind }) => kind)).size).toBeGreaterThan(50);
    for (const { secret, text: where } of corpus) expect(where).toContain(secret);
  });

  for (const [name, form] of Object.entries(FORMS)) {
    test(`every secret with a form of its own is found ${name}`, () => {
      expect(missed('fixed', form)).toEqual([]);
    });

    test(`every secret with a telling name in front is found ${name}`, () => {
      expect(missed('named', form)).toEqual([]);
    });

    test(`at least 94 of 100 random strings without any name are found ${name}`, () => {
      const all = CORPUS.filter(({ group }) => group === 'loose').length;
      expect(missed('loose', form).length / all).toBeLessThanOrEqual(0.06);
    });
  }

  test('each replacement names its kind', () => {
    const wrong = CORPUS.filter(
      ({ kind, text: where, secret }) =>
        kind !== undefined &&
        !leaks(redactText(where).text, secret) &&
        !redactText(where).text.includes(`[REDACTED:${kind}]`),
    );
    expect(wrong).toEqual([]);
  });

  test('a URL keeps its scheme, user and host', () => {
    const secret = ['Tr0u', 'bador'].join('');
    expect(redactText(`git clone https://dev:${secret}@git.example.com:8443/x.git`).text).toBe(
      'git clone https://dev:[REDACTED:url-password]@git.example.com:8443/x.git',
    );
  });
});
