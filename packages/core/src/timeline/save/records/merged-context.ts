/**
 * Puts what a restore adds into the records of a snapshot, in sessions of their own: those of the agents, which are folds of
 * their logs, stay as they are, and an undo takes exactly these back.
 */
import { blake3 } from '../../../format/digest.js';
import type { ObjectId } from '../../../model/tree/tree.js';
import type { ItemRecord } from '../../../model/context/item.js';
import type { OperationId } from '../../../model/operation.js';
import type { SessionRecord } from '../../../model/context/session.js';
import { rootOf } from '../../merge/context-entry.js';
import type { ContextPlan, PlannedSession } from '../../merge/context-plan.js';
import type { RecordDraft } from './record-draft.js';

export interface MergeAct {
  readonly plan: ContextPlan;
  readonly operation: OperationId;
  /** When it is done, as formatted time. */
  readonly at: string;
}

/** Adds the plan's sessions, or takes them out. @throws invariant_broken for what the format has no place for */
export async function mergeContext(draft: RecordDraft, act: MergeAct): Promise<void> {
  for (const [index, planned] of act.plan.sessions.entries()) {
    if (act.plan.action === 'remove') await draft.remove(planned.session.id);
    else await addSession(draft, act, { planned, index });
  }
  for (const { session, window, from } of act.plan.windows ?? []) {
    const origin = from && { snapshot: from, operation: act.operation };
    draft.setWindow(session, { ...window, ...(origin && { origin }) });
  }
}

interface Placed {
  readonly planned: PlannedSession;
  readonly index: number;
}

async function addSession(draft: RecordDraft, act: MergeAct, { planned, index }: Placed): Promise<void> {
  const { operation, at, plan } = act;
  const { session, entries, from } = planned;
  const folder = `restored-${operation.slice(0, 12)}${index === 0 ? '' : `-${String(index + 1)}`}`;
  const items: ItemRecord[] = [];
  for (const entry of entries) {
    const bytes = entry.kind === 'item' ? plan.contents.get(entry.item) : undefined;
    if (entry.kind !== 'item' || bytes === undefined) continue;
    const blob = await draft.link(bytes);
    items.push(addedItem(entry.item, { operation, snapshot: from.snapshot, sequence: items.length, at, blob }));
  }
  const task = entries.find((entry) => entry.kind === 'task')?.task;
  const progress = entries.flatMap((entry) => (entry.kind === 'progress' ? [entry.todo] : []));
  const record: SessionRecord = {
    id: folder,
    agent: 'savepoint',
    agentSessionId: folder,
    state: 'idle',
    startedAt: at,
    ...(session.title !== undefined && { title: session.title }),
    ...(task !== undefined && { task }),
    touched: entries.flatMap((entry) => (entry.kind === 'touched' ? [entry.path] : [])),
    ...(progress.length > 0 && { progress }),
    origin: { ...from, operation },
    totals: { prompts: 0, items: items.length, actions: 0, requests: 0, compactions: 0, unreadable: 0 },
  };
  const window = {
    in: items.length === 0 ? [] : [{ from: 0, to: items.length - 1 }],
    compacted: [],
    exact: false,
  };
  await draft.add({ folder, items, actions: [], ledger: [], window, whole: false }, record);
}

interface Added {
  readonly operation: OperationId;
  readonly snapshot: string;
  readonly sequence: number;
  readonly at: string;
  readonly blob: ObjectId;
}

/** The thing itself comes over. How it was sent, with what, and by which action, is of the other session alone. */
function addedItem(item: ItemRecord, { operation, snapshot, sequence, at, blob }: Added): ItemRecord {
  const { kind, role, path, pathBytes, range, content, tokens, selection, pinned, origin } = item;
  // In a log the bytes are these lines already; below `content/` a range would cut them a second time.
  const cut = range !== undefined && content.place.in === 'transcript';
  const label = cut ? `${path ?? ''}:${String(range.from)}-${String(range.to)}` : path;
  return {
    id: blake3(Buffer.from(`restored item ${operation} ${rootOf(item)}`, 'utf8')).slice(0, 16),
    sequence,
    kind,
    ...(role !== undefined && { role }),
    ...(label !== undefined && { path: label }),
    ...(!cut && pathBytes !== undefined && { pathBytes }),
    ...(!cut && range !== undefined && { range }),
    content: { blob, bytes: content.bytes, place: { in: 'content' } },
    tokens: { count: tokens.count, estimated: true },
    selection,
    ...(pinned !== undefined && { pinned }),
    at,
    origin: origin ?? { snapshot, item: item.id },
  };
}
