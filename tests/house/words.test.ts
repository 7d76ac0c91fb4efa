/** One word per concept (docs/glossary.md): the words that lost are searched in sources and documents. */
import { describe, expect, it } from 'vitest';
import { textFiles } from './text-files.js';

interface BannedWord {
  readonly word: RegExp;
  readonly instead: string;
}

// Whole words of prose, and whole parts of camelCase and snake_case names.
const part = (word: string): RegExp =>
  new RegExp(
    `(?<![A-Za-z])(?:${word}|${word.toUpperCase()})s?(?![a-z])|(?<=[a-z0-9_])${capital(word)}s?(?![a-z])|(?<![A-Za-z])${capital(word)}s?(?![a-z])`,
  );

const BANNED: readonly BannedWord[] = [
  { word: part('manager'), instead: 'the noun it manages' },
  { word: part('service'), instead: 'the noun it serves' },
  { word: part('helper'), instead: 'the verb it is, beside its caller' },
  { word: part('util'), instead: 'the noun it belongs to' },
  { word: part('processor'), instead: 'the verb it is' },
  { word: part('misc'), instead: 'the noun it belongs to' },
  { word: part('checkpoint'), instead: 'snapshot' },
  { word: part('backend'), instead: 'store' },
  { word: /\bbelief (?:node|graph)s?\b/i, instead: 'claim, understanding' },
  { word: /\b(?:IR entry|IR entries)\b/, instead: 'item' },
];

// Names that others gave: they are cut out before the search.
const TERMS_OF_OTHERS =
  /node:util\b|\b(?:(?:hook|key|package|secrets?) managers?|service[ _]accounts?|denial of service|util\.promisify)\b/gi;

/** Files in which a banned word is right, and why. */
const ALLOWED: readonly { readonly path: RegExp; readonly word: RegExp }[] = [
  // The command line accepts what users and requirements say: `savepoint checkpoint VERB`.
  { path: /^(?:packages\/cli\/|docs\/cli\.md$)/, word: /checkpoint/ },
  // The list of records has the title of the one that says why the word lost.
  { path: /^docs\/decisions\/README\.md$/, word: /checkpoint/ },
  // The redactor knows words that other programs put beside secrets.
  { path: /^packages\/core\/src\/redact\//, word: /manager|service/ },
  // These name the words that lost, in order to ban them.
  { path: /^docs\/(?:glossary\.md|decisions\/0001-.*)$/, word: /./ },
];

const SEARCHED = /^(?:packages\/[^/]+\/(?:src|bin)\/|docs\/|changelog\/|README|ARCHITECTURE|CONTRIBUTING|SECURITY)/;

function findings(path: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    const own = line.replace(TERMS_OF_OTHERS, '');
    return BANNED.flatMap(({ word, instead }) => {
      const found = word.exec(own)?.[0];
      const allowed = found === undefined || ALLOWED.some((entry) => entry.path.test(path) && entry.word.test(found));
      return allowed ? [] : [`${path}:${String(index + 1)}: "${found}": say ${instead} (docs/glossary.md)`];
    });
  });
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

describe('the words', () => {
  it('are those of the glossary in sources and documents', () => {
    const files = textFiles().filter(({ path }) => SEARCHED.test(path));
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap(({ path, text }) => findings(path, text))).toEqual([]);
  });

  it.each([
    'class KeyManager {}',
    'const serviceName = 1;',
    'import { walk } from "./helpers.js";',
    'function pathUtil() {}',
    'const UTILS = 1;',
    'The latest checkpoint of this branch.',
    'const checkpointId = 1;',
    'const last_checkpoint = 1;',
    'a store backend',
    'every belief node of the agent',
  ])('are searched so that this is found: %s', (line) => {
    expect(findings('packages/core/src/model/example.ts', line)).toHaveLength(1);
  });

  it.each(['const served = utilise(serviceable);', 'husky and other hook managers are respected', 'process.stdout'])(
    'are searched so that this is let through: %s',
    (line) => {
      expect(findings('packages/core/src/model/example.ts', line)).toEqual([]);
    },
  );
});
