/** Texts put together from what the redactor looks at, for laws that must hold for every text. */
import fc from 'fast-check';
import { plantedSecrets } from '../fixtures/redact/corpus.js';

const SIGNS = [
  ...[
    '"',
    "'",
    '`',
    '\\',
    '\\n',
    '\\"',
    '\\\\',
    '\\u0041',
    '\n',
    ' ',
    '  ',
    '\t',
    '=',
    ':',
    ': ',
    ' = ',
    '=>',
    ',',
    ';',
    '{',
    '}',
  ],
  ...[
    '[',
    ']',
    '<',
    '>',
    '/',
    '@',
    '?',
    '&',
    '|',
    '.',
    '-',
    '--',
    '_',
    '$',
    '${',
    '…',
    'é',
    '\u0000',
    '\u{1f511}',
    '://',
    'x',
    '9',
    'AbC',
  ],
];
const NAMES = [
  ...[
    'password',
    'PASSWORD',
    'api_key',
    'token',
    'secret',
    'Authorization',
    'Cookie',
    'signature',
    'id',
    'data',
    'uuid',
    'Bearer ',
    'Basic ',
  ],
  ...[
    'export ',
    'curl -u ',
    'mysql -p',
    'https',
    '[REDACTED:',
    '[REDACTED:jwt]',
    '-----BEGIN ',
    'PRIVATE KEY-----',
    '-----END ',
    'sk-',
    'eyJ',
  ],
  ...[
    'hunter2',
    'true',
    '1234',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    'AKIA',
    'ghp_',
    '"password":"',
    '\\"token\\":\\"',
    '"value":"',
    'is ',
  ],
];
const SECRETS = plantedSecrets(7).flatMap(({ secret, text }) => [secret, text]);

export const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 2, arbitrary: fc.constantFrom(...SECRETS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);

/** Any text that the rules have something to say about. */
export const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

const key = fc.oneof(
  fc.constantFrom('password', 'id', 'signature', 'content', 'data', 'args', 'name', 'value', 'x'),
  anyText,
);

/** Any JSON value; texts inside may themselves be JSON. */
export const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    anyText,
    fc.constantFrom(null, true, 0, -1.5e3, 12345678),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    tie('value').map((value) => JSON.stringify(value)),
  ),
})).value;

/** JSON as other programs write it: own spacing, and any character as an escape. */
export const anyLine = fc
  .tuple(anyJson, fc.constantFrom(undefined, 1, '\t'), fc.integer({ min: 0, max: 40 }))
  .map(([value, space, every]) => {
    const line = JSON.stringify(value, null, space).replaceAll('\n', '\r');
    let count = 0;
    return every < 3
      ? line
      : line.replace(/[a-zA-Z0-9/](?=[^\\])/g, (c, at: number) => escaped(line, at, count++ % every === 0) ?? c);
  })
  .filter((line) => isJson(line));

// Only inside a literal may a letter be escaped; the filter drops what this misjudges.
function escaped(line: string, at: number, chosen: boolean): string | undefined {
  const c = line.charAt(at);
  if (!chosen || line.charAt(at - 1) === '\\' || /\\u[0-9a-f]{0,3}$/i.test(line.slice(Math.max(0, at - 5), at)))
    return undefined;
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
