/** One document of each state slice, with every field that this version knows. */
import { encodeActions } from '../../src/format/v1/state/actions.js';
import { encodeItems, encodeWindow } from '../../src/format/v1/state/items.js';
import { encodeLedger } from '../../src/format/v1/state/ledger.js';
import { encodeSessions } from '../../src/format/v1/state/session.js';
import type { ActionRecord } from '../../src/model/context/action.js';
import type { ItemRecord, WindowRecord } from '../../src/model/context/item.js';
import type { LedgerEntry } from '../../src/model/context/ledger.js';
import type { SessionRecord } from '../../src/model/context/session.js';

const AT = '2026-11-21T10:20:30.456Z';
const blob = (digit: string) => digit.repeat(40);

export const ITEMS: readonly ItemRecord[] = [
  {
    id: 'msg_01',
    sequence: 0,
    kind: 'message',
    role: 'user',
    content: { bytes: 15, place: { in: 'transcript', offset: 0, pointers: ['/message/content'] } },
    sent: {
      bytes: 19,
      place: { in: 'transcript', offset: 90, pointers: ['/shown/0', '/shown/1'], base64: true },
    },
    inside: 1,
    tokens: { count: 4, estimated: true },
    selection: 'heuristic',
    at: AT,
  },
  {
    id: 'toolu_01',
    sequence: 1,
    kind: 'file',
    path: 'odd-\ufffd.txt',
    pathBytes: Buffer.from('odd-\xff.txt', 'latin1').toString('base64'),
    range: { from: 3, to: 9 },
    content: { blob: blob('b'), bytes: 120, place: { in: 'worktree' } },
    tokens: { count: 40, estimated: false },
    from: 'toolu_01',
    selection: 'explicit',
    pinned: true,
  },
  {
    id: 'page',
    sequence: 2,
    kind: 'url',
    path: 'https://example.org/',
    content: { blob: blob('c'), bytes: 9000, place: { in: 'content' } },
    tokens: { count: 2250, estimated: true },
    selection: 'explicit',
  },
];

/** Set by a rewind. */
const REWOUND: WindowRecord = {
  in: [{ from: 0, to: 1 }],
  compacted: [],
  exact: false,
  origin: { snapshot: '4b'.repeat(32), operation: '6b'.repeat(16) },
};

export const WINDOW: WindowRecord = {
  in: [
    { from: 2, to: 2 },
    { from: 0, to: 0 },
  ],
  since: 2,
  compacted: [{ from: 1, to: 1 }],
  request: 'req_01',
  tokens: 1200,
  exact: true,
};

export const ACTIONS: readonly ActionRecord[] = [
  {
    id: 'toolu_01',
    sequence: 0,
    kind: 'shell',
    tool: 'Bash',
    callId: 'toolu_01',
    arguments: { bytes: 22, place: { in: 'transcript', offset: 60, pointers: ['/a/0', '/a~1b'] } },
    startedAt: AT,
    milliseconds: 1234,
    status: 'error',
    exitCode: 2,
    output: { blob: blob('e'), bytes: 7, place: { in: 'content' } },
    reads: [{ path: 'a.txt', blob: blob('1') }, { path: '/etc/hosts' }],
    writes: [
      { path: 'new.txt', existed: false, after: blob('2') },
      { path: 'old.txt', existed: true, before: blob('3'), after: blob('4') },
    ],
    command: 'npm test',
    child: 'agent-a1',
  },
  { id: 'toolu_02', sequence: 1, kind: 'read', tool: 'Read', status: 'running', reads: [], writes: [] },
];

export const LEDGER: readonly LedgerEntry[] = [
  {
    id: 'msg_01',
    sequence: 0,
    at: AT,
    model: 'a-model-1',
    requestId: 'req_01',
    messageId: 'msg_01',
    input: 1000,
    output: 50,
    cacheRead: 200,
    cacheWrite: 30,
    cacheWriteLong: 10,
    reasoning: 10,
    costMicros: 4500,
    estimated: false,
    baseline: 9000,
    sent: 1000,
    source: 'brief',
  },
  { id: 'msg_02', sequence: 1, estimated: true },
];

const SESSIONS: readonly SessionRecord[] = [
  {
    id: 'b9f7c2e0',
    agent: 'claude-code',
    agentSessionId: 'b9f7c2e0',
    agentVersion: '2.1.329',
    directory: '/home/dev/repo',
    title: 'Greets the world',
    prompt: { bytes: 15, place: { in: 'transcript', offset: 0, pointers: ['/message/content'] } },
    children: ['agent-a1'],
    state: 'idle',
    startedAt: AT,
    endedAt: AT,
    model: 'a-model-1',
    branch: 'main',
    touched: [{ path: 'new.txt' }, { path: 'old.txt' }],
    progress: [{ text: 'greet', status: 'completed' }],
    totals: { prompts: 1, items: 3, actions: 2, requests: 2, compactions: 1, unreadable: 2 },
  },
  {
    id: 'agent-a1',
    agent: 'claude-code',
    agentSessionId: 'agent-a1',
    parent: 'b9f7c2e0',
    task: 'look around',
    state: 'ended',
    touched: [],
    totals: { prompts: 1, items: 0, actions: 0, requests: 0, compactions: 0, unreadable: 0 },
  },
];

/** Returns the bytes of each document by a name for it. */
export function stateDocuments(): Readonly<Record<string, Uint8Array>> {
  return {
    'items.json': encodeItems(ITEMS),
    'window.json': encodeWindow(WINDOW),
    'rewound-window.json': encodeWindow(REWOUND),
    'actions.json': encodeActions(ACTIONS),
    'ledger.json': encodeLedger(LEDGER),
    'session.json': encodeSessions(SESSIONS),
  };
}
