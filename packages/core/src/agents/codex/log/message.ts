/** Messages of the history: prompts, answers, and what the agent puts beside them. */
import type { ItemKind } from '../../../model/context/item.js';
import type { LineContent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addItem, nameOf, type Reading } from './reading.js';
import type { HistoryEntry } from './state.js';

/** What the agent writes in the user's name, in logs that do not say what each text is. */
const NOT_ASKED =
  /^\s*<(?:environment_context|user_instructions|turn_aborted|user_shell_command|subagent_)|^# AGENTS\.md/;

interface Part {
  readonly kind: ItemKind;
  readonly prompt: boolean;
  readonly path?: string;
}

/** Adds the items of a message that stands at `at` in the line. */
export function addMessage(reading: Reading, message: LogObject, at: string): HistoryEntry {
  const first = reading.state.items;
  const role = wordOf(message, 'role') ?? 'user';
  const kinds = listOf(objectOf(message, 'internal_chat_message_metadata_passthrough'), 'content_item_kinds');
  const name = nameOf(reading, message);
  const prompts: number[] = [];
  listOf(message, 'content').forEach((value, index) => {
    const block = asLogObject(value);
    const content = contentOf(block, `${at}/content/${String(index)}`);
    if (content === undefined) return;
    const said = kinds[index];
    const image = textOf(block, 'text') === undefined;
    const part = partOf(role, typeof said === 'string' ? said : undefined, textOf(block, 'text') ?? '');
    if (part.prompt) prompts.push(index);
    addItem(reading, {
      key: `${name}#${String(index)}`,
      kind: image ? 'image' : part.kind,
      role: role === 'developer' ? 'system' : role,
      ...(part.path !== undefined && { path: part.path }),
      content,
      selection: part.prompt ? 'explicit' : 'heuristic',
      ...(part.prompt && !image && { prompt: true }),
    });
  });
  return { first, count: reading.state.items - first, ...(prompts.length > 0 && { prompt: true }) };
}

function contentOf(block: LogObject | undefined, at: string): LineContent | undefined {
  if (textOf(block, 'text') !== undefined) return { pointers: [`${at}/text`] };
  return textOf(block, 'image_url') === undefined ? undefined : { pointers: [`${at}/image_url`] };
}

/** The log says of each text what it is, such as `user.text`, `hooks.additional_context`, `compaction.summary`. */
function partOf(role: string, said: string | undefined, text: string): Part {
  if (role === 'assistant') return { kind: 'message', prompt: false };
  if (said === undefined) {
    const prompt = role === 'user' && !NOT_ASKED.test(text);
    return { kind: prompt ? 'message' : 'rules', prompt };
  }
  if (said.startsWith('user.')) return { kind: 'message', prompt: role === 'user' };
  if (said.startsWith('compaction.')) return { kind: 'summary', prompt: false };
  return { kind: said.startsWith('hooks.') ? 'snippet' : 'rules', prompt: false, path: said };
}

/** What the model thought, where it is told and not only kept encrypted. */
export function addReasoning(reading: Reading): HistoryEntry {
  const { payload, state } = reading;
  const first = state.items;
  const pointers = listOf(payload, 'summary').flatMap((value, index) =>
    textOf(asLogObject(value), 'text') === undefined ? [] : [`/payload/summary/${String(index)}/text`],
  );
  if (pointers.length > 0)
    addItem(reading, {
      key: `${nameOf(reading, payload)}#0`,
      kind: 'message',
      role: 'assistant',
      content: { pointers },
      selection: 'heuristic',
    });
  return { first, count: state.items - first };
}
