/**
 * Writes a recording: logs, and requests as lists of messages that stand once each. Places of this machine get other names,
 * and long texts of the vendor are cut, on both sides alike.
 */
import fs from 'node:fs';
import path from 'node:path';

const LONGEST = 500;
const LONGEST_REMINDER = 300;
/** Large, and always the same. */
const BULKY = new Set(['input_schema', 'systemPrompt', 'systemTools']);
const REMINDER = /(<system-reminder>\n[^]*?<\/system-reminder>)/;
const REMINDER_WHOLE = /^<system-reminder>\n[^]*<\/system-reminder>$/;

export function writeRecording({ folder, requests, projects, places }) {
  fs.mkdirSync(folder, { recursive: true });
  const plain = renamer(places);
  for (const file of fs
    .readdirSync(projects, { recursive: true })
    .filter((name) => /\.jsonl$|\.meta\.json$/.test(name))) {
    const [, ...below] = file.split(path.sep);
    const to = path.join(folder, ...below);
    fs.mkdirSync(path.dirname(to), { recursive: true });
    const lines = plain(fs.readFileSync(path.join(projects, file), 'utf8')).split('\n');
    fs.writeFileSync(
      to,
      lines.map((line) => (line === '' ? line : JSON.stringify(cut(slim(JSON.parse(line)))))).join('\n'),
    );
  }
  const known = new Map();
  const number = (value) => {
    const text = JSON.stringify(cut(JSON.parse(plain(JSON.stringify(unmarked(value))))));
    if (!known.has(text)) known.set(text, known.size);
    return known.get(text);
  };
  const told = requests.map(({ id, body }) => ({
    id,
    system: number(body.system ?? []),
    tools: number(body.tools ?? []),
    messages: body.messages.map(number),
  }));
  const parts = [...known.keys()].map((text) => `  ${text}`).join(',\n');
  const lists = told.map((request) => `  ${JSON.stringify(request)}`).join(',\n');
  fs.writeFileSync(path.join(folder, 'requests.json'), `{"parts":[\n${parts}\n],"requests":[\n${lists}\n]}\n`);
}

/** What is sent in no request, and long. */
function slim(line) {
  return line.attachment?.type === 'prompt_snapshot' ? { ...line, attachment: { type: 'prompt_snapshot' } } : line;
}

/** Replaces paths, and their form in names of folders; the longest first. */
function renamer(places) {
  const pairs = Object.entries(places).flatMap(([from, to]) => [
    [from, to],
    [from.replace(/[^A-Za-z0-9]/g, '-'), to.replace(/[^A-Za-z0-9]/g, '-')],
  ]);
  const longestFirst = pairs.sort(([a], [b]) => b.length - a.length);
  const renamed = (text) => longestFirst.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return (text) => renamed(text).replace(/(OS Version:|"osVersion":)([ "]*)[A-Za-z]+ [\w.-]+/g, '$1$2Linux 6.0.0');
}

/** Marks for the cache are no part of what is said. */
function unmarked(value) {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === 'cache_control' ? [] : [[name, unmarked(member)]])),
  );
}

function cut(value) {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, BULKY.has(name) ? {} : cut(member)]));
}

/** Cuts what a reminder says, and what stands between reminders; a mere mention of the tag is no reminder. */
function cutText(text) {
  return text
    .split(REMINDER)
    .map((piece) => (REMINDER_WHOLE.test(piece) ? cutReminder(piece) : cutPlain(piece)))
    .join('');
}

function cutPlain(text) {
  return text.length <= LONGEST ? text : shorten(text, LONGEST_REMINDER);
}

function cutReminder(reminder) {
  const inner = reminder.slice('<system-reminder>'.length, -'</system-reminder>'.length);
  if (inner.length <= LONGEST_REMINDER) return reminder;
  return `<system-reminder>${shorten(inner, LONGEST_REMINDER)}\n</system-reminder>`;
}

function shorten(text, length) {
  return `${text.slice(0, length)}…[trimmed ${text.length - length} chars]`;
}
