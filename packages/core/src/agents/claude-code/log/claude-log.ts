/** Reads logs of Claude Code 2.1, line by line; what it does not know says nothing. */
import type { SessionEvent } from '../../../model/context/log-event.js';
import type { LogDialect, LogReader } from '../../log-reader.js';
import { readAnswer } from './assistant-line.js';
import { readAttachment } from './attachment-line.js';
import { compact } from '../reading/conversation.js';
import { byName, wordOf } from '../../log-fields.js';
import { beginReading, type Reading } from '../reading/reading.js';
import { readBlob, readRequest, readShape } from './requests.js';
import { loadState, newState, saveState, type ReaderState } from '../reading/state.js';
import { readUser } from './user-line.js';

/** The dialect of Claude Code's logs. */
export const claudeLog: LogDialect = {
  version: 'claude-code/2',
  reader: (saved) => readerOf(saved === undefined ? newState() : loadState(saved)),
};

function readerOf(state: ReaderState): LogReader {
  return {
    read: (line) => {
      const reading = beginReading(state, line);
      describeSession(reading);
      READERS[wordOf(line, 'type') ?? '']?.(reading);
      return reading.events;
    },
    state: () => saveState(state),
  };
}

const READERS = byName<(reading: Reading) => void>({
  user: readUser,
  assistant: readAnswer,
  attachment: readAttachment,
  system: readSystem,
  'api-request-shape': readShape,
  'api-request-blob': readBlob,
  'api-request': readRequest,
  summary: readTitle,
  'ai-title': readTitle,
  'custom-title': readTitle,
});

function readSystem(reading: Reading): void {
  const subtype = wordOf(reading.line, 'subtype');
  if (subtype === 'compact_boundary') compact(reading);
  if (subtype === 'compact_boundary' || subtype === 'stop_hook_summary')
    reading.events.push({ event: 'session', state: 'idle' });
}

function readTitle({ line, events }: Reading): void {
  const title =
    wordOf(line, 'summary') ?? wordOf(line, 'title') ?? wordOf(line, 'aiTitle') ?? wordOf(line, 'customTitle');
  if (title !== undefined) events.push({ event: 'session', title });
}

/** Says where, when and with what version the agent works, once for each change. */
function describeSession({ state, line, events, at }: Reading): void {
  if (state.sidechain === undefined && typeof line['isSidechain'] === 'boolean') state.sidechain = line['isSidechain'];
  const said: { -readonly [name in keyof SessionEvent]?: SessionEvent[name] } = {};
  for (const [field, name] of SESSION_FIELDS) {
    const value = wordOf(line, field);
    if (value === undefined || value === state.session[name]) continue;
    state.session[name] = value;
    said[name] = value;
  }
  if (at !== undefined) said.at = at;
  if (Object.keys(said).length > 0) events.push({ ...said, event: 'session' });
}

/** Fields of a line, and what a session calls them. */
const SESSION_FIELDS = [
  ['version', 'agentVersion'],
  ['gitBranch', 'branch'],
  ['cwd', 'directory'],
] as const;
