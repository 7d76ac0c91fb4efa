import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/json.js';
import { utf8 } from '../../src/base/bytes.js';
import { canonicalJson, parseJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { decodeOperation, encodeOperation } from '../../src/format/v1/operation.js';
import { decodeSignature } from '../../src/format/v1/signature.js';
import type { OperationBody } from '../../src/model/operation.js';
import { verifySignature } from '../../src/trust/signature.js';
import { failure } from './failure.js';

const OPERATION: OperationBody = {
  format: 'savepoint.operation/1',
  id: '1'.repeat(32),
  repository: 'a'.repeat(32),
  worktree: 'b'.repeat(32),
  sequence: 1,
  at: '2026-11-21T10:20:30.456Z',
  signer: '',
  kind: 'rewind',
  target: '2'.repeat(64),
  safety: '3'.repeat(64),
  seen: [{ timeline: 'c'.repeat(32), sequence: 7, id: '3'.repeat(64) }],
  options: {
    files: true,
    context: false,
    index: false,
    exact: true,
    force: false,
    paths: [{ path: 'b' }, { path: 'a' }],
  },
  files: [
    { path: 'z', action: 'write', creates: true, bytes: 3 },
    { path: '\ufffd', pathBytes: '/w==', action: 'skip', reason: 'ignored' },
    { path: 'd', action: 'delete', type: 'directory' },
  ],
};

const decodeAs = (changes: object) =>
  decodeOperation(canonicalJson({ ...OPERATION, ...changes } as unknown as JsonValue));

describe('operations', () => {
  it('come back from their bytes with paths in byte order, and with unknown fields', () => {
    const { bytes, digest } = encodeOperation({ ...OPERATION, later: 'kept' } as OperationBody);
    expect(digest).toBe(blake3(bytes));
    const back = decodeOperation(bytes);
    expect(back).toMatchObject({ later: 'kept' });
    expect(back.files.map(({ path }) => path)).toEqual(['d', 'z', '\ufffd']);
    expect(back.options.paths).toEqual([{ path: 'a' }, { path: 'b' }]);
  });

  it('say what was added to the context, in the order of the kinds', () => {
    const context = [
      { action: 'add', kind: 'task', count: 1 },
      { action: 'add', kind: 'item', count: 2 },
    ] as const;
    const options = { ...OPERATION.options, merge: ['session', 'context'] as const };
    const back = decodeOperation(encodeOperation({ ...OPERATION, options, context }).bytes);
    expect([back.context, back.options.merge]).toEqual([context.toReversed(), ['context', 'session']]);
  });

  it.each([
    [{ sequence: 2 }, 'previous and sequence do not fit'],
    [{ previous: '4'.repeat(64) }, 'previous and sequence do not fit'],
    [{ kind: 'import' }, 'kind is not'],
    [{ of: 'x' }, 'of is not'],
    [{ options: { ...OPERATION.options, merge: ['worktree'] } }, 'options.merge[0] is not'],
    [{ options: { ...OPERATION.options, merge: ['context', 'context'] } }, 'stands there twice'],
    [{ context: [{ action: 'add', kind: 'item', count: 0 }] }, 'count is not'],
    [{ context: [{ action: 'replace', kind: 'item', count: 1 }] }, 'action is not'],
    [{ options: { files: true } }, 'options.context is missing'],
    [{ files: [{ path: '../x', action: 'write' }] }, 'path is not relative'],
    [{ files: [{ path: 'a', action: 'burn' }] }, 'action is not'],
    [{ files: [{ path: 'a', action: 'skip', reason: 'because' }] }, 'reason is not'],
    [{ signer: 'me' }, 'signer is malformed'],
  ])('of a wrong shape are refused: %j', (changes, reason) => {
    expect(failure(() => decodeAs(changes))).toMatchObject({ code: 'format_unreadable' });
    expect(failure(() => decodeAs(changes)).message).toContain(reason);
  });

  it('of a later major version are refused as such', () => {
    expect(failure(() => decodeAs({ format: 'savepoint.operation/2' }))).toMatchObject({ kind: 'too_new' });
  });

  it('on the page of the format are one, with its digest and a signature that holds', () => {
    const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/format/v1.md'), 'utf8');
    const block = (name: string) => {
      const found = new RegExp(`^\`\`\`json ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(page)?.[1] ?? '';
      return canonicalJson(parseJson(utf8(found), name));
    };
    const body = decodeOperation(block('operation.json'));
    const { bytes, digest } = encodeOperation(body);
    expect(bytes).toEqual(block('operation.json'));
    expect(page).toContain(`the digest \`${digest}\``);
    const signature = decodeSignature(block('operation-signature.json'));
    expect(verifySignature({ signer: body.signer, format: body.format, id: digest, signature })).toBe(true);
  });
});
