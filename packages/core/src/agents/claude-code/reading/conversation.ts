/**
 * The conversation as a tree of lines: which of them are before the model where the log does not say what was sent. It is
 * the way back from the newest line to the last compaction. Results of calls made at once hang beside each other, so only a
 * person's prompt that goes on from further up leaves out what came since.
 */
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { addSpan, runsOfSpans, type ItemSpan } from '../../item-runs.js';
import { digestOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import type { Reading } from './reading.js';
import type { ReaderState, UnnamedMessage } from './state.js';

/** Messages that no request names, such as those of an aborted turn, are given up beyond this. */
const MOST_UNNAMED = 200;

/** Takes a line of the conversation with the items that it added. */
export function noteNode({ state, line, node }: Reading, span: ItemSpan): void {
  if (span.count === 0) return;
  // A summary stands before what the compaction kept.
  const isSummary = line['isCompactSummary'] === true;
  if (isSummary) state.chain.unshift([node, span]);
  else state.chain.push([node, span]);
  if (isSummary) state.inferred = runsOfChain(state.chain);
  else addSpan(state.inferred, span);
}

/** A prompt that follows an earlier line than the newest one takes the conversation back there. */
export function branchAt({ state, line }: Reading): void {
  const parent = wordOf(line, 'parentUuid');
  const at = parent === undefined ? -1 : state.chain.findLastIndex(([node]) => node === parent);
  if (at < 0 || at === state.chain.length - 1) return;
  state.chain.splice(at + 1);
  state.inferred = runsOfChain(state.chain);
}

/** The first line of an answer shows that a request was made of all before it. */
export function windowBefore({ state, line, events }: Reading, message: LogObject): void {
  const id = wordOf(message, 'id');
  if (id !== undefined && id === state.answer) return;
  const reference = wordOf(line, 'requestRef');
  if (state.requests.some(({ id: one, exact }) => exact && one === reference)) return;
  const request = wordOf(line, 'requestId');
  events.push({
    event: 'window',
    ...(request !== undefined && { request }),
    exact: false,
    items: state.inferred.map((run) => ({ ...run })),
  });
}

export function noteAnswer(reading: Reading, message: LogObject, span: ItemSpan): void {
  const { state } = reading;
  const id = wordOf(message, 'id') ?? reading.node;
  state.answer = id;
  noteNode(reading, span);
  addMessage(reading, { role: 'assistant', id, digest: firstDigest(message), ...span });
}

/** Adds a line's items to the message that they are a part of. */
export function addMessage({ state: { unnamed } }: Reading, message: UnnamedMessage): void {
  if (message.count === 0) return;
  const last = unnamed.at(-1);
  if (last?.role === message.role && last.id === message.id && last.first + last.count === message.first) {
    unnamed.splice(-1, 1, { ...last, count: last.count + message.count });
    return;
  }
  unnamed.push(message);
  if (unnamed.length > MOST_UNNAMED) unnamed.shift();
}

/** Returns what a message of a conversation and the same one in a request have in common. */
export function firstDigest(message: LogObject): string {
  const content = message['content'];
  if (typeof content === 'string') return digestOf(content);
  const block = asLogObject(listOf(message, 'content')[0]);
  return digestOf(textOf(block, 'text') ?? textOf(block, 'thinking') ?? textOf(block, 'id') ?? '');
}

/** A compaction keeps the lines that it names; the summary comes after it. */
export function compact({ state, line, events }: Reading): void {
  const kept = new Set(listOf(objectOf(objectOf(line, 'compactMetadata'), 'preservedMessages'), 'uuids'));
  state.chain = state.chain.filter(([node]) => kept.has(node));
  state.inferred = runsOfChain(state.chain);
  state.unnamed = state.unnamed.map((message) => ({ ...message, old: true }));
  events.push({ event: 'compaction' });
}

/** The runs are kept beside the chain: making them anew for each answer would take the square of its length. */
function runsOfChain(chain: ReaderState['chain']): ReaderState['inferred'] {
  return runsOfSpans(chain.map(([, span]) => span));
}
