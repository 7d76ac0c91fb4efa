/**
 * What a person or an agent adds by hand: items, and savings that context tools report. It lies in session folders of its own,
 * which no log has: `manual`, or one for each run of an agent that has no log which Savepoint reads.
 */
import { contextError } from '../../../base/errors.js';
import { shortId } from '../../../format/v1/body.js';
import { CONTEXT_FOLDER, LEDGER_FOLDER, WINDOW_FILE } from '../../../format/v1/layout.js';
import { bucketPath } from '../../../format/v1/state/buckets.js';
import { decodeItems, decodeWindow } from '../../../format/v1/state/items.js';
import { decodeLedger } from '../../../format/v1/state/ledger.js';
import type { ItemRun, WindowRecord } from '../../../model/context/item.js';
import type { SessionRecord } from '../../../model/context/session.js';
import { redactText } from '../../../redact/redactor.js';
import { subtractRuns, uniteRuns } from '../../records/runs.js';
import { folderName } from '../session-folder.js';
import { makeItems, type ItemInput } from './hand-items.js';
import { savingEntries, type SavingInput } from './hand-savings.js';
import type { RecordDraft } from './record-draft.js';

/** A run of an agent, as itself names it. */
export interface HandSession {
  readonly agent: string;
  readonly id: string;
}

export interface HandRecords {
  readonly items?: readonly ItemInput[];
  /** Items added by hand before, by id, the beginning of one, or `SESSION:NUMBER`, that are before the model no more. */
  readonly evict?: readonly string[];
  readonly savings?: readonly SavingInput[];
  /** Default: what is added by hand and belongs to no run. */
  readonly by?: HandSession;
  /** When they are added, as formatted time. */
  readonly at: string;
  /** The snapshot that items are evicted from, for messages. */
  readonly previous?: string;
}

const MANUAL = 'manual';
const NOTHING = { prompts: 0, items: 0, actions: 0, requests: 0, compactions: 0, unreadable: 0 };
const EMPTY: WindowRecord = { in: [], compacted: [], exact: false };

/** Adds records after those that are there; returns how many secrets were removed from them, by kind. @throws item_not_found */
export async function addByHand(draft: RecordDraft, hand: HandRecords): Promise<Readonly<Record<string, number>>> {
  const { items: inputs = [], evict = [], savings = [], by, at } = hand;
  const folder = by === undefined ? MANUAL : `${MANUAL}-${folderName({ session: by.id }, 0)}`;
  const known = draft.session(folder);
  const before = known?.totals ?? NOTHING;
  const start = { folder, items: before.items, actions: before.actions, at };
  const window = await readWindow(draft, folder);
  const out = await evicted(draft, folder, { evict, previous: hand.previous ?? '' });
  const made = await makeItems(draft, inputs, start);
  const entries = savings.length === 0 ? [] : await readAll(draft, { of: LEDGER_FOLDER, folder }, decodeLedger);
  const ledger = savingEntries(savings, { folder, known: entries, at });
  const record: SessionRecord = {
    id: folder,
    agent: by?.agent ?? 'savepoint',
    agentSessionId: by === undefined ? MANUAL : redactText(by.id).text,
    state: 'active',
    startedAt: at,
    touched: [],
    ...known,
    totals: { ...before, items: before.items + made.items.length, actions: before.actions + made.actions.length },
  };
  const added = made.items.map(({ sequence }) => ({ from: sequence, to: sequence }));
  const inside = { ...window, in: subtractRuns(uniteRuns(window.in, added), uniteRuns(out)) };
  const { items, actions, kinds } = made;
  await draft.add({ folder, items, actions, ledger, window: inside, whole: false }, record);
  return kinds;
}

async function readWindow(draft: RecordDraft, folder: string): Promise<WindowRecord> {
  const bytes = await draft.stored(CONTEXT_FOLDER, `${folder}/${WINDOW_FILE}`);
  return bytes === undefined ? EMPTY : decodeWindow(bytes);
}

interface Eviction {
  readonly evict: readonly string[];
  readonly previous: string;
}

async function evicted(draft: RecordDraft, folder: string, { evict, previous }: Eviction): Promise<readonly ItemRun[]> {
  if (evict.length === 0) return [];
  const items = await readAll(draft, { of: CONTEXT_FOLDER, folder }, decodeItems);
  return evict.map((name) => {
    const found = items.filter(({ id, sequence }) => id.startsWith(name) || `${folder}:${String(sequence)}` === name);
    const [item] = found;
    if (item === undefined || found.length > 1 || name === '')
      throw contextError('item_not_found', { snapshot: previous === '' ? 'before' : shortId(previous), item: name });
    return { from: item.sequence, to: item.sequence };
  });
}

interface Place {
  readonly of: typeof CONTEXT_FOLDER | typeof LEDGER_FOLDER;
  readonly folder: string;
}

async function readAll<T>(
  draft: RecordDraft,
  { of, folder }: Place,
  decode: (bytes: Uint8Array) => readonly T[],
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let index = 0; ; index += 1) {
    const bytes = await draft.stored(of, `${folder}/${bucketPath(index)}`);
    if (bytes === undefined) return all;
    all.push(...decode(bytes));
  }
}
