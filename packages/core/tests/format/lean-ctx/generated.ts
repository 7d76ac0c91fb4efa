/** Random snapshots of lean-ctx, with numbers in every form that its serialiser prints. */
import fc from 'fast-check';
import type { NumberText } from '../../../src/format/lean-ctx/forms.js';
import type { LeanCtxSnapshot } from '../../../src/format/lean-ctx/snapshot.js';

const text = fc.string({ unit: 'binary', maxLength: 12 });
const textOrNull = fc.option(text, { freq: 3 });
const count = fc.oneof(fc.nat(1000).map(String), fc.bigInt(0n, (1n << 64n) - 1n).map(String));
const digits = fc.double({ noNaN: true, noDefaultInfinity: true });
/** Doubles as different programs print them: none of these forms is to be changed. */
const number: fc.Arbitrary<NumberText> = fc.oneof(
  digits.map(String),
  digits.map((value) => value.toExponential()),
  fc.integer().map((value) => `${String(value)}.0`),
  fc.nat().map((value) => `0.${String(value)}00`),
  fc.constantFrom('0.0', '-0.0', '1e16', '1e+16', '1E-7', '0.00001'),
);

export const leanCtxSnapshot: fc.Arbitrary<LeanCtxSnapshot> = fc.record({
  schema_version: fc.constant('1'),
  snapshot_id: text,
  parent_id: textOrNull,
  created_at: text,
  lean_ctx_version: text,
  git: fc.record({ commit: textOrNull, branch: textOrNull, dirty: fc.boolean() }),
  project: fc.record({ root_hash: textOrNull, identity_hash: textOrNull }),
  roi: fc.record({
    input_tokens: count,
    output_tokens: count,
    tokens_saved: count,
    compression_rate: fc.option(number, { freq: 9 }),
  }),
  lineage: fc.record({
    items_recorded: count,
    items: fc.array(
      fc.record({
        seq: count,
        kind: text,
        tool: text,
        path: textOrNull,
        input_tokens: count,
        output_tokens: count,
        compression_ratio: number,
        content_hash: textOrNull,
      }),
      { maxLength: 3 },
    ),
  }),
  ledger: fc.record({
    window_size: count,
    total_tokens_sent: count,
    total_tokens_saved: count,
    items: fc.array(
      fc.record({
        path: text,
        state: text,
        phi: fc.option(number),
        sent_tokens: count,
        original_tokens: count,
      }),
      { maxLength: 3 },
    ),
  }),
  session: fc.option(
    fc.record({
      session_id: textOrNull,
      task: textOrNull,
      decisions: fc.array(text, { maxLength: 3 }),
      files_touched: fc.array(text, { maxLength: 3 }),
      progress_pct: fc.option(fc.nat(255).map(String)),
    }),
  ),
  signature: fc.option(fc.record({ algorithm: text, public_key: text, value: text })),
});
