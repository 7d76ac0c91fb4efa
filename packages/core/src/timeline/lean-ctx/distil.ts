/**
 * Makes a snapshot of lean-ctx from one of Savepoint, as far as its format has a place. What is not known is null there, or 0
 * where the format demands a number; `unknown` names those.
 */
import { hex } from '../../base/bytes.js';
import { leanCtxId, leanCtxSignedMessage } from '../../format/lean-ctx/codec.js';
import { thousandthsText } from '../../format/lean-ctx/float-text.js';
import {
  WRITTEN,
  type LeanCtxLedger,
  type LeanCtxLedgerItem,
  type LeanCtxLineageItem,
  type LeanCtxRoi,
  type LeanCtxSession,
  type LeanCtxSnapshot,
} from '../../format/lean-ctx/snapshot.js';
import type { ActionKind, ActionRecord } from '../../model/context/action.js';
import type { ItemRecord, WindowRecord } from '../../model/context/item.js';
import type { LedgerEntry } from '../../model/context/ledger.js';
import type { SessionRecord } from '../../model/context/session.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import type { SigningKey } from '../../trust/key-ring.js';
import { windowStates } from '../context/window-state.js';

/** What is known of one snapshot; a part that is absent was not recorded or is not to leave. */
export interface Distillable {
  readonly body: SnapshotBody;
  readonly session?: SessionRecord;
  readonly items?: readonly ItemRecord[];
  readonly window?: WindowRecord;
  readonly actions?: readonly ActionRecord[];
  readonly ledger?: readonly LedgerEntry[];
  /** What was decided, one sentence each. */
  readonly decisions?: readonly string[];
  /** Φ of items by id, in thousandths. */
  readonly relevance?: ReadonlyMap<string, number>;
}

export interface Distilled {
  /** Unsigned, and without an id. */
  readonly snapshot: LeanCtxSnapshot;
  /** Fields whose 0 only means that nobody knows, such as `roi.input_tokens`. */
  readonly unknown: readonly string[];
}

/** @param producer names the program and its version, as `savepoint 0.1.0` */
export function distilLeanCtx(known: Distillable, producer: string): Distilled {
  const { body } = known;
  const snapshot: LeanCtxSnapshot = {
    schema_version: '1',
    snapshot_id: '',
    // A parent there is one of its own snapshots.
    parent_id: null,
    created_at: body.createdAt,
    lean_ctx_version: producer,
    git: { commit: body.anchor.commit ?? null, branch: body.anchor.branch ?? null, dirty: body.anchor.dirty },
    // Hashes of the project's path and of its remote: neither is recorded.
    project: { root_hash: null, identity_hash: null },
    roi: roiOf(known.ledger ?? []),
    lineage: lineageOf(known),
    ledger: ledgerOf(known),
    session: sessionOf(known),
    signature: null,
  };
  return { snapshot, unknown: unknownOf(known) };
}

/** Gives a snapshot its id and a signature over it. */
export function signLeanCtx(snapshot: LeanCtxSnapshot, key: SigningKey): LeanCtxSnapshot {
  const id = leanCtxId(snapshot);
  return {
    ...snapshot,
    snapshot_id: id,
    signature: {
      algorithm: 'ed25519',
      public_key: key.signer.slice('ed25519:'.length),
      value: hex(key.sign(leanCtxSignedMessage(id))),
    },
  };
}

function sum<T>(all: readonly T[], count: (one: T) => number | undefined): number {
  return all.reduce((total, one) => total + (count(one) ?? 0), 0);
}

/** What context tools reported, losses taken off. There is no place for a loss of all together: `unknown` names the 0 then. */
function savedBy(entries: readonly LedgerEntry[]): number {
  return sum(entries, ({ baseline = 0, sent = 0 }) => baseline - sent);
}

/** All that was sent: what the provider read from its cache too. */
function sentTo({ input, cacheRead, cacheWrite }: LedgerEntry): number {
  return (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0);
}

function roiOf(entries: readonly LedgerEntry[]): LeanCtxRoi {
  const input = sum(entries, sentTo);
  const spared = Math.max(0, savedBy(entries));
  const whole = input + spared;
  return {
    input_tokens: String(input),
    output_tokens: String(sum(entries, ({ output }) => output)),
    tokens_saved: String(spared),
    compression_rate: thousandthsText(whole === 0 ? 0 : Math.round((1000 * spared) / whole)),
  };
}

const LINEAGE_KINDS: Readonly<Partial<Record<ActionKind, string>>> = {
  read: 'read',
  shell: 'shell',
  check: 'shell',
  search: 'search',
};

/** Calls of tools that brought something into the window. */
function lineageOf({ actions = [], items = [] }: Distillable): LeanCtxSnapshot['lineage'] {
  const brought = new Map<string, number>();
  for (const { from, tokens } of items) {
    if (from !== undefined) brought.set(from, (brought.get(from) ?? 0) + tokens.count);
  }
  const calls = actions.filter(({ id }) => brought.has(id));
  return {
    items_recorded: String(calls.length),
    items: calls.slice(-WRITTEN.lineage).map((call): LeanCtxLineageItem => {
      const tokens = String(brought.get(call.id) ?? 0);
      return {
        seq: String(call.sequence),
        kind: LINEAGE_KINDS[call.kind] ?? 'other',
        tool: call.tool,
        path: call.reads.length === 1 ? (call.reads[0]?.path ?? null) : null,
        // What came in is what was sent: nothing between was shortened.
        input_tokens: tokens,
        output_tokens: tokens,
        compression_ratio: thousandthsText(0),
        content_hash: null,
      };
    }),
  };
}

function ledgerOf({ items = [], window, relevance, ledger = [] }: Distillable): LeanCtxLedger {
  const named = items.filter(({ path }) => path !== undefined);
  const states = window === undefined ? undefined : windowStates(window);
  return {
    window_size: String(window?.tokens ?? 0),
    total_tokens_sent: String(sum(ledger, sentTo)),
    total_tokens_saved: String(Math.max(0, savedBy(ledger))),
    items: named.slice(-WRITTEN.ledger).map((item): LeanCtxLedgerItem => {
      const phi = relevance?.get(item.id);
      return {
        path: item.path ?? '',
        state: stateOf(item, states),
        phi: phi === undefined ? null : thousandthsText(phi),
        sent_tokens: String(item.tokens.count),
        original_tokens: String(item.tokens.count),
      };
    }),
  };
}

function stateOf({ sequence, pinned }: ItemRecord, states: ReturnType<typeof windowStates> | undefined): string {
  if (states === undefined) return 'candidate';
  if (states(sequence) !== 'in') return 'excluded';
  return pinned === true ? 'pinned' : 'included';
}

function sessionOf({ session, body, decisions = [] }: Distillable): LeanCtxSession | null {
  const id = session?.agentSessionId ?? body.session?.id;
  if (id === undefined && decisions.length === 0) return null;
  const todo = session?.progress ?? [];
  const done = todo.filter(({ status }) => status === 'completed').length;
  // A path that is not UTF-8 has no place there.
  const touched = (session?.touched ?? []).filter(({ pathBytes }) => pathBytes === undefined).map(({ path }) => path);
  return {
    session_id: id ?? null,
    task: session?.task ?? null,
    decisions: decisions.slice(0, WRITTEN.session),
    files_touched: touched.slice(0, WRITTEN.session),
    progress_pct: todo.length === 0 ? null : String(Math.round((100 * done) / todo.length)),
  };
}

function unknownOf({ ledger, items, actions, window }: Distillable): readonly string[] {
  const none = (part: unknown, ...names: readonly string[]): readonly string[] => (part === undefined ? names : []);
  const requests = (ledger ?? []).filter(({ source }) => source === undefined);
  const inputs =
    requests.length === 0 || requests.some((entry) => entry.input === undefined || entry.output === undefined);
  const lost = savedBy(ledger ?? []) < 0;
  return [
    ...none(
      ledger === undefined || inputs ? undefined : ledger,
      'roi.input_tokens',
      'roi.output_tokens',
      'ledger.total_tokens_sent',
    ),
    ...none(lost ? undefined : ledger, 'roi.tokens_saved', 'ledger.total_tokens_saved'),
    ...none(actions === undefined ? undefined : items, 'lineage.items_recorded'),
    ...none(window?.tokens, 'ledger.window_size'),
  ];
}
