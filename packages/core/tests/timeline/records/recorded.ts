/** Recorded logs, cut into lines as the store holds them, and folded. A new agent adds its logs here, and is held to the same laws. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { claudeLog } from '../../../src/agents/claude-code/log/claude-log.js';
import { codexLog } from '../../../src/agents/codex/log/codex-log.js';
import type { LogDialect } from '../../../src/agents/log-reader.js';
import {
  recordFold,
  type RecordChanges,
  type RecordFold,
  type StoredLine,
} from '../../../src/timeline/records/fold.js';
import type { JsonValue } from '../../../src/base/json.js';
import type { ContentReference } from '../../../src/model/context/item.js';
import { bytesAt, type LogValue } from '../../../src/model/context/log-value.js';

const ROOT = path.join(import.meta.dirname, '../../fixtures/agents');
const SESSION = 'projects/-home-dev-repo/11111111-2222-4333-8444-555555555555';

export const RECORDED = {
  'claude 2.1.329': `claude/${SESSION}.jsonl`,
  'claude 2.1.329, its subagent': `claude/${SESSION}/subagents/agent-a8510ad433299cb3e.jsonl`,
  'claude 2.1.197': `claude-2.1.197/${SESSION}.jsonl`,
  'claude 2.1.197, its subagent': `claude-2.1.197/${SESSION}/subagents/agent-ab5973b232a886f38.jsonl`,
  'codex 0.169.0': 'codex/sessions/2026/11/21/rollout-2026-11-21T01-42-04-01a1fbc4-8cff-7ca1-8f0d-4d22176ec0b9.jsonl',
  'codex 0.169.0, gone on from':
    'codex/sessions/2026/11/21/rollout-2026-11-21T09-09-09-01a1ffff-0000-7000-8000-00000000beef.jsonl',
} as const;

export type RecordedName = keyof typeof RECORDED;

export function dialectOf(name: RecordedName): LogDialect {
  return name.startsWith('codex') ? codexLog : claudeLog;
}

export function recordedLog(name: RecordedName): Buffer {
  return readFileSync(path.join(ROOT, RECORDED[name]));
}

export function linesOf(log: Buffer): readonly StoredLine[] {
  const lines: StoredLine[] = [];
  for (let offset = 0; offset < log.length;) {
    const found = log.indexOf(10, offset);
    const end = found < 0 ? log.length : found;
    lines.push({ offset, bytes: log.subarray(offset, end) });
    offset = end + 1;
  }
  return lines;
}

export function newFold(state?: JsonValue, dialect: LogDialect = claudeLog): RecordFold {
  const agent = dialect.version.replace(/\/.*/, '');
  const session = { id: 's', agent, agentSessionId: '11111111-2222-4333-8444-555555555555' };
  return recordFold({ format: 'sha1', session, reader: dialect.reader, ...(state !== undefined && { state }) });
}

export function foldOf(lines: readonly StoredLine[], dialect?: LogDialect): RecordChanges {
  const fold = newFold(undefined, dialect);
  for (const line of lines) fold.push(line);
  return fold.take();
}

/** Returns the bytes that a reference names, from the log. */
export function readPlace(log: Buffer, { place }: ContentReference): Uint8Array | undefined {
  if (place.in !== 'transcript') return undefined;
  const end = log.indexOf(10, place.offset);
  const line = log.subarray(place.offset, end < 0 ? log.length : end);
  return bytesAt(JSON.parse(line.toString('utf8')) as LogValue, place);
}
