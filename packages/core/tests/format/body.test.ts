import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../src/base/bytes.js';
import type { JsonValue } from '../../src/base/json.js';
import type { SnapshotBody } from '../../src/model/snapshot.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { decodeBody, encodeBody, shortId, snapshotId } from '../../src/format/v1/body.js';
import { failure } from './failure.js';
import * as generated from './generated.js';

const id = (digit: string) => digit.repeat(64);
const random = (digit: string) => digit.repeat(32);

const BODY: SnapshotBody = {
  format: 'savepoint.snapshot/1',
  repository: random('1'),
  timeline: random('2'),
  sequence: 2,
  parents: [id('a')],
  origin: { kind: 'rewind', from: id('b'), operation: random('3') },
  createdAt: '2026-11-21T10:20:30.456Z',
  signer: `ed25519:${id('c')}`,
  message: 'before the refactoring',
  tags: ['release', 'wip'],
  trigger: { kind: 'manual', reason: 'command' },
  session: { agent: 'claude-code', id: 'b9f7', guessed: true },
  anchor: { commit: 'd'.repeat(40), branch: 'main', dirty: true, headTree: 'e'.repeat(40), objectFormat: 'sha1' },
  slices: [
    { name: 'filesystem', algorithm: 'blake3', digest: id('f'), bytes: 10, parts: 1 },
    { name: 'worktree', algorithm: 'git-sha1', digest: '0'.repeat(40), bytes: 20, parts: 2 },
  ],
  totals: { files: 2, bytes: 20 },
  redactions: { count: 1, kinds: { 'github-token': 1 } },
  boundaries: [{ path: 'vendor/lib', kind: 'submodule' }],
  omitted: [{ path: 'big.bin', reason: 'too_large', bytes: 99 }],
  complete: false,
  seen: [{ timeline: random('4'), sequence: 7, id: id('5') }],
};

const decodeAs = (changes: object) => decodeBody(canonicalJson({ ...BODY, ...changes } as unknown as JsonValue));
const OPTIONAL = ['origin', 'session'];

describe('encodeBody', () => {
  it('gives canonical bytes and their digest', () => {
    const { bytes, id: snapshot } = encodeBody(BODY);
    expect(bytes).toEqual(canonicalJson(BODY as unknown as JsonValue));
    expect(snapshot).toBe(snapshotId(bytes));
    expect(snapshot).toMatch(/^[0-9a-f]{64}$/);
    expect(shortId(snapshot)).toBe(snapshot.slice(0, 12));
  });

  it('puts sets in order and keeps equal tags once', () => {
    const [a, b] = [id('1'), id('2')];
    const shuffled = encodeBody({
      ...BODY,
      tags: ['wip', 'release', 'wip'],
      slices: [...BODY.slices].reverse(),
      parents: [b, a],
    });
    expect(shuffled).toEqual(encodeBody({ ...BODY, parents: [b, a] }));
    expect(decodeBody(shuffled.bytes).parents).toEqual([b, a]);
  });

  it('orders paths by their exact bytes', () => {
    const paths = ['b', 'a/b', 'a.b', '\ufb33', '\u{1f602}'].map((path) => ({ path, kind: 'special' as const }));
    // 0xfe sorts after every UTF-8 text, its U+FFFD form does not.
    const odd = { path: '\ufffd', pathBytes: '/g==', kind: 'special' as const };
    const boundaries = decodeBody(encodeBody({ ...BODY, boundaries: [odd, ...paths] }).bytes).boundaries;
    expect(boundaries.map(({ path }) => path)).toEqual(['a.b', 'a/b', 'b', '\ufb33', '\u{1f602}', '\ufffd']);
  });

  it('refuses what decodeBody would refuse', () => {
    for (const wrong of [{ sequence: 0 }, { createdAt: 'now' }, { message: '\ud800' }, { tags: ['a\u001b[31m'] }]) {
      expect(failure(() => encodeBody({ ...BODY, ...wrong })).code).toBe('invariant_broken');
    }
  });
});

describe('decodeBody', () => {
  it('gives back what was encoded', () => {
    expect(decodeBody(encodeBody(BODY).bytes)).toEqual(BODY);
  });

  it('preserves fields that it does not know, at every depth, and covers them with the id', () => {
    const later = {
      ...BODY,
      budget: { tokens: 5 },
      trigger: { ...BODY.trigger, hook: 'stop' },
      slices: BODY.slices.map((slice) => ({ ...slice, codec: 'none' })),
    };
    const { bytes, id: snapshot } = encodeBody(later);
    const read = decodeBody(bytes);
    expect(read).toEqual(later);
    expect(encodeBody(read).id).toBe(snapshot);
    expect(snapshot).not.toBe(encodeBody(BODY).id);
  });

  it.each(Object.keys(BODY).filter((name) => !OPTIONAL.includes(name)))('refuses a body without %s', (name) => {
    expect(failure(() => decodeAs({ [name]: undefined })).message).toContain(`${name} is missing`);
  });

  it.each(OPTIONAL)('accepts a body without %s', (name) => {
    expect(decodeAs({ [name]: undefined })).not.toHaveProperty(name);
  });

  it.each<[string, object]>([
    ['another kind of document', { format: 'savepoint.fact/1' }],
    ['a minor version', { format: 'savepoint.snapshot/1.1' }],
    ['a version with a zero', { format: 'savepoint.snapshot/02' }],
    ['a short repository', { repository: '1'.repeat(31) }],
    ['upper hex', { timeline: 'A'.repeat(32) }],
    ['sequence 0', { sequence: 0 }],
    ['a short parent', { parents: ['a'] }],
    ['a parent twice', { parents: [id('a'), id('a')] }],
    ['an unknown origin', { origin: { kind: 'merge', from: id('a') } }],
    ['an origin from nowhere', { origin: { kind: 'rewind' } }],
    ['a time without milliseconds', { createdAt: '2026-11-21T10:20:30Z' }],
    ['a time in another zone', { createdAt: '2026-11-21T10:20:30.456+01:00' }],
    ['a day that does not exist', { createdAt: '2026-02-30T10:20:30.456Z' }],
    ['a signer without its algorithm', { signer: id('c') }],
    ['a signer in upper hex', { signer: `ed25519:${'C'.repeat(64)}` }],
    ['a signer with a newline', { signer: `ed25519:${id('c')}\n` }],
    ['a message of two million characters', { message: 'x'.repeat(2_000_000) }],
    ['an empty tag', { tags: [''] }],
    ['a tag with a newline', { tags: ['a\nb'] }],
    ['a tag with an escape', { tags: ['\u001b[2J'] }],
    ['a tag with a C1 control', { tags: ['\u009b2J'] }],
    ['an unknown trigger', { trigger: { kind: 'magic', reason: '' } }],
    ['a session without an agent', { session: { id: 'x' } }],
    ['an agent with a slash', { session: { agent: '../x', id: 'x' } }],
    ['an anchor of another object format', { anchor: { ...BODY.anchor, objectFormat: 'sha256' } }],
    ['an anchor with a short commit', { anchor: { ...BODY.anchor, commit: 'd' } }],
    ['an empty branch', { anchor: { ...BODY.anchor, branch: '' } }],
    ['a slice name that leaves the folder', { slices: [{ ...BODY.slices[0], name: '../x' }] }],
    ['a slice twice', { slices: [BODY.slices[0], { ...BODY.slices[0], bytes: 11 }] }],
    ['an unknown digest algorithm', { slices: [{ ...BODY.slices[0], algorithm: 'md5' }] }],
    ['a digest that does not fit', { slices: [{ ...BODY.slices[0], algorithm: 'git-sha1' }] }],
    ['negative bytes', { slices: [{ ...BODY.slices[0], bytes: -1 }] }],
    ['totals without files', { totals: { bytes: 1 } }],
    ['a negative redaction', { redactions: { count: 1, kinds: { x: -1 } } }],
    ['a redaction without a kind', { redactions: { count: 1, kinds: { '': 1 } } }],
    ['an unknown boundary', { boundaries: [{ path: 'a', kind: 'wall' }] }],
    ['a boundary twice', { boundaries: ['special', 'sparse'].map((kind) => ({ path: 'a', kind })) }],
    ['an absolute path', { boundaries: [{ path: '/etc', kind: 'special' }] }],
    ['a path that leaves the worktree', { boundaries: [{ path: 'a/../..', kind: 'special' }] }],
    ['an empty path', { boundaries: [{ path: '', kind: 'special' }] }],
    ['a path with a NUL', { boundaries: [{ path: 'a\0', kind: 'special' }] }],
    ['path bytes that are needless', { boundaries: [{ path: 'a', pathBytes: 'YQ==', kind: 'special' }] }],
    ['path bytes that differ', { boundaries: [{ path: 'a\ufffd', pathBytes: '/g==', kind: 'special' }] }],
    ['path bytes in loose base64', { boundaries: [{ path: '\ufffd', pathBytes: '/g', kind: 'special' }] }],
    ['an omission without a reason', { omitted: [{ path: 'a' }] }],
    ['an omission from a complete snapshot', { complete: true }],
    ['completeness as a number', { complete: 1 }],
    ['seventeen witnesses', { seen: Array.from({ length: 17 }, (_, n) => witness(n)) }],
    ['a witness twice', { seen: [witness(1), { ...witness(1), sequence: 2 }] }],
  ])('refuses %s', (_, changes) => {
    const error = failure(() => decodeAs(changes));
    expect([error.code, error.data['verdict']]).toEqual(['format_unreadable', undefined]);
  });

  it.each<[string, object]>([
    ['tags', { tags: ['wip', 'release'] }],
    ['equal tags', { tags: ['wip', 'wip'] }],
    ['slices', { slices: [...BODY.slices].reverse() }],
    ['boundaries', { boundaries: ['b', 'a'].map((path) => ({ path, kind: 'special' })) }],
    ['omissions', { omitted: ['b', 'a'].map((path) => ({ path, reason: 'changing' })) }],
    ['witnesses', { seen: [witness(2), witness(1)] }],
  ])('calls %s in another order not canonical', (_, changes) => {
    expect(failure(() => decodeAs(changes)).data['verdict']).toBe('not_canonical');
  });

  it('calls another spelling not canonical, and damage unreadable', () => {
    const json = Buffer.from(encodeBody(BODY).bytes).toString();
    expect(failure(() => decodeBody(utf8(`${json}\n`))).data['verdict']).toBe('not_canonical');
    expect(failure(() => decodeBody(utf8(json.replace('main', '\\u006dain')))).data['verdict']).toBe('not_canonical');
    expect(failure(() => decodeBody(utf8(json.slice(0, -1)))).data['verdict']).toBeUndefined();
    const twice = json.replace('"complete":false', '"complete":false,"complete":false');
    expect(failure(() => decodeBody(utf8(twice))).message).toContain('twice');
  });

  it('leaves a later major version alone, whatever else it holds', () => {
    for (const bytes of [
      canonicalJson({ ...BODY, format: 'savepoint.snapshot/2' } as unknown as JsonValue),
      utf8('{ "format": "savepoint.snapshot/17", "all": "new" }'),
    ]) {
      const error = failure(() => decodeBody(bytes));
      expect([error.code, error.kind]).toEqual(['format_version_unsupported', 'too_new']);
      expect(error.message).toMatch(/savepoint\.snapshot\/(2|17)/);
    }
  });

  it('does not mistake fields of the prototype for its own', () => {
    const json = Buffer.from(encodeBody({ ...BODY, tags: [] }).bytes).toString();
    const bare = json
      .replace('"message":"before the refactoring",', '')
      .replace('{"anchor"', '{"__proto__":{"message":"x"},"anchor"');
    expect(failure(() => decodeBody(utf8(bare))).message).toContain('message is missing');
  });
});

function witness(n: number) {
  return { timeline: n.toString(16).padStart(32, '0'), sequence: 1, id: id('a') };
}

describe('the id of a snapshot', () => {
  it('changes with every change of a value', () => {
    fc.assert(
      fc.property(generated.body, generated.body, (a, b) => {
        const [first, second] = [encodeBody(a), encodeBody(b)];
        expect(first.id === second.id).toBe(Buffer.compare(first.bytes, second.bytes) === 0);
      }),
      { numRuns: 100 },
    );
  });

  it('changes with every single bit of the bytes', () => {
    const { bytes, id: snapshot } = encodeBody(BODY);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Uint8Array.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(snapshotId(flipped)).not.toBe(snapshot);
    }
  });
});
