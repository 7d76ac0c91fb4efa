import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/json.js';
import type { FactBody, FactContent } from '../../src/model/fact.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { decodeFact, encodeFact } from '../../src/format/v1/fact.js';
import { failure } from './failure.js';

const id = (digit: string) => digit.repeat(64);
const key = `ed25519:${id('2')}`;
const FACT: FactBody = {
  format: 'savepoint.fact/1',
  repository: 'a'.repeat(32),
  replica: 'b'.repeat(32),
  sequence: 1,
  at: '2026-11-21T10:20:30.456Z',
  signer: `ed25519:${id('1')}`,
  content: { kind: 'rotate', key },
  seen: [],
};

const decodeAs = (changes: object) => decodeFact(canonicalJson({ ...FACT, ...changes } as unknown as JsonValue));

describe('facts', () => {
  it.each<FactContent>([
    { kind: 'pin', snapshot: id('3'), name: 'release', reason: 'shipped' },
    { kind: 'unpin', snapshot: id('3') },
    { kind: 'name', snapshot: id('3'), name: 'the good one' },
    { kind: 'link', commit: 'c'.repeat(40), tree: 'd'.repeat(40), patchId: 'e'.repeat(40), id: id('3'), how: 'commit' },
    { kind: 'trust', key, name: 'Ada' },
    { kind: 'rotate', key },
    { kind: 'revoke', key, lastGood: [id('3')], reason: 'laptop stolen' },
    { kind: 'revoke', key, lastGood: [] },
    { kind: 'tombstone', snapshots: [id('3'), id('4')], reason: 'purged' },
  ])('come back from their bytes: $kind', (content) => {
    const fact = { ...FACT, content };
    const { bytes, id: factId } = encodeFact(fact);
    expect(decodeFact(bytes)).toEqual(fact);
    expect(factId).toBe(blake3(bytes));
  });

  it('have their sets in order', () => {
    const content = { kind: 'revoke', key, lastGood: [id('4'), id('3'), id('4')] } as const;
    expect(decodeFact(encodeFact({ ...FACT, content }).bytes).content).toEqual({
      ...content,
      lastGood: [id('3'), id('4')],
    });
    expect(failure(() => decodeAs({ content })).data['verdict']).toBe('not_canonical');
  });

  it.each<[string, object]>([
    ['no signer', { signer: '' }],
    ['a snapshot body', { format: 'savepoint.snapshot/1' }],
    ['no content', { content: undefined }],
    ['content without a kind', { content: {} }],
    ['a pin of nothing', { content: { kind: 'pin' } }],
    ['a rotation to no key', { content: { kind: 'rotate', key: '' } }],
    ['a revocation without its last good snapshots', { content: { kind: 'revoke', key } }],
    ['a name with an escape', { content: { kind: 'trust', key, name: '\u001b[1m' } }],
    ['an empty name', { content: { kind: 'trust', key, name: '' } }],
    ['a link to a short commit', { content: { kind: 'link', commit: 'abc', id: id('3'), how: 'commit' } }],
    ['a first fact that follows another', { previous: id('4') }],
    ['a second fact that follows none', { sequence: 2 }],
  ])('are refused with %s', (_, changes) => {
    expect(failure(() => decodeAs(changes)).code).toBe('format_unreadable');
  });

  it('of a kind that came later, or of a later version, are told from damaged ones', () => {
    for (const changes of [{ content: { kind: 'praise', who: 'Ada' } }, { format: 'savepoint.fact/2' }]) {
      expect(failure(() => decodeAs(changes)).code).toBe('format_version_unsupported');
    }
    for (const kind of ['toString', '__proto__', 'constructor']) {
      expect(failure(() => decodeAs({ content: { kind } })).code).toBe('format_version_unsupported');
    }
  });
});
