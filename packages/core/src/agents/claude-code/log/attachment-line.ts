/** Lines of what the agent puts before the model by itself: files, rules, memory, hooks' texts, reminders. */
import type { ItemKind } from '../../../model/context/item.js';
import type { LineContent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { noteNode } from '../reading/conversation.js';
import { byName, digestOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addItem, awaitRequest, isEcho, type Reading } from '../reading/reading.js';
import { rangeOf } from '../call/tool-results.js';

/** What only tells the agent's own story and is never sent. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  'hook_success',
  'prompt_snapshot',
  'hook_non_blocking_error',
  'hook_cancelled',
]);

const KINDS = byName<ItemKind>({
  file: 'file',
  edited_text_file: 'file',
  already_read_file: 'file',
  pdf_reference: 'file',
  directory: 'snippet',
  nested_memory: 'memory',
  relevant_memories: 'memory',
  hook_additional_context: 'snippet',
  edited_image_file: 'image',
});

export function readAttachment(reading: Reading): void {
  const { state, line } = reading;
  const attachment = objectOf(line, 'attachment');
  const type = wordOf(attachment, 'type');
  if (type === undefined || NEVER_SENT.has(type) || isEcho(reading)) return;
  const rendered = listOf(line, 'rendered').map((one) => textOf(asLogObject(one), 'content'));
  const sent = renderedContent(rendered);
  const content = ownContent(attachment ?? {}) ?? sent ?? listed(attachment ?? {});
  if (content === undefined) return;
  const first = state.items;
  const file = fileOf(attachment ?? {});
  const range = rangeOf(file);
  const path = wordOf(attachment, 'filename') ?? wordOf(attachment, 'path') ?? wordOf(attachment, 'hookName') ?? type;
  const item = addItem(reading, 'attachment', {
    kind: KINDS[type] ?? 'rules',
    role: wordOf(line, 'renderedRole') ?? 'system',
    path,
    ...(range !== undefined && { range }),
    content,
    ...(sent !== undefined && content !== sent && { sent }),
    selection: 'heuristic',
  });
  const texts = rendered.filter((text) => text !== undefined);
  awaitRequest(reading, { item, digests: texts.map(digestOf) });
  noteNode(reading, { first, count: 1 });
}

function renderedContent(rendered: readonly (string | undefined)[]): LineContent | undefined {
  const pointers = rendered.flatMap((text, index) =>
    text === undefined ? [] : [`/rendered/${String(index)}/content`],
  );
  return pointers.length === 0 ? undefined : { pointers };
}

function fileOf(attachment: LogObject): LogObject | undefined {
  return objectOf(objectOf(attachment, 'content'), 'file');
}

/** Returns where the thing itself stands, without the frame in which it was sent. */
function ownContent(attachment: LogObject): LineContent | undefined {
  if (textOf(fileOf(attachment), 'content') !== undefined) return at('/content/file/content');
  const content = attachment['content'];
  if (typeof content === 'string') return at('/content');
  if (textOf(objectOf(attachment, 'content'), 'content') !== undefined) return at('/content/content');
  const strings = listOf(attachment, 'content').flatMap((one, index) =>
    typeof one === 'string' ? [`/content/${String(index)}`] : [],
  );
  if (strings.length > 0) return at(...strings);
  for (const name of ['snippet', 'text', 'prompt', 'message'])
    if (textOf(attachment, name) !== undefined) return at(`/${name}`);
  return undefined;
}

/** Older logs say only what was added to a list. */
function listed(attachment: LogObject): LineContent | undefined {
  return listOf(attachment, 'addedLines').length > 0 ? at('/addedLines') : undefined;
}

function at(...pointers: readonly string[]): LineContent {
  return { pointers: pointers.map((pointer) => `/attachment${pointer}`) };
}
