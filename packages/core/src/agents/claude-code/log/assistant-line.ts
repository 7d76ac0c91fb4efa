/** Lines of an answer: one for each block, all with the answer's id and what its request cost. */
import type { LineContent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import type { ItemSpan } from '../../item-runs.js';
import { countOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { callEvent, callItem, rememberCall, type Call } from '../../call.js';
import { endsTurn } from '../reading/answer-end.js';
import { noteAnswer, windowBefore } from '../reading/conversation.js';
import { noteTodos } from '../call/progress.js';
import { addItem, isEcho, type Reading } from '../reading/reading.js';
import { targetsOf, toolOf } from '../call/tools.js';

export function readAnswer(reading: Reading): ItemSpan {
  const { state, line, events } = reading;
  const message = objectOf(line, 'message');
  const first = state.items;
  const nothing = { first, count: 0 };
  // The agent itself speaks, and no request was made: an error of the interface, or nothing to say.
  const synthetic = textOf(message, 'model') === '<synthetic>';
  if (message === undefined || line['isApiErrorMessage'] === true) return nothing;
  const echo = isEcho(reading);
  if (!synthetic) {
    if (!echo) windowBefore(reading, message);
    addUsage(reading, message, !echo);
  }
  if (echo) return nothing;
  addBlocks(reading, message);
  const span = { first, count: state.items - first };
  noteAnswer(reading, message, span);
  if (!synthetic) countAnswer(reading, message);
  if (!synthetic) events.push({ event: 'session', state: endsTurn(message['stop_reason']) ? 'idle' : 'active' });
  return span;
}

/** The newest line of an answer says what all of it is up to there; what the model thought is not sent again. */
function countAnswer({ state, events }: Reading, message: LogObject): void {
  const usage = objectOf(message, 'usage');
  const output = countOf(usage, 'output_tokens');
  const answer = state.unnamed.at(-1);
  if (output === undefined || answer?.role !== 'assistant') return;
  const thought = countOf(objectOf(usage, 'output_tokens_details'), 'thinking_tokens') ?? 0;
  const items = Array.from({ length: answer.count }, (_, index) => answer.first + index);
  events.push({ event: 'counted', items, tokens: Math.max(0, output - thought) });
}

function addBlocks(reading: Reading, message: LogObject): void {
  const content = message['content'];
  if (typeof content === 'string') addText(reading, '0', { pointers: ['/message/content'] });
  listOf(message, 'content').forEach((value, index) => {
    const block = asLogObject(value);
    const at = `/message/content/${String(index)}`;
    const type = textOf(block, 'type');
    if (type === 'text') addText(reading, String(index), { pointers: [`${at}/text`] });
    if (type === 'thinking' && wordOf(block, 'thinking') !== undefined)
      addText(reading, String(index), { pointers: [`${at}/thinking`] });
    if (type === 'tool_use' || type === 'server_tool_use') addCall(reading, index, block ?? {});
  });
}

function addText(reading: Reading, part: string, content: LineContent): void {
  addItem(reading, part, { kind: 'message', role: 'assistant', content, selection: 'heuristic' });
}

function addCall(reading: Reading, index: number, block: LogObject): void {
  const { state, events, at } = reading;
  const call = wordOf(block, 'id') ?? `${reading.node}#${String(index)}`;
  const tool = wordOf(block, 'name') ?? 'unknown';
  const made: Call = {
    ...targetsOf(tool, objectOf(block, 'input')),
    call,
    tool,
    kind: toolOf(tool).action,
    arguments: { pointers: [`/message/content/${String(index)}/input`] },
    ...(at !== undefined && { at }),
  };
  events.push(callEvent(made));
  addItem(reading, String(index), callItem(made));
  noteTodos(reading, tool, objectOf(block, 'input'));
  rememberCall(state.calls, made);
}

function addUsage(reading: Reading, message: LogObject, own: boolean): void {
  const usage = objectOf(message, 'usage');
  const requestId = wordOf(reading.line, 'requestId');
  const messageId = wordOf(message, 'id');
  const model = wordOf(message, 'model');
  const [input, output] = [countOf(usage, 'input_tokens'), countOf(usage, 'output_tokens')];
  const cacheRead = countOf(usage, 'cache_read_input_tokens');
  const cacheWrite = countOf(usage, 'cache_creation_input_tokens');
  const cacheWriteLong = countOf(objectOf(usage, 'cache_creation'), 'ephemeral_1h_input_tokens');
  const reasoning = countOf(objectOf(usage, 'output_tokens_details'), 'thinking_tokens');
  reading.events.push({
    event: 'usage',
    own,
    ...(reading.at !== undefined && { at: reading.at }),
    ...(model !== undefined && { model }),
    ...(requestId !== undefined && { requestId }),
    ...(messageId !== undefined && { messageId }),
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(cacheWriteLong !== undefined && cacheWriteLong > 0 && { cacheWriteLong }),
    ...(reasoning !== undefined && { reasoning }),
    ...costOf(reading.line),
    estimated: false,
  });
}

/** Logs of older versions name a price, in dollars. */
function costOf({ costUSD }: LogObject): { readonly costMicros?: number } {
  const micros = typeof costUSD === 'number' ? Math.round(costUSD * 1e6) : -1;
  return Number.isSafeInteger(micros) && micros >= 0 ? { costMicros: micros } : {};
}
