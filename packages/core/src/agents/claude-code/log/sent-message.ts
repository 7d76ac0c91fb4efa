/** A message as it was sent, told apart into the items of the conversation that it shows. */
import type { ItemRun } from '../../../model/context/item.js';
import type { LineContent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { firstDigest } from '../reading/conversation.js';
import { digestOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addItem, type Reading } from '../reading/reading.js';
import { runsOf } from '../../item-runs.js';
import type { PendingItem } from '../reading/state.js';
import { contentOf, imageAt } from '../call/tool-results.js';

const [REMINDER, REMINDER_END] = ['<system-reminder>', '</system-reminder>'];

/** Returns what stands in the frame of a reminder. A text that opens many and closes none is gone through once. */
function remindersIn(text: string): readonly string[] {
  const found: string[] = [];
  for (let at = text.indexOf(REMINDER); at >= 0;) {
    const end = text.indexOf(REMINDER_END, at);
    if (end < 0) break;
    found.push(text.slice(at, end + REMINDER_END.length));
    at = text.indexOf(REMINDER, end);
  }
  return found;
}

/** Returns the items of a message, in the order in which it shows them; what no line told of becomes an item here. */
export function showMessage(reading: Reading, message: LogObject, role: string): readonly ItemRun[] {
  const { state } = reading;
  if (role === 'assistant') {
    const at = state.unnamed.findIndex((one) => one.role === role && one.digest === firstDigest(message));
    const [answer] = at < 0 ? [] : state.unnamed.splice(at, 1);
    if (answer !== undefined) return [{ from: answer.first, to: answer.first + answer.count - 1 }];
  }
  const blocks = blocksOf(message);
  const shown = blocks.map((block) => take(reading, block));
  // What stands there in other words than in the conversation is told apart by its place: the first prompt left over.
  blocks.forEach((block, index) => {
    if (shown[index] === undefined) shown[index] = takeReworded(reading, block) ?? addUntold(reading, block, role);
  });
  const items = shown.flatMap((item, index) =>
    item === undefined ? [] : [item, ...insideOf(reading, blocks[index], item)],
  );
  state.unnamed = state.unnamed.filter(
    ({ first, count }) => !items.some((item) => item >= first && item < first + count),
  );
  return runsOf(items);
}

interface Block {
  readonly content: LineContent;
  readonly text: string;
  readonly call?: string;
}

function blocksOf(message: LogObject): readonly Block[] {
  const whole = textOf(message, 'content');
  if (whole !== undefined) return [{ content: { pointers: ['/message/content'] }, text: whole }];
  return listOf(message, 'content').flatMap((value, index) =>
    blockOf(asLogObject(value) ?? {}, `/message/content/${String(index)}`),
  );
}

function blockOf(block: LogObject, at: string): readonly Block[] {
  const text = textOf(block, 'text') ?? textOf(block, 'thinking');
  if (text !== undefined) return [{ content: { pointers: [`${at}/${textOf(block, 'type') ?? 'text'}`] }, text }];
  const image = imageAt(block, at);
  if (image !== undefined) return [{ content: image, text: textOf(objectOf(block, 'source'), 'data') ?? '' }];
  const call = wordOf(block, 'tool_use_id');
  const answers = call === undefined ? {} : { call };
  if (textOf(block, 'type') !== 'tool_result') return [{ content: { pointers: [at] }, text: '', ...answers }];
  const parts = listOf(block, 'content').map((part) => asLogObject(part) ?? {});
  if (parts.some((part) => textOf(objectOf(part, 'source'), 'data') !== undefined)) {
    // Beside an image, texts are pieces of their own: bytes and text have no common form.
    const [first, ...rest] = parts.flatMap((part, index) => blockOf(part, `${at}/content/${String(index)}`));
    return first === undefined ? [] : [{ ...first, ...answers }, ...rest];
  }
  const content = contentOf(block, at);
  return content === undefined ? [] : [{ content, text: textsOf(block), ...answers }];
}

function textsOf(block: LogObject): string {
  return (
    textOf(block, 'content') ??
    listOf(block, 'content')
      .map((one) => textOf(asLogObject(one), 'text') ?? '')
      .join('\n')
  );
}

function take(reading: Reading, { content, text, call }: Block): number | undefined {
  const digest = digestOf(text);
  if (call !== undefined) return takePending(reading, { fits: (one) => one.call === call, content });
  return takePending(reading, { fits: ({ digests }) => digests.includes(digest), content, digest });
}

/** What is made of reminders alone is no prompt in other words. */
function takeReworded(reading: Reading, { content, call, text }: Block): number | undefined {
  const told = new Set(remindersIn(text).map(digestOf));
  const reminds = reading.state.pending.some(({ digests }) => digests.some((digest) => told.has(digest)));
  if (call !== undefined || reminds) return undefined;
  return takePending(reading, { fits: ({ reworded }) => reworded === true, content });
}

interface Shown {
  readonly fits: (pending: PendingItem) => boolean;
  readonly content: LineContent;
  /** Of the one piece that is shown, where there are several; they keep the place where they stand together. */
  readonly digest?: string;
}

function takePending({ state, events }: Reading, { fits, content, digest }: Shown): number | undefined {
  const at = state.pending.findIndex(fits);
  const found = state.pending[at];
  if (found === undefined) return undefined;
  const left = digest === undefined ? [] : withoutFirst(found.digests, digest);
  state.pending.splice(at, 1, ...(left.length > 0 ? [{ ...found, digests: left, piece: true }] : []));
  if (left.length === 0 && found.piece !== true) events.push({ event: 'sent', item: found.item, content });
  return found.item;
}

function withoutFirst(digests: readonly string[], digest: string): readonly string[] {
  const at = digests.indexOf(digest);
  return digests.filter((_, index) => index !== at);
}

function addUntold(reading: Reading, { content, text }: Block, role: string): number {
  const kind = text.startsWith(REMINDER) ? 'rules' : 'message';
  return addItem(reading, content.pointers.join(), { kind, role, content, selection: 'heuristic' });
}

/** Reminders are put at the end of a result or a prompt; they are items of their own. */
function insideOf({ state, events }: Reading, block: Block | undefined, host: number): readonly number[] {
  const inside: number[] = [];
  for (const reminder of remindersIn(block?.text ?? '')) {
    const digest = digestOf(reminder);
    const at = state.pending.findIndex(({ digests }) => digests.includes(digest));
    const [found] = at < 0 ? [] : state.pending.splice(at, 1);
    if (found === undefined) continue;
    events.push({ event: 'sent', item: found.item, inside: host });
    inside.push(found.item);
  }
  return inside;
}
