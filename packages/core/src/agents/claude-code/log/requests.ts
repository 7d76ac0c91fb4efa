/**
 * What newer logs say of requests: `api-request-shape` holds system prompt and tools, `api-request-blob` a message as it was
 * sent, and `api-request` names the messages of one request, the first `keep` of them by the request `base`. A message
 * that stands in the conversation just as it was sent has no blob; it is the next one there that no request has named.
 */
import type { ItemRun } from '../../../model/context/item.js';
import { asLogObject } from '../../../model/context/log-value.js';
import { countOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addItem, type Reading } from '../reading/reading.js';
import { runsOf, withoutRepeats } from '../../item-runs.js';
import { showMessage } from './sent-message.js';
import type { NamedMessage, ReaderState } from '../reading/state.js';

/** A request goes on from one of the last few. */
const MOST_REQUESTS = 8;
const NAME_DIGITS = 16;
/** Requests of the conversation itself; others only help it, with titles, summaries, guesses. */
const OWN = /^(?:sdk|repl|agent|main)/;

export function readShape(reading: Reading): void {
  const { state, line } = reading;
  const name = nameOf(line['shapeHash']);
  const shape = objectOf(line, 'shape');
  if (name === undefined || shape === undefined || state.shapes.has(name)) return;
  const items: number[] = [];
  const add = (path: string, pointer: string): void => {
    items.push(
      addItem(reading, pointer, {
        kind: 'rules',
        role: 'system',
        path,
        content: { pointers: [pointer] },
        selection: 'heuristic',
      }),
    );
  };
  listOf(shape, 'system').forEach((part, index) => {
    if (textOf(asLogObject(part), 'text') !== undefined) add('system prompt', `/shape/system/${String(index)}/text`);
  });
  if (listOf(shape, 'tools').length > 0) add('tools', '/shape/tools');
  state.shapes.set(name, runsOf(items));
}

export function readBlob(reading: Reading): void {
  const { state, line } = reading;
  const name = nameOf(line['hash']);
  const message = objectOf(line, 'message');
  if (name === undefined || message === undefined || state.named.has(name)) return;
  const role = wordOf(message, 'role') ?? 'user';
  state.named.set(name, { role, items: showMessage(reading, message, role) });
}

export function readRequest({ state, line, events }: Reading): void {
  const id = wordOf(line, 'id');
  if (id === undefined || !OWN.test(wordOf(line, 'querySource') ?? 'main')) return;
  const base = state.requests.find((request) => request.id === line['base']);
  const keep = countOf(line, 'keep') ?? 0;
  const messages = [
    ...(base?.messages.slice(0, keep) ?? []),
    ...listOf(line, 'tail').map((hash) => nameOf(hash) ?? ''),
  ];
  const items = itemsOf(state, messages);
  const exact = items !== undefined && (keep === 0 || base !== undefined) && messages.length >= keep;
  state.requests.push({ id, messages, exact });
  if (state.requests.length > MOST_REQUESTS) state.requests.shift();
  if (!exact) return;
  const shape = state.shapes.get(nameOf(line['shapeHash']) ?? '') ?? [];
  events.push({ event: 'window', request: id, exact: true, items: withoutRepeats([shape, ...items]) });
}

function itemsOf(state: ReaderState, messages: readonly string[]): readonly (readonly ItemRun[])[] | undefined {
  const all: (readonly ItemRun[])[] = [];
  let before: string | undefined;
  for (const name of messages) {
    const message = state.named.get(name) ?? nextUnnamed(state, before);
    if (message === undefined) return undefined;
    state.named.set(name, message);
    before = message.role;
    all.push(message.items);
  }
  return all;
}

/** User and assistant take turns; what is of the wrong one was never sent. */
function nextUnnamed({ unnamed }: ReaderState, before: string | undefined): NamedMessage | undefined {
  const role = before === 'assistant' || before === undefined ? 'user' : 'assistant';
  const at = unnamed.findIndex((message) => message.role === role && message.old !== true);
  const found = unnamed[at];
  if (found === undefined) return undefined;
  unnamed.splice(at, 1);
  return { role, items: [{ from: found.first, to: found.first + found.count - 1 }] };
}

function nameOf(hash: unknown): string | undefined {
  return typeof hash === 'string' && hash !== '' ? hash.slice(0, NAME_DIGITS) : undefined;
}
