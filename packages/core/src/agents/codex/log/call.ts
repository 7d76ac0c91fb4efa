/** Calls of tools and what came back: each call an action, its output an item. */
import type { ResultEvent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { countOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { callEvent, callItem, rememberCall, type Call } from '../../call.js';
import { doneOf } from './done.js';
import { addItem, nameOf, type Reading } from './reading.js';
import type { EndableCall, HistoryEntry } from './state.js';
import { argumentsOf, commandOf, filesOfPatch, toolOf } from './tools.js';

const MOST_STEPS = 100;

/** Where each kind of call has its arguments. */
const ARGUMENTS: Readonly<Record<string, string | undefined>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
  local_shell_call: 'action',
  web_search_call: 'action',
};

export function addCall(reading: Reading): HistoryEntry {
  const { payload, state, events, at } = reading;
  const type = wordOf(payload, 'type') ?? '';
  const tool = wordOf(payload, 'name') ?? type.replace(/_call$/, '');
  const call = wordOf(payload, 'call_id') ?? nameOf(reading, payload);
  const made: Call = {
    ...targetsOf(payload, tool),
    call,
    tool,
    kind: toolOf(tool).action,
    arguments: { pointers: [`/payload/${ARGUMENTS[type] ?? 'arguments'}`] },
    ...(at !== undefined && { at }),
  };
  events.push(callEvent(made));
  const first = addItem(reading, { key: `${nameOf(reading, payload)}#call`, ...callItem(made) });
  notePlan(reading, tool);
  rememberCall(state.calls, made);
  return { first, count: 1 };
}

function targetsOf(payload: LogObject, tool: string): Pick<Call, 'path' | 'command' | 'reads' | 'writes'> {
  const given = argumentsOf(textOf(payload, 'arguments')) ?? objectOf(payload, 'action');
  const { action, path: field } = toolOf(tool);
  if (action === 'edit') {
    const writes = filesOfPatch(textOf(payload, 'input') ?? textOf(given, 'input') ?? '');
    const [first] = writes;
    return { ...(first !== undefined && { path: first }), reads: [], writes: writes.map((path) => ({ path })) };
  }
  const command = action === 'shell' ? commandOf(given) : undefined;
  const path = field === undefined ? undefined : wordOf(given, field);
  return { ...(path !== undefined && { path }), ...(command !== undefined && { command }), reads: [], writes: [] };
}

function notePlan({ payload, events }: Reading, tool: string): void {
  if (tool !== 'update_plan') return;
  const plan = listOf(argumentsOf(textOf(payload, 'arguments')), 'plan').map(asLogObject);
  const progress = plan
    .slice(0, MOST_STEPS)
    .map((step) => ({ text: textOf(step, 'step') ?? '', status: textOf(step, 'status') ?? 'pending' }));
  events.push({ event: 'session', progress });
}

export function addOutput(reading: Reading): HistoryEntry {
  const { payload, state } = reading;
  const call = wordOf(payload, 'call_id') ?? nameOf(reading, payload);
  const open = state.calls.get(call);
  const tool = toolOf(open?.tool ?? '');
  const first = state.items;
  const path = open?.command ?? open?.path ?? open?.tool;
  for (const { pointers, image } of piecesOf(payload))
    addItem(reading, {
      key: `${nameOf(reading, payload)}#output${state.items === first ? '' : pointers.join()}`,
      kind: image ? 'image' : state.items === first && tool.item !== 'image' ? tool.item : 'snippet',
      role: 'user',
      ...(path !== undefined && { path }),
      content: { pointers },
      call,
      selection: 'heuristic',
    });
  endByText(reading, call, open);
  return { first, count: state.items - first };
}

/** An output is a text, or blocks of text; the older form has it one level down. */
function outputPointers(payload: LogObject): readonly string[] {
  if (textOf(payload, 'output') !== undefined) return ['/payload/output'];
  if (textOf(objectOf(payload, 'output'), 'content') !== undefined) return ['/payload/output/content'];
  return listOf(payload, 'output').flatMap((value, index) => {
    const block = asLogObject(value);
    const field = ['text', 'image_url'].find((name) => textOf(block, name) !== undefined);
    return field === undefined ? [] : [`/payload/output/${String(index)}/${field}`];
  });
}

interface Piece {
  readonly pointers: readonly string[];
  readonly image: boolean;
}

/** What came back as one piece; where there are images, each of them and each text beside them by itself. */
function piecesOf(payload: LogObject): readonly Piece[] {
  const pointers = outputPointers(payload);
  const isImage = (pointer: string): boolean => pointer.endsWith('/image_url');
  if (pointers.some(isImage)) return pointers.map((pointer) => ({ pointers: [pointer], image: isImage(pointer) }));
  return pointers.length === 0 ? [] : [{ pointers, image: false }];
}

/** What stands above the output itself says how the command ended, where no line of its own has said it. */
function endByText({ payload, state, events, at }: Reading, call: string, open: EndableCall | undefined): void {
  const [head = ''] = (textOf(payload, 'output') ?? '').slice(0, 400).split('\nOutput:\n');
  // It goes on in the background; how it ended comes later, if at all.
  if (/^Process running with session ID/m.test(head) && open?.ended !== true) return;
  state.calls.delete(call);
  if (open === undefined || open.ended === true) return;
  const exit = /^(?:Process exited with code|Exit code:) (-?\d{1,5})$/m.exec(head)?.[1];
  const pointers = outputPointers(payload);
  events.push({
    event: 'result',
    call,
    status: exit === undefined || Number(exit) === 0 ? 'ok' : 'error',
    ...(exit !== undefined && { exitCode: Number(exit) }),
    ...(pointers.length > 0 && { output: { pointers } }),
    ...(at !== undefined && { at }),
  });
}

/** A line of its own says how a call ended: with exit code, output and files. */
export function endByItem({ payload, state, events, at }: Reading): void {
  const item = objectOf(payload, 'item');
  const call = wordOf(item, 'id') ?? '';
  const open = state.calls.get(call);
  if (item === undefined || open === undefined || open.ended === true) return;
  state.calls.set(call, { ...open, ended: true });
  const took = tookOf(payload);
  const result: ResultEvent = {
    event: 'result',
    call,
    ...doneOf(item),
    ...(took !== undefined && { milliseconds: took }),
    ...(at !== undefined && { at }),
  };
  events.push(result);
}

function tookOf(payload: LogObject): number | undefined {
  const { secs, nanos } = objectOf(objectOf(payload, 'item'), 'duration') ?? {};
  if (typeof secs === 'number' && typeof nanos === 'number') return Math.round(secs * 1000 + nanos / 1e6);
  const [from, to] = [countOf(payload, 'started_at_ms'), countOf(payload, 'completed_at_ms')];
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}
