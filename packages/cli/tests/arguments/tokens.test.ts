import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS, type OptionDefinitions } from '../../src/arguments/definition.js';
import { tokensOf, type Token } from '../../src/arguments/tokens.js';

const KNOWN: OptionDefinitions = {
  ...GLOBAL_OPTIONS,
  tag: { short: 't', value: 'TAG', repeated: true, summary: '' },
  message: { short: 'm', value: 'TEXT', summary: '' },
  'dry-run': { summary: '' },
};

function byNode(words: readonly string[]): readonly Token[] {
  const options = Object.fromEntries(
    Object.entries(KNOWN).map(([name, { value, short }]) => {
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, ...(short !== undefined && { short }) }];
    }),
  );
  const { tokens } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true, tokens: true });
  let kind: 'plain' | 'afterDashes' = 'plain';
  return tokens.flatMap((token): readonly Token[] => {
    if (token.kind === 'positional') return [{ kind, value: token.value }];
    if (token.kind === 'option') {
      const { name, rawName, value } = token;
      return [{ kind: 'option', name, rawName, ...(value !== undefined && { value }) }];
    }
    kind = 'afterDashes';
    return [];
  });
}

const letters = fc.string({ unit: fc.constantFrom(...'qytmhVCxé=-a '), maxLength: 5 });
const longNames = fc.constantFrom(...Object.keys(KNOWN), 'unknown', 'constructor', '__proto__', 'q', '');
const word = fc.oneof(
  letters.map((text) => `-${text}`),
  longNames.map((name) => `--${name}`),
  fc.tuple(longNames, fc.string({ maxLength: 4 })).map(([name, value]) => `--${name}=${value}`),
  fc.constantFrom('--', '-', '', '---', '--=', '--=x', 'HEAD', '-1', 'a=b'),
  fc.string({ maxLength: 6 }),
);

describe('words taken apart', () => {
  it('gives what parseArgs of Node gives', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const tokens = tokensOf(words, KNOWN);
        // Of the dash in `-q-` Node makes the sign that no options follow; here it is an option that nobody knows.
        fc.pre(!tokens.some((token) => token.kind === 'option' && token.rawName === '--'));
        expect(tokens).toEqual(byNode(words));
      }),
    );
  });

  it.each([
    [
      ['-qtsafe'],
      [
        { name: 'quiet', rawName: '-q' },
        { name: 'tag', rawName: '-t', value: 'safe' },
      ],
    ],
    [['-t', '--json'], [{ name: 'tag', rawName: '-t', value: '--json' }]],
    [['--tag'], [{ name: 'tag', rawName: '--tag' }]],
    [['--message=a=b'], [{ name: 'message', rawName: '--message', value: 'a=b' }]],
  ])('takes %j apart', (words, expected) => {
    expect(tokensOf(words, KNOWN)).toEqual(expected.map((one) => ({ kind: 'option', ...one })));
  });
});
