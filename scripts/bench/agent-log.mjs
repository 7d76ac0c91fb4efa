/** Grows a log of Claude Code from a recorded session: the same kinds of lines, with ids, texts and code of their own. */
import * as fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './measure.mjs';
import { between, hexDigits, prose, seeded, sourceText } from './words.mjs';

const RECORDED = 'packages/core/tests/fixtures/agents/claude/projects/-home-dev-repo';
export const SESSION = '11111111-2222-4333-8444-555555555555';
// These stand at the beginning of a session only, or once for each request to the model.
const RARE =
  /"type":"(?:environment|model|deferred_tools_delta|agent_listing_delta|skill_listing|session_context|date|remote_session_change|prompt_snapshot|api-request|api-request-shape|api-request-blob|queue-operation|atis-latch)"/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TEXTS = new Set(['text', 'content', 'stdout', 'prompt', 'lastPrompt', 'originalFile', 'thinking']);

/** Returns the recorded lines, then without end turns made after them. */
export function* agentLog() {
  const lines = fs
    .readFileSync(path.join(ROOT, RECORDED, `${SESSION}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean);
  yield* lines;
  const templates = lines.filter((line) => !RARE.test(line)).map((line) => JSON.parse(line));
  const random = seeded(20);
  let time = Date.parse('2026-11-21T02:00:00.000Z');
  for (;;) {
    const renamed = new Map();
    for (const template of templates) {
      time += between(random, 200, 20_000);
      yield JSON.stringify(withSignature(vary(template, '', { random, renamed, time, result: {} }), random));
    }
  }
}

/** Appends lines until the log has so many bytes, from `size` that it has; returns how many it has then. */
export function growLog(log, lines, { size, until }) {
  const added = [];
  for (let length = size; length < until;) {
    const line = Buffer.from(`${lines.next().value}\n`);
    added.push(line);
    length += line.length;
  }
  const bytes = Buffer.concat(added);
  fs.appendFileSync(log, bytes);
  return size + bytes.length;
}

function vary(value, key, state) {
  const { random, time } = state;
  if (typeof value === 'string') return varyText(value, key, state);
  if (typeof value === 'number') return /_tokens$|Ms$|Index$/.test(key) ? between(random, 1, 20_000) : value;
  if (Array.isArray(value)) return value.map((element) => vary(element, key, state));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'timestamp' && typeof inner === 'string' ? new Date(time).toISOString() : vary(inner, name, state),
    ]),
  );
}

function varyText(text, key, { random, renamed, result }) {
  if (text === SESSION) return text;
  if (UUID.test(text)) return rename(text, renamed, () => uuid(random));
  const prefix = /^(msg|req|toolu)_[0-9a-f]+$/.exec(text)?.[1];
  if (prefix !== undefined) return rename(text, renamed, () => `${prefix}_${hexDigits(random, 22)}`);
  if (/^\/home\/dev\/repo\/./.test(text))
    return `/home/dev/repo/src/part-${between(random, 0, 40)}/file-${between(random, 0, 14)}.ts`;
  if (!TEXTS.has(key) || text === '') return text;
  // What a tool gave out stands twice in its line, as the model saw it and as the program did.
  if (key === 'stdout' || key === 'originalFile')
    return (result.text ??= sourceText(random, between(random, 200, 6000)));
  if (key === 'content')
    return (result.text ??= random() < 0.7 ? sourceText(random, between(random, 200, 9000)) : prose(random, 1500));
  return prose(random, between(random, 100, 1500));
}

function rename(name, renamed, make) {
  if (!renamed.has(name)) renamed.set(name, make());
  return renamed.get(name);
}

function uuid(random) {
  const digits = hexDigits(random, 32);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

/** Thinking comes signed, and signatures do not compress. */
function withSignature(line, random) {
  if (line.type !== 'assistant' || random() < 0.6) return line;
  const signature = Buffer.from(hexDigits(random, 2 * between(random, 200, 600)), 'hex').toString('base64');
  const block = { type: 'thinking', thinking: prose(random, between(random, 200, 1500)), signature };
  return { ...line, message: { ...line.message, content: [block, ...line.message.content] } };
}
