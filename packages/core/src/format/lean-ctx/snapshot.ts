/**
 * `CONTEXT_SNAPSHOT_V1`, the snapshot of lean-ctx: its records, in the declared order of their fields, and their limits.
 * The sources are its contract "Context Snapshot v1" and the vectors in the tests of this room, which were made with it.
 */
import type { Form, NumberText } from './forms.js';

export interface LeanCtxSnapshot {
  readonly schema_version: NumberText;
  readonly snapshot_id: string;
  readonly parent_id: string | null;
  /** RFC 3339, with any number of digits after the point and any offset. */
  readonly created_at: string;
  readonly lean_ctx_version: string;
  readonly git: { readonly commit: string | null; readonly branch: string | null; readonly dirty: boolean };
  readonly project: { readonly root_hash: string | null; readonly identity_hash: string | null };
  readonly roi: LeanCtxRoi;
  readonly lineage: { readonly items_recorded: NumberText; readonly items: readonly LeanCtxLineageItem[] };
  readonly ledger: LeanCtxLedger;
  readonly session: LeanCtxSession | null;
  readonly signature: LeanCtxSignature | null;
}

export interface LeanCtxRoi {
  readonly input_tokens: NumberText;
  readonly output_tokens: NumberText;
  readonly tokens_saved: NumberText;
  /** `tokens_saved / (input_tokens + tokens_saved)`, 0.0 where that is 0 / 0. */
  readonly compression_rate: NumberText | null;
}

export interface LeanCtxLineageItem {
  readonly seq: NumberText;
  /** `read`, `shell`, `search`, `provider` or `other`. */
  readonly kind: string;
  readonly tool: string;
  readonly path: string | null;
  readonly input_tokens: NumberText;
  readonly output_tokens: NumberText;
  readonly compression_ratio: NumberText | null;
  /** BLAKE3 of the recorded excerpt. */
  readonly content_hash: string | null;
}

export interface LeanCtxLedger {
  readonly window_size: NumberText;
  readonly total_tokens_sent: NumberText;
  readonly total_tokens_saved: NumberText;
  readonly items: readonly LeanCtxLedgerItem[];
}

export interface LeanCtxLedgerItem {
  readonly path: string;
  /** `candidate`, `included`, `excluded`, `pinned`, `stale` or `shadowed`. */
  readonly state: string;
  readonly phi: NumberText | null;
  readonly sent_tokens: NumberText;
  readonly original_tokens: NumberText;
}

export interface LeanCtxSession {
  readonly session_id: string | null;
  readonly task: string | null;
  readonly decisions: readonly string[];
  readonly files_touched: readonly string[];
  readonly progress_pct: NumberText | null;
}

export interface LeanCtxSignature {
  readonly algorithm: string;
  readonly public_key: string;
  readonly value: string;
}

/** How many elements a list may have that lean-ctx writes (its `MAX_SNAPSHOT_*`). */
export const WRITTEN = { lineage: 128, ledger: 256, session: 64 } as const;
// It verifies longer ones as well; a later release may write them.
const LIST_LIMIT = 65_536;

const text: Form = { kind: 'text' };
const flag: Form = { kind: 'flag' };
const float: Form = { kind: 'float' };
const u8: Form = { kind: 'integer', most: (1n << 8n) - 1n };
const u32: Form = { kind: 'integer', most: (1n << 32n) - 1n };
const u64: Form = { kind: 'integer', most: (1n << 64n) - 1n };
const optional = (form: Form): Form => ({ kind: 'optional', form });
const list = (form: Form): Form => ({ kind: 'list', form, most: LIST_LIMIT });
const record = (fields: Readonly<Record<string, Form>>): Form => ({ kind: 'record', fields: Object.entries(fields) });

const lineageItem = record({
  seq: u64,
  kind: text,
  tool: text,
  path: optional(text),
  input_tokens: u64,
  output_tokens: u64,
  compression_ratio: float,
  content_hash: optional(text),
});

const ledgerItem = record({
  path: text,
  state: text,
  phi: optional(float),
  sent_tokens: u64,
  original_tokens: u64,
});

const session = record({
  session_id: optional(text),
  task: optional(text),
  decisions: list(text),
  files_touched: list(text),
  progress_pct: optional(u8),
});

/** The form of a whole file; the order of its fields is that of the canonical body. */
export const SNAPSHOT_FORM: Form = record({
  schema_version: u32,
  snapshot_id: text,
  parent_id: optional(text),
  created_at: text,
  lean_ctx_version: text,
  git: record({ commit: optional(text), branch: optional(text), dirty: flag }),
  project: record({ root_hash: optional(text), identity_hash: optional(text) }),
  roi: record({ input_tokens: u64, output_tokens: u64, tokens_saved: u64, compression_rate: float }),
  lineage: record({ items_recorded: u64, items: list(lineageItem) }),
  ledger: record({ window_size: u64, total_tokens_sent: u64, total_tokens_saved: u64, items: list(ledgerItem) }),
  session: optional(session),
  signature: optional(record({ algorithm: text, public_key: text, value: text })),
});
