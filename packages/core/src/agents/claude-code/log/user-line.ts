/** Lines that stand for the user: prompts, results of calls, images, summaries, and what the agent says in the user's name. */
import type { ItemKind } from '../../../model/context/item.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { addMessage, branchAt, firstDigest, noteNode } from '../reading/conversation.js';
import { digestOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addItem, awaitRequest, isEcho, type Reading } from '../reading/reading.js';
import { endTask } from '../call/background.js';
import { addResult, imageAt } from '../call/tool-results.js';

/** What the agent writes in the user's name; no person asked for it. */
const NOT_ASKED =
  /^\s*<(?:local-command-|command-name>|command-message>|bash-|task-notification|system-reminder)|^\[Request interrupted/;

export function readUser(reading: Reading): void {
  const { state, line } = reading;
  const message = objectOf(line, 'message');
  if (message === undefined || isEcho(reading)) return;
  const first = state.items;
  const content = message['content'];
  if (typeof content === 'string') addText(reading, content, '/message/content');
  listOf(message, 'content').forEach((value, index) => {
    addBlock(reading, asLogObject(value) ?? {}, index);
  });
  const span = { first, count: state.items - first };
  noteNode(reading, span);
  addMessage(reading, { role: 'user', digest: firstDigest(message), ...span });
}

function addBlock(reading: Reading, block: LogObject, index: number): void {
  const at = `/message/content/${String(index)}`;
  const type = textOf(block, 'type');
  if (type === 'text') addText(reading, textOf(block, 'text') ?? '', `${at}/text`);
  if (type === 'image' || type === 'document') addImage(reading, block, at);
  if (type === 'tool_result') addResult(reading, block, at);
}

function addText(reading: Reading, text: string, pointer: string): void {
  const { line, events, state } = reading;
  const isSummary = line['isCompactSummary'] === true;
  const isPrompt =
    !isSummary &&
    line['isMeta'] !== true &&
    wordOf(objectOf(line, 'origin'), 'kind') !== 'task-notification' &&
    !NOT_ASKED.test(text);
  if (isPrompt && state.sidechain !== true) branchAt(reading);
  const kind: ItemKind = isSummary ? 'summary' : 'message';
  const item = addItem(reading, pointer, {
    kind,
    role: 'user',
    content: { pointers: [pointer] },
    selection: isPrompt ? 'explicit' : 'heuristic',
    ...(isPrompt && { prompt: true }),
  });
  awaitRequest(reading, { item, digests: [digestOf(text)], reworded: true });
  if (!isPrompt) endTask(reading, text);
  if (isPrompt) events.push({ event: 'session', state: 'active' });
  else if (text.startsWith('[Request interrupted')) events.push({ event: 'session', state: 'idle' });
}

function addImage(reading: Reading, block: LogObject, at: string): void {
  const content = imageAt(block, at);
  if (content === undefined) return;
  const item = addItem(reading, at, {
    kind: 'image',
    role: 'user',
    content,
    selection: 'explicit',
  });
  awaitRequest(reading, { item, digests: [digestOf(textOf(objectOf(block, 'source'), 'data') ?? '')] });
}
