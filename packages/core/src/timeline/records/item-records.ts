/** Items of the fold: made when a line brings them, completed when a request shows them. */
import { text } from '../../base/bytes.js';
import type { ItemRecord, TokenCount } from '../../model/context/item.js';
import type { CountedEvent, ItemEvent, SentEvent } from '../../model/context/log-event.js';
import type { FoldState } from './fold-state.js';
import type { Folding } from './folding.js';
import { contentIn, type FoundContent } from './line.js';
import { placePath } from './paths.js';
import { appendItem } from './runs.js';
import { LONGEST_COMMAND, recordId, timeIn, wording } from './wording.js';

/** Bytes of a token, roughly, in source code and English with the models of today. */
const BYTES_PER_TOKEN = 4;
/** What providers ask for an image of ordinary size. */
const TOKENS_PER_IMAGE = 1600;
/** Items that a request may still show; older ones stay as they are. */
const MOST_OPEN = 400;

export function addItem(folding: Folding, event: ItemEvent): void {
  const { state, line, changes } = folding;
  const sequence = state.totals.items;
  state.totals.items += 1;
  // What the log only seemed to hold is an item without bytes: numbers of items must not shift.
  const content = contentIn(line, event.content) ?? contentIn(line, { pointers: [] });
  if (content === undefined) return;
  const at = timeIn(event.at);
  const item: ItemRecord = {
    id: recordId('item', event.key),
    sequence,
    kind: event.kind,
    role: wording(event.role),
    ...pathOf(event, state.session.directory),
    ...(event.range !== undefined && { range: event.range }),
    content: content.reference,
    ...sentOf(content, event.sent === undefined ? undefined : contentIn(line, event.sent)),
    tokens: estimate(event, content.bytes.length),
    ...(event.call !== undefined && { from: recordId('action', event.call) }),
    selection: event.selection,
    ...(at !== undefined && { at }),
  };
  keep(state, item);
  changes.items.set(sequence, item);
  state.window = { ...state.window, in: appendItem(state.window.in, sequence) };
  if (event.prompt === true) notePrompt(state, content.bytes);
}

/** What is no path but a command, a pattern or an address stays as it is. */
function pathOf({ kind, path }: ItemEvent, directory: string | undefined): Pick<ItemRecord, 'path'> {
  if (path === undefined) return {};
  const isPath = kind === 'file' || kind === 'image' || kind === 'memory' || path.startsWith('/');
  return { path: isPath ? placePath(path, directory).path : wording(path, LONGEST_COMMAND) };
}

function sentOf(content: FoundContent, sent: FoundContent | undefined): Pick<ItemRecord, 'sent'> {
  return sent === undefined || sent.reference.blob === content.reference.blob ? {} : { sent: sent.reference };
}

function estimate({ kind }: ItemEvent, bytes: number): TokenCount {
  return { count: kind === 'image' ? TOKENS_PER_IMAGE : Math.ceil(bytes / BYTES_PER_TOKEN), estimated: true };
}

function notePrompt(state: FoldState, bytes: Uint8Array): void {
  state.totals.prompts += 1;
  state.session = { ...state.session, task: wording(text(bytes.subarray(0, 4096)).trim()) };
}

function keep({ items }: FoldState, item: ItemRecord): void {
  items.delete(item.sequence);
  items.set(item.sequence, item);
  const [oldest] = items.keys();
  if (items.size > MOST_OPEN && oldest !== undefined) items.delete(oldest);
}

export function showItem(folding: Folding, { item, content, inside }: SentEvent): void {
  const known = folding.state.items.get(item);
  if (known === undefined) return;
  const found = content === undefined ? undefined : contentIn(folding.line, content);
  const { sent: before, ...rest } = known;
  const sent = found === undefined ? before : found.reference.blob === known.content.blob ? undefined : found.reference;
  replace(folding, { ...rest, ...(sent !== undefined && { sent }), ...(inside !== undefined && { inside }) });
}

/** Tokens that were counted for several items are shared out by their bytes; only the sum is exact then. */
export function countItems(folding: Folding, { items, tokens }: CountedEvent): void {
  const known = items.flatMap((item) => folding.state.items.get(item) ?? []);
  const bytes = known.reduce((sum, { content }) => sum + content.bytes, 0);
  let left = tokens;
  known.forEach((item, index) => {
    const isLast = index === known.length - 1;
    const count = isLast ? left : Math.min(left, bytes === 0 ? 0 : Math.floor((tokens * item.content.bytes) / bytes));
    left -= count;
    replace(folding, { ...item, tokens: { count, estimated: known.length > 1 } });
  });
}

function replace({ state, changes }: Folding, item: ItemRecord): void {
  state.items.set(item.sequence, item);
  changes.items.set(item.sequence, item);
}
