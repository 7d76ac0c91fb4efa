import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../../src/base/bytes.js';
import { blake3 } from '../../../src/format/digest.js';
import { decodeBody, snapshotId } from '../../../src/format/v1/body.js';
import { decodeSignature } from '../../../src/format/v1/signature.js';
import { judgeBy } from '../../../src/timeline/judge.js';
import { wrapLeanCtx } from '../../../src/timeline/lean-ctx/wrap.js';
import { trustPolicy } from '../../../src/trust/policy.js';
import { failure } from '../../format/failure.js';
import { readText, signedLine, vector } from '../../format/lean-ctx/vectors.js';
import { keyOf } from '../../trust/keys.js';

const one = vector('FULL');
const signer = `ed25519:${one.public_key}`;
const key = keyOf('07');
const repository = 'd'.repeat(32);

function wrap(line = signedLine(one)) {
  return wrapLeanCtx({ file: utf8(line), snapshot: readText(line), signer, repository, key });
}

describe('a wrapped snapshot of lean-ctx', () => {
  it('holds the file byte for byte, with the id and the signer that it has there', () => {
    const { id, body, files } = wrap();
    expect([...files.keys()]).toEqual(['snapshot.json', 'signature.json', 'lean-ctx.json']);
    expect(text(files.get('lean-ctx.json') ?? new Uint8Array())).toBe(signedLine(one));
    expect(body.original).toEqual({ format: 'lean-ctx/1', id: one.snapshot_id, signer });
    expect(body.slices).toEqual([
      {
        name: 'lean-ctx',
        algorithm: 'blake3',
        digest: blake3(utf8(signedLine(one))),
        bytes: signedLine(one).length,
        parts: 1,
      },
    ]);
    const bytes = files.get('snapshot.json') ?? new Uint8Array();
    expect(snapshotId(bytes)).toBe(id);
    expect(decodeBody(bytes)).toEqual(body);
  });

  it('says in the body what both have a place for, and no more', () => {
    expect(wrap().body).toMatchObject({
      createdAt: '2026-06-28T12:00:00.000Z',
      message: 'Implement Context Time Machine',
      session: { agent: 'lean-ctx', id: 'sess-1' },
      // A short commit id names no commit for sure.
      anchor: { branch: 'feat/context-time-machine', dirty: true, objectFormat: 'sha1' },
      parents: [],
      totals: { files: 0, bytes: 0 },
    });
    expect(wrap().body.anchor).not.toHaveProperty('commit');
    const whole = signedLine(one).replace('"abc1234"', `"${'ab'.repeat(20)}"`);
    expect(wrap(whole).body.anchor.commit).toBe('ab'.repeat(20));
    const detached = signedLine(one).replace('"feat/context-time-machine"', '"HEAD"');
    expect(wrap(detached).body.anchor).not.toHaveProperty('branch');
    const least = wrap(signedLine(vector('MIN'))).body;
    expect(least.message).toBe('');
    expect(least).not.toHaveProperty('session');
  });

  it('is the same when it is made again', () => {
    expect(wrap().id).toBe(wrap().id);
    expect(wrap(signedLine(vector('MIN'))).id).not.toBe(wrap().id);
  });

  it.each([
    ['2026-06-28T12:00:00.123456789+02:00', '2026-06-28T10:00:00.123Z'],
    ['2026-06-28t12:00:00.5z', '2026-06-28T12:00:00.500Z'],
  ])('has the time %s', (there, here) => {
    expect(wrap(signedLine(one).replace('2026-06-28T12:00:00Z', there)).body.createdAt).toBe(here);
  });

  it.each(['yesterday', '2026', '2026-13-28T12:00:00Z', ''])('is refused with the time %j', (there) => {
    const { code, message } = failure(() => wrap(signedLine(one).replace('2026-06-28T12:00:00Z', there)));
    expect({ code, message }).toEqual({
      code: 'format_unreadable',
      message: expect.stringContaining('created_at is not a time') as string,
    });
  });

  it('has no secret in its message', () => {
    const secret = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;
    const { body } = wrap(signedLine(one).replace('Implement Context Time Machine', `use ${secret} for it`));
    expect(body.message).not.toContain(secret);
    expect(body.redactions.count).toBe(1);
  });

  it('is believed only as far as whoever signed it there', () => {
    const { id, body, files } = wrap();
    const snapshot = { id, body, signature: decodeSignature(files.get('signature.json') ?? new Uint8Array()) };
    const verdict = (ownKeys: readonly string[], trusted: readonly string[] = []) =>
      judgeBy(
        trustPolicy({ ownKeys, trusted: new Map(trusted.map((named) => [named, 'a name'])), facts: [] }),
        () => false,
      ).verdict(snapshot);
    expect(verdict([key.signer])).toBe('valid_unknown_signer');
    expect(verdict([key.signer], [signer])).toBe('valid');
    expect(verdict([], [signer])).toBe('valid_unknown_signer');
    const forged = { ...snapshot, id: 'f'.repeat(64) };
    expect(
      judgeBy(trustPolicy({ ownKeys: [key.signer], trusted: new Map(), facts: [] }), () => false).verdict(forged),
    ).toBe('bad_signature');
  });
});
