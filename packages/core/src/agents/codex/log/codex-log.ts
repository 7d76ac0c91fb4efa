/** Reads logs of Codex (rollouts), line by line; what it does not know says nothing. */
import type { LogDialect, LogReader } from '../../log-reader.js';
import { byName, objectOf, textOf, wordOf } from '../../log-fields.js';
import { addCall, addOutput, endByItem } from './call.js';
import { compact, note, noteRules, windowBefore } from './history.js';
import { addMessage, addReasoning } from './message.js';
import { addItem, beginReading, type Reading } from './reading.js';
import { loadState, newState, saveState, type HistoryEntry, type ReaderState } from './state.js';
import { readTotal, readUsage } from './usage.js';

/** The dialect of Codex's logs. */
export const codexLog: LogDialect = {
  version: 'codex/2',
  reader: (saved) => readerOf(saved === undefined ? newState() : loadState(saved)),
};

function readerOf(state: ReaderState): LogReader {
  return {
    read: (line) => {
      const reading = beginReading(state, line);
      if (reading.at !== undefined) reading.events.push({ event: 'session', at: reading.at });
      LINES[wordOf(line, 'type') ?? '']?.(reading);
      return reading.events;
    },
    state: () => saveState(state),
  };
}

type Read = (reading: Reading) => void;

const LINES = byName<Read>({
  session_meta: readMeta,
  turn_context: (reading) => {
    noteModel(reading, wordOf(reading.payload, 'model'));
  },
  response_item: readItem,
  event_msg: (reading) => EVENTS[wordOf(reading.payload, 'type') ?? '']?.(reading),
  token_usage_record: readUsage,
  compacted: compact,
});

const EVENTS = byName<Read>({
  task_started: ({ events }) => events.push({ event: 'session', state: 'active' }),
  task_complete: ({ events }) => events.push({ event: 'session', state: 'idle' }),
  turn_aborted: ({ events }) => events.push({ event: 'session', state: 'idle' }),
  item_completed: endByItem,
  // A change of the model takes effect before the next turn says so: a compaction may come in between.
  thread_settings_applied: (reading) => {
    noteModel(reading, wordOf(objectOf(reading.payload, 'thread_settings'), 'model'));
  },
  token_count: readTotal,
});

type Add = (reading: Reading) => HistoryEntry;

const addPayload: Add = (reading) => addMessage(reading, reading.payload, '/payload');

/** What the model made. */
const MADE = new Map<string, Add>([
  ['assistant', addPayload],
  ['reasoning', addReasoning],
  ['function_call', addCall],
  ['custom_tool_call', addCall],
  ['local_shell_call', addCall],
  ['web_search_call', addCall],
]);
/** What it was given. */
const GIVEN = new Map<string, Add>([
  ['message', addPayload],
  ['function_call_output', addOutput],
  ['custom_tool_call_output', addOutput],
]);

function readItem(reading: Reading): void {
  const { payload, state } = reading;
  const type = wordOf(payload, 'type') ?? '';
  const make = MADE.get(type === 'message' && payload['role'] === 'assistant' ? 'assistant' : type);
  const give = GIVEN.get(type);
  if (make !== undefined) {
    windowBefore(reading);
    const entry = make(reading);
    for (let item = entry.first; item < entry.first + entry.count; item += 1) state.answer.push(item);
    note(reading, entry);
  } else if (give !== undefined) {
    state.answering = false;
    note(reading, give(reading));
  }
}

/** The first one is the session's own; one that goes on from another repeats that one's. */
function readMeta(reading: Reading): void {
  const { payload, state, events } = reading;
  if (state.session !== undefined) return;
  state.session = wordOf(payload, 'id') ?? 'unnamed';
  const [version, directory] = [wordOf(payload, 'cli_version'), wordOf(payload, 'cwd')];
  const branch = wordOf(objectOf(payload, 'git'), 'branch');
  events.push({
    event: 'session',
    ...(version !== undefined && { agentVersion: version }),
    ...(directory !== undefined && { directory }),
    ...(branch !== undefined && { branch }),
  });
  if (textOf(objectOf(payload, 'base_instructions'), 'text') === undefined) return;
  const first = addItem(reading, {
    key: `${state.session}#rules`,
    kind: 'rules',
    role: 'system',
    path: 'base instructions',
    content: { pointers: ['/payload/base_instructions/text'] },
    selection: 'heuristic',
  });
  noteRules(reading, { first, count: 1, rules: true });
}

function noteModel({ state, events }: Reading, model: string | undefined): void {
  if (model === undefined || model === state.model) return;
  state.model = model;
  events.push({ event: 'session', model });
}
