import { describe, expect, test } from 'vitest';
import { redactBytes, redactLine } from '../../src/redact/redactor.js';

/** A rule that went over the same text again and again would not come to the end of these within the time of a test. */
const REPEATED = [
  ...[
    'password=',
    'password="',
    "password='",
    'password: ',
    'token=a.',
    'token: `',
    'secret => ',
    '"secret": {',
    'passwordpassword',
    'api key ',
  ],
  ...[
    '=',
    '"',
    '\\',
    '\\"',
    '\\\\"',
    '\\u0041',
    '\n',
    ' ',
    '[',
    '{"a":',
    '[{"password":"',
    '${',
    '[REDACTED:',
    '[REDACTED:x]',
    '<password>',
  ],
  ...['-----', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----', 'PRIVATE KEY', 'Private-Lines: 1'],
  ...['://', 'a://b:', 'a://b:c@', 'http://a:b/', 'curl -u ', ' login -p ', 'docker login ', 'mysql -p', '--password '],
  ...[
    'eyJ',
    'eyJ-',
    '-eyJaaaaaaaa.',
    'sk-',
    'sk-a',
    'AKIA',
    'pypi-',
    'SG.',
    'dapi',
    '123456:',
    '&sig=',
    'Q~',
    'AccountKey=',
    'x-us1',
  ],
  ...[
    'Bearer ',
    'Basic ',
    'Authorization: ',
    'cookie: a=b',
    'a',
    'A1',
    'aB3',
    'M'.repeat(24) + '.',
    'aZ3kQ9xLm2Pq8RtY5wVb7NcD.',
    'é',
  ],
];

describe('time grows with the text, not with its square', () => {
  for (const piece of REPEATED) {
    test(`a megabyte of ${JSON.stringify(piece).slice(0, 40)}`, () => {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(redactBytes(Buffer.from(text)).bytes.length).toBeGreaterThan(0);
      const line = Buffer.from(JSON.stringify({ text: text.slice(0, 50_000) }));
      expect(redactLine(line).readable).toBe(true);
    });
  }
});
