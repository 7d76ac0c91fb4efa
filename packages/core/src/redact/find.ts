/** Searches one text with all rules, also behind the escapes in it. */
import { findAssignments } from './secrets/assignments.js';
import { isEscaped, unescapeOnce } from './text/escapes.js';
import { findPrivateKeys } from './secrets/private-keys.js';
import { mergeFindings, type Finding } from './text/spans.js';
import { findTokens, type Scope } from './secrets/tokens.js';
import { findCommandPasswords, findUrlPasswords } from './secrets/urls.js';

// JSON in JSON in JSON: each level doubles the backslashes, so real text has few.
const MOST_LEVELS = 4;

/** Returns the secrets in free text, or in a value that only tokens of a known form may be taken from. */
export function findInText(text: string, scope: Scope): readonly Finding[] {
  return mergeFindings(text, findAtLevel(text, scope, MOST_LEVELS));
}

function findAtLevel(text: string, scope: Scope, levels: number): Finding[] {
  const findings: Finding[] = [];
  findTokens(text, scope, findings);
  findPrivateKeys(text, findings);
  if (scope !== 'random') findUrlPasswords(text, findings);
  if (scope === 'text') {
    findAssignments(text, findings);
    findCommandPasswords(text, findings);
  }
  const plain = levels > 0 ? unescapeOnce(text) : undefined;
  if (plain === undefined) return findings;
  const deeper = findAtLevel(plain.text, scope, levels - 1).map((found) => outside(found, plain.origin));
  return [...findings.map((found) => afterEscape(text, found)), ...deeper];
}

/** The finding's place in the text before its escapes were taken away. */
function outside(found: Finding, origin: (position: number) => number): Finding {
  const { kind, resume } = found;
  const place = { start: origin(found.start), end: origin(found.end), kind };
  return resume === undefined ? place : { ...place, resume: (text, from) => resumeBehindEscapes(text, from, resume) };
}

function resumeBehindEscapes(text: string, from: number, resume: NonNullable<Finding['resume']>): number {
  const rest = text.slice(from);
  const plain = unescapeOnce(rest);
  return from + (plain === undefined ? resume(rest, 0) : plain.origin(resume(plain.text, 0)));
}

/** The `n` of `\n` is not the first letter of the word behind it: a replacement there would break the escape. */
function afterEscape(text: string, found: Finding): Finding {
  if (!/[bfnrt]/.test(text.charAt(found.start)) || !isEscaped(text, found.start)) return found;
  return { ...found, start: found.start + 1 };
}
