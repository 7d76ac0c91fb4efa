/** Items of the fold: made when a line brings them, completed when a request shows them. */
import { compareBytes } from '../../base/bytes.js';
import { estimatedTokens, type ItemRecord } from '../../model/context/item.js';
import type { CountedEvent, ItemEvent, SentEvent } from '../../model/context/log-event.js';
import type { FoldState, OpenItem } from './fold-state.js';
import type { Folding } from './folding.js';
import { contentIn, digestOf, type FoundContent } from './line.js';
import { placePath } from './paths.js';
import { appendItem } from './runs.js';
import { LONGEST_COMMAND, recordId, roleOf, timeIn, worded } from './wording.js';

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
    role: roleOf(event.role),
    ...pathOf(event, state.session.directory),
    ...(event.range !== undefined && Number.isSafeInteger(event.range.to) && { range: event.range }),
    content: content.reference,
    ...sentOf(content, event.sent === undefined ? undefined : contentIn(line, event.sent)),
    tokens: estimatedTokens(event.kind, content.bytes.length),
    ...(event.call !== undefined && { from: recordId('action', event.call) }),
    selection: event.selection,
    ...(at !== undefined && { at }),
  };
  // What the agent said stands in requests as in its answer.
  keep(state, { record: item, ...(event.role !== 'assistant' && { digest: digestOf(content.bytes) }) });
  changes.items.set(sequence, item);
  state.window = { ...state.window, in: appendItem(state.window.in, sequence) };
  if (event.prompt === true) notePrompt(state, content);
}

/** What is no path but a command, a pattern or an address stays as it is. */
function pathOf({ kind, path }: ItemEvent, directory: string | undefined): Pick<ItemRecord, 'path'> {
  if (path === undefined) return {};
  const isPath = kind === 'file' || kind === 'image' || kind === 'memory' || path.startsWith('/');
  return isPath ? { path: placePath(path, directory).path } : worded('path', path, LONGEST_COMMAND);
}

function sentOf(content: FoundContent, sent: FoundContent | undefined): Pick<ItemRecord, 'sent'> {
  return sent === undefined || compareBytes(sent.bytes, content.bytes) === 0 ? {} : { sent: sent.reference };
}

function notePrompt(state: FoldState, { reference }: FoundContent): void {
  state.totals.prompts += 1;
  state.session = { ...state.session, prompt: reference };
}

function keep({ items }: FoldState, item: OpenItem): void {
  items.set(item.record.sequence, item);
  const [oldest] = items.keys();
  if (items.size > MOST_OPEN && oldest !== undefined) items.delete(oldest);
}

export function showItem(folding: Folding, { item, content, inside }: SentEvent): void {
  const open = folding.state.items.get(item);
  if (open === undefined) return;
  const found = content === undefined ? undefined : contentIn(folding.line, content);
  const { sent: before, ...rest } = open.record;
  const sent = found === undefined ? before : digestOf(found.bytes) === open.digest ? undefined : found.reference;
  const record = { ...rest, ...(sent !== undefined && { sent }), ...(inside !== undefined && { inside }) };
  replace(folding, { ...open, record });
}

/** Tokens that were counted for several items are shared out by their bytes; only the sum is exact then. */
export function countItems(folding: Folding, { items, tokens }: CountedEvent): void {
  const known = items.flatMap((item) => folding.state.items.get(item) ?? []);
  const bytes = known.reduce((sum, { record: { content } }) => sum + content.bytes, 0);
  let left = tokens;
  known.forEach(({ record, ...rest }, index) => {
    const isLast = index === known.length - 1;
    const count = isLast ? left : Math.min(left, bytes === 0 ? 0 : Math.floor((tokens * record.content.bytes) / bytes));
    left -= count;
    replace(folding, { ...rest, record: { ...record, tokens: { count, estimated: known.length > 1 } } });
  });
}

function replace({ state, changes }: Folding, item: OpenItem): void {
  state.items.set(item.record.sequence, item);
  changes.items.set(item.record.sequence, item.record);
}
