/** Finds tokens: walks over the long runs of characters that tokens are made of and tries the rules there. */
import { findRandom } from './entropy.js';
import { LONGEST_TOKEN, PROVIDER_RULES, type ProviderRule } from './providers.js';
import type { Finding } from '../text/spans.js';

/** Where a text stands: `text` is free, `identifier` and `random` are values that a replay needs (see keys.ts). */
export type Scope = 'text' | 'identifier' | 'random';

// Every token of the table is at least this long, in one run of these characters.
export const SHORTEST_RUN = 20;
const RUN_CODES = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./+=~:%') {
  RUN_CODES[character.charCodeAt(0)] = 1;
}

function inRun(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && RUN_CODES[code] === 1;
}

/** Adds the tokens in `text`; outside free text only those whose beginning proves what they are. */
export function findTokens(text: string, scope: Scope, findings: Finding[]): void {
  let free = 0;
  // Looks at every twentieth character only: a run that is long enough covers one of them.
  for (let probe = SHORTEST_RUN - 1; probe < text.length;) {
    if (!inRun(text, probe)) {
      probe += SHORTEST_RUN;
      continue;
    }
    let from = probe;
    while (from > free && inRun(text, from - 1)) from--;
    let to = probe + 1;
    while (to < text.length && inRun(text, to)) to++;
    if (to - from >= SHORTEST_RUN) findInRun(text, { from, to, scope }, findings);
    free = to;
    probe = to + SHORTEST_RUN;
  }
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly scope: Scope;
}

function findInRun(text: string, run: Run, findings: Finding[]): void {
  findProviderTokens(text, run, findings);
  if (run.scope === 'random') return;
  findShaped(text, run, findings);
  if (run.scope === 'text') findRandom(text, run, findings);
}

interface Table {
  readonly trigger: RegExp;
  readonly rules: ReadonlyMap<string, readonly ProviderRule[]>;
}

let cachedTable: Table | undefined;

function table(): Table {
  if (cachedTable !== undefined) return cachedTable;
  const rules = new Map<string, ProviderRule[]>();
  for (const rule of PROVIDER_RULES) {
    for (const trigger of rule.triggers) rules.set(trigger, [...(rules.get(trigger) ?? []), rule]);
  }
  // The longer trigger first: `sk-ant-` before `sk-`.
  const sources = [...rules.keys()].sort((a, b) => b.length - a.length).map((t) => t.replace(/[.+]/g, '\\$&'));
  cachedTable = { trigger: new RegExp(sources.join('|'), 'g'), rules };
  return cachedTable;
}

function findProviderTokens(text: string, run: Run, findings: Finding[]): void {
  const { trigger, rules } = table();
  const content = text.slice(run.from, run.to);
  trigger.lastIndex = 0;
  // Where the last token ended, the next one may begin.
  let end = -1;
  for (let match = trigger.exec(content); match !== null; match = trigger.exec(content)) {
    const from = run.from + match.index;
    const place = { from, scope: run.scope, free: from === end || standsFree(text, from, run.scope) };
    const found = tokenAt(text, place, rules.get(match[0]) ?? []);
    if (found === undefined) continue;
    findings.push(found);
    end = found.end;
    if (found.kind === 'aws-access-key' && run.scope === 'text') findSecretBeside(text, found, findings);
    trigger.lastIndex = Math.max(trigger.lastIndex, end - run.from);
  }
}

interface Place {
  readonly from: number;
  readonly scope: Scope;
  /** True if a token may begin here, not in the middle of another word. */
  readonly free: boolean;
}

function tokenAt(text: string, { from, scope, free }: Place, rules: readonly ProviderRule[]): Finding | undefined {
  for (const { kind, pattern, keep, accept, triggers, weak } of rules) {
    if (scope === 'random' && weak === true) continue;
    if (kind === 'azure-key') {
      const found = azureKey(text, from, { pattern, triggers });
      if (found !== undefined) return found;
      continue;
    }
    if (!free) return undefined;
    pattern.lastIndex = from;
    const token = pattern.exec(text)?.[0];
    if (token === undefined || accept?.(token) === false) continue;
    return { start: from + (keep?.(token) ?? 0), end: from + token.length, kind };
  }
  return undefined;
}

/** Tells whether a token may begin here, not in the middle of another word or of base64. */
function standsFree(text: string, from: number, scope: Scope): boolean {
  const before = text.charAt(from - 1);
  return scope === 'random'
    ? !/[A-Za-z0-9+/=_-]/.test(before)
    : !/[A-Za-z0-9]/.test(before) || /%[0-9A-F]{2}$/.test(text.slice(Math.max(0, from - 3), from));
}

/** A storage key follows its name; a client secret has three characters and a digit before its `Q~`. */
function azureKey(text: string, at: number, rule: Pick<ProviderRule, 'pattern' | 'triggers'>): Finding | undefined {
  const client = rule.triggers[0] === 'Q~';
  const from = client ? at : text.indexOf('=', at) + 1;
  rule.pattern.lastIndex = from;
  const token = rule.pattern.exec(text)?.[0];
  if (token === undefined) return undefined;
  if (client && !/(?:^|[^A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]$/.test(text.slice(Math.max(0, at - 5), at)))
    return undefined;
  return { start: client ? at - 4 : from, end: from + token.length, kind: 'azure-key' };
}

const SECRET_OF_AWS = /(?<![A-Za-z0-9+/_.-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_.-])/g;
export const BESIDE = 300;

/** An AWS secret has no form of its own, but stands near the id that it belongs to. */
function findSecretBeside(text: string, id: Finding, findings: Finding[]): void {
  const from = Math.max(0, id.start - BESIDE);
  for (const match of text.slice(from, id.end + BESIDE).matchAll(SECRET_OF_AWS)) {
    const token = match[0];
    if (/^[0-9a-f]+$/i.test(token) || !/[0-9]/.test(token) || !/[A-Z]/.test(token) || !/[a-z]/.test(token)) continue;
    findings.push({ start: from + match.index, end: from + match.index + token.length, kind: 'aws-secret-key' });
  }
}

interface Shape {
  readonly kind: string;
  /** Cheap to look for, and in every such token. */
  readonly holds: string;
  readonly pattern: RegExp;
}

const SHAPES: readonly Shape[] = [
  {
    kind: 'telegram-bot-token',
    holds: ':',
    pattern: /(?<![A-Za-z0-9])[0-9]{6,12}:(?![0-9a-f-]+(?![A-Za-z0-9_-]))[A-Za-z0-9_-]{34,36}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'discord-token',
    holds: '.',
    pattern: /(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])/g,
  },
  { kind: 'mailchimp-key', holds: '-us', pattern: /(?<![A-Za-z0-9])[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])/g },
  { kind: 'airtable-token', holds: 'pat', pattern: /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/g },
  {
    kind: 'terraform-token',
    holds: '.atlasv1.',
    pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,80}/g,
  },
  { kind: 'azure-sas', holds: 'sig=', pattern: /(?<=[?&;]sig=)[A-Za-z0-9%+/]{40,90}={0,2}/g },
  {
    kind: 'url-signature',
    holds: 'X-',
    pattern: /(?<=X-(?:Amz|Goog)-(?:Signature|Security-Token)=)[A-Za-z0-9%+/=_-]{16,4096}/g,
  },
];

/** Tokens that are known by their shape. */
function findShaped(text: string, run: Run, findings: Finding[]): void {
  if (run.to - run.from > LONGEST_TOKEN || run.to - run.from < SHORTEST_SHAPED) return;
  // A query's `&` or `?` is in no run; the patterns look back at it.
  const from = Math.max(0, run.from - 1);
  const content = text.slice(from, run.to);
  for (const { kind, holds, pattern } of SHAPES) {
    if (!content.includes(holds)) continue;
    for (const match of content.matchAll(pattern)) {
      findings.push({ start: from + match.index, end: from + match.index + match[0].length, kind });
    }
  }
}

const SHORTEST_SHAPED = 35;
