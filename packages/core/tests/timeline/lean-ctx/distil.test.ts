import { describe, expect, it } from 'vitest';
import { text } from '../../../src/base/bytes.js';
import { readLeanCtx, writeLeanCtx } from '../../../src/format/lean-ctx/codec.js';
import type { ActionRecord } from '../../../src/model/context/action.js';
import type { ItemRecord } from '../../../src/model/context/item.js';
import type { LedgerEntry } from '../../../src/model/context/ledger.js';
import type { SessionRecord } from '../../../src/model/context/session.js';
import type { SnapshotBody } from '../../../src/model/snapshot.js';
import { distilLeanCtx, signLeanCtx, type Distillable } from '../../../src/timeline/lean-ctx/distil.js';
import { examineLeanCtx } from '../../../src/timeline/lean-ctx/judge.js';
import { keyOf } from '../../trust/keys.js';

const BODY = {
  createdAt: '2026-11-21T10:20:30.456Z',
  anchor: { commit: 'ab'.repeat(20), branch: 'main', dirty: true, objectFormat: 'sha1' },
  session: { agent: 'claude-code', id: 'the-session' },
} as unknown as SnapshotBody;

const SESSION = {
  id: 's',
  agent: 'claude-code',
  agentSessionId: 'the-session',
  task: 'make it',
  state: 'active',
  touched: [{ path: 'a.ts' }, { path: 'odd-\ufffd', pathBytes: 'b2RkLf8=' }],
  progress: [
    { text: 'one', status: 'completed' },
    { text: 'two', status: 'in_progress' },
    { text: 'three', status: 'pending' },
  ],
} as unknown as SessionRecord;

const content = { blob: 'c'.repeat(40), bytes: 1, place: { in: 'content' } } as const;
const item = (sequence: number, more: Partial<ItemRecord> = {}): ItemRecord => ({
  id: `s:${String(sequence)}`,
  sequence,
  kind: 'file',
  path: `src/${String(sequence)}.ts`,
  content,
  tokens: { count: 100 + sequence, estimated: true },
  selection: 'heuristic',
  ...more,
});
const action = (sequence: number, kind: ActionRecord['kind'], more: Partial<ActionRecord> = {}): ActionRecord => ({
  id: `a${String(sequence)}`,
  sequence,
  kind,
  tool: `Tool${String(sequence)}`,
  status: 'ok',
  reads: [],
  writes: [],
  ...more,
});

const KNOWN: Distillable = {
  body: BODY,
  session: SESSION,
  items: [
    item(0, { from: 'a0' }),
    item(1, { pinned: true, from: 'a0' }),
    item(2, { kind: 'message' }),
    item(3, { from: 'a1' }),
  ].map(({ path, ...rest }) => (rest.sequence === 2 ? rest : { path: path ?? '', ...rest })),
  window: { in: [{ from: 1, to: 2 }], compacted: [{ from: 3, to: 3 }], exact: true, tokens: 5000 },
  actions: [
    action(0, 'read', { reads: [{ path: 'src/0.ts' }] }),
    action(1, 'check'),
    // It brought nothing into the window.
    action(2, 'search'),
  ],
  ledger: [
    { id: 'l0', sequence: 0, input: 1000, output: 200, cacheRead: 3000, estimated: false },
    { id: 'l1', sequence: 1, input: 0, output: 0, estimated: true, baseline: 1500, sent: 500 } satisfies LedgerEntry,
  ],
  decisions: ['Use one file.'],
  relevance: new Map([['s:1', 910]]),
};

describe('distilLeanCtx', () => {
  it('gives every field that lean-ctx has a place for', () => {
    const { snapshot, unknown } = distilLeanCtx(KNOWN, 'savepoint.snapshot/1');
    expect(unknown).toEqual([]);
    expect(snapshot).toEqual({
      schema_version: '1',
      snapshot_id: '',
      parent_id: null,
      created_at: '2026-11-21T10:20:30.456Z',
      lean_ctx_version: 'savepoint.snapshot/1',
      git: { commit: 'ab'.repeat(20), branch: 'main', dirty: true },
      project: { root_hash: null, identity_hash: null },
      roi: { input_tokens: '4000', output_tokens: '200', tokens_saved: '1000', compression_rate: '0.2' },
      lineage: {
        items_recorded: '2',
        items: [
          {
            seq: '0',
            kind: 'read',
            tool: 'Tool0',
            path: 'src/0.ts',
            input_tokens: '201',
            output_tokens: '201',
            compression_ratio: '0.0',
            content_hash: null,
          },
          {
            seq: '1',
            kind: 'shell',
            tool: 'Tool1',
            path: null,
            input_tokens: '103',
            output_tokens: '103',
            compression_ratio: '0.0',
            content_hash: null,
          },
        ],
      },
      ledger: {
        window_size: '5000',
        total_tokens_sent: '4000',
        total_tokens_saved: '1000',
        items: [
          { path: 'src/0.ts', state: 'excluded', phi: null, sent_tokens: '100', original_tokens: '100' },
          { path: 'src/1.ts', state: 'pinned', phi: '0.91', sent_tokens: '101', original_tokens: '101' },
          { path: 'src/3.ts', state: 'excluded', phi: null, sent_tokens: '103', original_tokens: '103' },
        ],
      },
      session: {
        session_id: 'the-session',
        task: 'make it',
        decisions: ['Use one file.'],
        files_touched: ['a.ts'],
        progress_pct: '33',
      },
      signature: null,
    });
  });

  it('says of which numbers nothing is known', () => {
    const { snapshot, unknown } = distilLeanCtx({ body: { ...BODY, anchor: { dirty: false } } as SnapshotBody }, 'x');
    expect(snapshot.git).toEqual({ commit: null, branch: null, dirty: false });
    expect(snapshot.session).toEqual({
      session_id: 'the-session',
      task: null,
      decisions: [],
      files_touched: [],
      progress_pct: null,
    });
    expect(unknown).toEqual([
      'roi.input_tokens',
      'roi.output_tokens',
      'ledger.total_tokens_sent',
      'roi.tokens_saved',
      'ledger.total_tokens_saved',
      'lineage.items_recorded',
      'ledger.window_size',
    ]);
  });

  it('takes losses off what was saved, and says that there is no place for a loss of all together', () => {
    const request: LedgerEntry = { id: 'r', sequence: 0, input: 10, output: 1, estimated: false };
    const told = (...pairs: readonly (readonly [baseline: number, sent: number])[]): ReturnType<typeof distilLeanCtx> =>
      distilLeanCtx(
        {
          body: BODY,
          ledger: [
            request,
            ...pairs.map(([baseline, sent], index): LedgerEntry => ({
              id: `s${String(index)}`,
              sequence: index + 1,
              source: 'a-tool',
              baseline,
              sent,
              estimated: false,
            })),
          ],
        },
        'x',
      );
    const gain = told([900, 100], [100, 400]);
    expect([gain.snapshot.roi.tokens_saved, gain.snapshot.ledger.total_tokens_saved]).toEqual(['500', '500']);
    // A saving is no request, so it leaves no request without its tokens.
    expect(gain.unknown).toEqual(['lineage.items_recorded', 'ledger.window_size']);
    const loss = told([100, 900]);
    expect(loss.snapshot.roi.tokens_saved).toBe('0');
    expect(loss.unknown).toContain('roi.tokens_saved');
  });

  it('keeps the newest of what is more than lean-ctx writes', () => {
    const items = Array.from({ length: 300 }, (_, at) => item(at, { from: `a${String(at)}` }));
    const actions = items.map(({ sequence }) => action(sequence, 'read'));
    const { lineage, ledger } = distilLeanCtx({ body: BODY, items, actions }, 'x').snapshot;
    expect([lineage.items_recorded, lineage.items.length, lineage.items.at(-1)?.seq]).toEqual(['300', 128, '299']);
    expect([ledger.items.length, ledger.items.at(-1)?.path]).toEqual([256, 'src/299.ts']);
  });

  it('signs what verifies by the rules of lean-ctx, also after it was written', () => {
    const key = keyOf('09');
    const signed = signLeanCtx(distilLeanCtx(KNOWN, 'x').snapshot, key);
    const again = readLeanCtx(writeLeanCtx(signed));
    expect(examineLeanCtx(again)).toMatchObject({ state: 'good', id: signed.snapshot_id, signer: key.signer });
    // The reader there parses numbers and prints them again: each of ours has to stay as it is.
    const floats = text(writeLeanCtx(signed)).match(/(?<=: )-?\d+\.\d+(?=,?$)/gm) ?? [];
    expect(floats.length).toBeGreaterThan(2);
    for (const float of floats) expect(float).toMatch(/^[01]\.\d{1,3}$/);
  });
});
