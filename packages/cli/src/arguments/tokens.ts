/**
 * Takes the words of a command line apart, by the Utility Syntax Guidelines of POSIX (XBD 12.2) and with the long options of
 * GNU: what `parseArgs` of `node:util` gives where it is not strict. Loading that takes two milliseconds at every start, and
 * a capture runs at every turn of an agent.
 */
import type { OptionDefinition, OptionDefinitions } from './definition.js';

export type Token = OptionToken | PlainToken;

export interface OptionToken {
  readonly kind: 'option';
  /** The long name; of an option that nobody knows, what was written without its dashes. */
  readonly name: string;
  /** As it was written, dashes included; of a group such as `-qy` the one letter. */
  readonly rawName: string;
  /** Absent where none was given, or none can be taken. */
  readonly value?: string;
}

export interface PlainToken {
  readonly kind: 'plain' | 'afterDashes';
  readonly value: string;
}

/** Returns the tokens in the order of the words; an option that takes a value has the next word, whatever it is. */
export function tokensOf(words: readonly string[], known: OptionDefinitions): readonly Token[] {
  const tokens: Token[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') {
      tokens.push(...left.map((value) => ({ kind: 'afterDashes' as const, value })));
      break;
    }
    if (word.startsWith('--')) tokens.push(longOption(word, known, left));
    else if (word.startsWith('-') && word.length > 1) tokens.push(...shortOptions(word, known, left));
    else tokens.push({ kind: 'plain', value: word });
  }
  return tokens;
}

function longOption(word: string, known: OptionDefinitions, left: string[]): OptionToken {
  // A name has at least one character, which may be the sign itself.
  const sign = word.indexOf('=', '--'.length + 1);
  const rawName = sign < 0 ? word : word.slice(0, sign);
  const name = rawName.slice('--'.length);
  const inline = sign < 0 ? undefined : word.slice(sign + 1);
  const value = inline ?? (takesValue(known, name) ? left.shift() : undefined);
  return option(name, rawName, value);
}

// In `-qtsafe` the letters are switches up to the first that takes a value: the rest of the word, or the next one.
function shortOptions(word: string, known: OptionDefinitions, left: string[]): readonly OptionToken[] {
  const options: OptionToken[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const name = longName(known, letter);
    if (!takesValue(known, name)) options.push(option(name, `-${letter}`, undefined));
    else return [...options, option(name, `-${letter}`, at + 1 < word.length ? word.slice(at + 1) : left.shift())];
  }
  return options;
}

function option(name: string, rawName: string, value: string | undefined): OptionToken {
  return { kind: 'option', name, rawName, ...(value !== undefined && { value }) };
}

function longName(known: OptionDefinitions, letter: string): string {
  return Object.entries<OptionDefinition>(known).find(([, { short }]) => short === letter)?.[0] ?? letter;
}

// The name is the user's: `constructor` is no option.
function takesValue(known: OptionDefinitions, name: string): boolean {
  return Object.hasOwn(known, name) && known[name]?.value !== undefined;
}
