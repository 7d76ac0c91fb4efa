import { describe, expect, it } from 'vitest';
import type { FactBody, FactContent } from '../../src/model/fact.js';
import type { Signer, SnapshotId } from '../../src/model/snapshot.js';
import { judgeSigner, trustPolicy, type TrustSources } from '../../src/trust/policy.js';

const key = (name: string): Signer => `ed25519:${Buffer.from(name.padEnd(32, '.')).toString('hex')}`;
const [me, mine, next, ada, adaNext, thief, bob] = ['me', 'mine', 'next', 'ada', 'ada2', 'thief', 'bob'].map(key) as [
  Signer,
  Signer,
  Signer,
  Signer,
  Signer,
  Signer,
  Signer,
];

let at = 0;
function fact(signer: Signer, content: FactContent): FactBody {
  at += 1;
  return {
    format: 'savepoint.fact/1',
    repository: '1'.repeat(32),
    replica: '2'.repeat(32),
    sequence: at,
    at: `2026-11-21T10:20:30.${String(at % 1000).padStart(3, '0')}Z`,
    signer,
    content,
    seen: [],
  };
}
const rotate = (from: Signer, to: Signer) => fact(from, { kind: 'rotate', key: to });
const revoke = (by: Signer, whom: Signer, ...lastGood: SnapshotId[]) =>
  fact(by, { kind: 'revoke', key: whom, lastGood });
const trust = (by: Signer, whom: Signer, name: string) => fact(by, { kind: 'trust', key: whom, name });

/** Judges one snapshot; a last good snapshot `n` reaches all with a number up to it. */
function judge(signer: Signer, sources: Partial<TrustSources>, snapshot = '5') {
  const policy = trustPolicy({ ownKeys: [me], trusted: new Map(), facts: [], ...sources });
  return judgeSigner(policy, { signer, snapshot }, (lastGood, one) =>
    lastGood.some((good) => Number(good) >= Number(one)),
  );
}
const adaIsKnown = { trusted: new Map([[ada, 'Ada']]) };

describe('judgeSigner', () => {
  it('believes the own key without a name, and named keys', () => {
    expect(judge(me, {})).toBe('valid');
    expect(judge(ada, adaIsKnown)).toBe('valid');
    expect(judge(bob, adaIsKnown)).toBe('valid_unknown_signer');
  });

  it('believes former own keys', () => {
    expect(judge(mine, { ownKeys: [me, mine] })).toBe('valid');
  });

  it('believes keys that an own key named in a fact, and nobody else’s word', () => {
    expect(judge(bob, { facts: [trust(me, bob, 'Bob')] })).toBe('valid');
    expect(judge(bob, { ...adaIsKnown, facts: [trust(ada, bob, 'Bob')] })).toBe('valid_unknown_signer');
    expect(judge(bob, { facts: [trust(bob, bob, 'Bob')] })).toBe('valid_unknown_signer');
  });

  it('follows rotations of own and of named keys, over several steps and in any order of facts', () => {
    const facts = [rotate(adaNext, bob), rotate(ada, adaNext), rotate(me, next)];
    expect(judge(bob, { ...adaIsKnown, facts })).toBe('valid');
    expect(judge(next, { facts })).toBe('valid');
    expect(trustPolicy({ ownKeys: [me], ...adaIsKnown, facts }).names.get(bob)).toBe('Ada');
    expect(judge(ada, { facts: [rotate(ada, adaNext)], trusted: new Map([[adaNext, 'Ada']]) })).toBe(
      'valid_unknown_signer',
    );
  });

  it('survives rotations in a circle', () => {
    const facts = [rotate(ada, bob), rotate(bob, ada), rotate(bob, bob)];
    expect(judge(bob, { ...adaIsKnown, facts })).toBe('valid');
  });

  it('lets nobody claim to be the successor of a key', () => {
    expect(judge(thief, { ...adaIsKnown, facts: [rotate(thief, ada)] })).toBe('valid_unknown_signer');
  });

  it('lets the own key name a successor elsewhere, which then names others', () => {
    expect(judge(bob, { facts: [rotate(me, next), trust(next, bob, 'Bob')] })).toBe('valid');
  });
});

describe('revocation', () => {
  it.each([
    ['the key itself', ada, []],
    ['a key that it was rotated to', adaNext, [rotate(ada, adaNext)]],
    ['a later key of the chain', bob, [rotate(ada, adaNext), rotate(adaNext, bob)]],
    ['the own key', me, []],
    ['a key that the own one was rotated to', next, [rotate(me, next)]],
  ])('counts when it is signed by %s', (_, by, facts) => {
    const sources = { ...adaIsKnown, facts: [...facts, revoke(by, ada, '3')] };
    expect(judge(ada, sources, '5')).toBe('revoked');
    expect(judge(ada, sources, '3')).toBe('valid');
  });

  it('of an unknown key is told as well', () => {
    expect(judge(bob, { facts: [revoke(bob, bob, '3')] }, '5')).toBe('revoked');
    expect(judge(bob, { facts: [revoke(bob, bob, '3')] }, '2')).toBe('valid_unknown_signer');
  });

  it('counts for nothing when anybody else signs it', () => {
    const sources = {
      trusted: new Map([
        [ada, 'Ada'],
        [bob, 'Bob'],
      ]),
      facts: [revoke(bob, ada), revoke(thief, ada)],
    };
    expect(judge(ada, sources)).toBe('valid');
    expect(judge(ada, { ...adaIsKnown, facts: [rotate(thief, ada), revoke(thief, ada)] })).toBe('valid');
    expect(judge(adaNext, { ...adaIsKnown, facts: [rotate(ada, adaNext), revoke(ada, adaNext)] })).toBe('valid');
  });

  it('spares only what every revocation spares', () => {
    // The thief revokes the stolen key too, and calls his own snapshot good.
    const facts = [revoke(ada, ada, '9'), revoke(me, ada, '3')];
    expect(judge(ada, { ...adaIsKnown, facts }, '5')).toBe('revoked');
    expect(judge(ada, { ...adaIsKnown, facts }, '3')).toBe('valid');
  });

  it('by the present key reaches a key that it was rotated to elsewhere', () => {
    expect(judge(next, { facts: [rotate(me, next), revoke(me, next, '3')] }, '5')).toBe('revoked');
    const former = { ownKeys: [me, mine], facts: [rotate(mine, next), revoke(mine, next, '3')] };
    expect(judge(next, former, '5')).toBe('valid');
  });

  it('of nothing good takes everything', () => {
    expect(judge(ada, { ...adaIsKnown, facts: [revoke(me, ada)] }, '1')).toBe('revoked');
  });

  it('holds for own keys', () => {
    const sources = { ownKeys: [me, mine], facts: [revoke(me, mine, '3')] };
    expect(judge(mine, sources, '5')).toBe('revoked');
    expect(judge(mine, sources, '3')).toBe('valid');
    expect(judge(me, sources, '5')).toBe('valid');
  });

  it('tells who revoked, and why', () => {
    const reason = 'laptop stolen';
    const facts = [fact(me, { kind: 'revoke', key: ada, lastGood: ['3'], reason })];
    expect(trustPolicy({ ownKeys: [me], ...adaIsKnown, facts }).revocations).toEqual(
      new Map([[ada, [{ by: me, lastGood: ['3'], reason }]]]),
    );
  });
});

describe('the thief of a key', () => {
  it('is not trusted through a rotation once the key is revoked', () => {
    const stolen = [rotate(ada, thief), trust(thief, bob, 'Bob')];
    expect(judge(thief, { ...adaIsKnown, facts: stolen })).toBe('valid');
    expect(judge(thief, { ...adaIsKnown, facts: [...stolen, revoke(me, ada, '3')] })).toBe('valid_unknown_signer');
    expect(judge(thief, { ...adaIsKnown, facts: [...stolen, revoke(ada, ada, '3')] })).toBe('valid_unknown_signer');
  });

  it('does not take the name from the key that replaced it', () => {
    const facts = [rotate(ada, adaNext), rotate(ada, thief), revoke(adaNext, ada, '3')];
    expect(judge(adaNext, { ...adaIsKnown, facts })).toBe('valid');
    expect(judge(thief, { ...adaIsKnown, facts })).toBe('valid_unknown_signer');
  });

  it('is not trusted by rotating back and forth', () => {
    const facts = [rotate(ada, thief), rotate(thief, ada), revoke(ada, ada, '3')];
    expect(judge(thief, { ...adaIsKnown, facts })).toBe('valid_unknown_signer');
  });

  it('of an own key elsewhere cannot revoke or name others once that key is revoked', () => {
    const facts = [rotate(me, next), revoke(me, next), revoke(next, ada), trust(next, bob, 'Bob')];
    expect(judge(ada, { ...adaIsKnown, facts })).toBe('valid');
    expect(judge(bob, { ...adaIsKnown, facts })).toBe('valid_unknown_signer');
  });

  it('of a former own key cannot silence the present one, nor name or revoke others', () => {
    const facts = [
      rotate(mine, me),
      rotate(mine, thief),
      revoke(me, mine, '3'),
      revoke(mine, me),
      revoke(thief, me),
      revoke(mine, ada),
      revoke(thief, ada),
      trust(mine, bob, 'Bob'),
      trust(thief, bob, 'Bob'),
    ];
    const sources = { ownKeys: [me, mine], ...adaIsKnown, facts };
    expect(judge(me, sources)).toBe('valid');
    expect(judge(ada, sources)).toBe('valid');
    expect(judge(bob, sources)).toBe('valid_unknown_signer');
    expect(judge(thief, sources)).toBe('valid_unknown_signer');
    expect(judge(mine, sources, '5')).toBe('revoked');
    expect(judge(mine, sources, '2')).toBe('valid');
  });

  it('cannot silence the present key before anybody noticed', () => {
    const facts = [rotate(mine, thief), revoke(mine, me), revoke(thief, me)];
    expect(judge(me, { ownKeys: [me, mine], facts })).toBe('valid');
  });
});

describe('names', () => {
  it('of this machine outrank names in facts, and newer facts older ones', () => {
    const facts = [trust(me, ada, 'Eve'), trust(me, bob, 'Rob'), trust(me, bob, 'Bob'), trust(me, me, 'somebody')];
    const trusted = new Map([...adaIsKnown.trusted, [me, 'myself']]);
    const { names } = trustPolicy({ ownKeys: [me], trusted, facts });
    expect([...names].sort()).toEqual(
      [
        [ada, 'Ada'],
        [bob, 'Bob'],
      ].sort(),
    );
  });
});
