/** `key show | trust | rotate | revoke`. */
import { contextError } from '../base/errors.js';
import type { FactContent } from '../model/fact.js';
import { redactText } from '../redact/redactor.js';
import type { KeyRing, SigningKey } from '../trust/key-ring.js';
import { trustPolicy } from '../trust/policy.js';
import { signerProblem } from '../trust/public-key.js';
import { appendFact, readFacts } from '../timeline/facts.js';
import { loadSnapshot } from '../timeline/snapshot/load.js';
import { resolveSelector } from '../timeline/select/select.js';
import { timelineHeads } from '../timeline/view.js';
import type { Repository } from './repository/repository.js';
import { viewOf } from './repository/view-of.js';

/** Keys belong to the user: outside a repository everything but the signed fact still works. */
export interface KeyRequest {
  readonly keys: KeyRing;
  readonly repository?: Repository;
}
export interface KeyShowResult {
  readonly signer?: string;
  readonly problem?: string;
  readonly location: string;
  readonly former: readonly string[];
  readonly trusted: readonly { readonly name: string; readonly key: string }[];
  /** What counts for this user: anybody can say that a key is revoked. */
  readonly revoked: readonly { readonly key: string; readonly lastGood: readonly string[]; readonly reason?: string }[];
}

/**
 * Shows the own key, its former ones, the named keys of others, and what was revoked in this repository.
 * @example
 * const { signer, trusted } = await keyShow({ keys, repository });
 * console.log(signer, trusted);
 */
export async function keyShow({ keys, repository }: KeyRequest): Promise<KeyShowResult> {
  // The first question makes the key, so that there is one to show.
  const current = await keys.signingKey();
  const [own, trusted] = await Promise.all([keys.ownKeys(), keys.trustedKeys()]);
  const problem = keys.problem();
  const facts = repository === undefined ? [] : (await readFacts(repository.store, repository.id)).facts;
  const { revocations } = trustPolicy({ ownKeys: own, trusted, facts: facts.map(({ body }) => body) });
  const revoked = [...revocations].flatMap(([key, all]) => all.map((one) => ({ ...one, key })));
  return {
    ...(current !== undefined && { signer: current.signer }),
    ...(problem !== undefined && { problem }),
    location: keys.location,
    former: own.filter((key) => key !== current?.signer),
    trusted: [...trusted].map(([key, name]) => ({ name, key })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    revoked: revoked.map(({ key, lastGood, reason }) => ({ key, lastGood, ...(reason !== undefined && { reason }) })),
  };
}

/**
 * Gives another's key a name, here and as a fact of the repository. @throws key_malformed; argument_malformed
 * @example
 * await keyTrust({ keys, repository, name: 'ada', key: `ed25519:${'3f'.repeat(32)}` });
 */
export async function keyTrust(
  request: KeyRequest & { readonly name: string; readonly key: string },
): Promise<KeyShowResult> {
  const { keys } = request;
  const key = checkKey(request.key);
  const name = redactText(request.name).text;
  if (name.trim() === '' || /\p{Cc}/u.test(name) || Buffer.byteLength(name) > LONGEST_NAME) {
    const reason = 'a name has 1 to 256 bytes and no control characters';
    throw contextError('argument_malformed', { value: JSON.stringify(name), argument: 'NAME', reason });
  }
  // Where the file of names is torn or the store cannot take the fact, neither has it.
  await keys.trustedKeys();
  const signingKey = await keys.signingKey();
  if (signingKey !== undefined) await state(request, signingKey, { kind: 'trust', key, name });
  await keys.trust(key, name);
  return keyShow(request);
}

const LONGEST_NAME = 256;

function checkKey(text: string): string {
  const key = /^[0-9a-f]{64}$/i.test(text) ? `ed25519:${text}` : text;
  const reason = signerProblem(key.toLowerCase());
  if (reason !== undefined) throw contextError('key_malformed', { key: text, reason });
  return key.toLowerCase();
}

/** Returns the key that is meant by itself or by its name. @throws key_malformed */
async function namedKey(keys: KeyRing, text: string): Promise<string> {
  const named = [...(await keys.trustedKeys())].flatMap(([key, name]) => (name === text ? [key] : []));
  const [only, ...others] = named;
  if (only === undefined) return checkKey(text);
  if (others.length === 0) return only;
  throw contextError('key_malformed', { key: text, reason: `it is the name of ${named.join(' and of ')}` });
}

async function state({ repository }: KeyRequest, key: SigningKey, content: FactContent): Promise<void> {
  if (repository === undefined) return;
  const { store, id, replica, clock } = await repository.enrol();
  await appendFact({ store, key, repository: id, replica, clock }, content);
}

/**
 * Makes a new own key. The old one signs that the new one takes over, so that others follow; where it is lost, nobody can.
 * @throws key_unusable where the old key cannot sign and `lost` was not given; settings_unreadable
 * @example
 * const { signer, former } = await keyRotate({ keys, repository });
 * console.log(signer, former);
 */
export async function keyRotate(request: KeyRequest & { readonly lost?: boolean }): Promise<KeyShowResult> {
  const { keys, lost = false } = request;
  if (!lost && (await keys.signingKey()) === undefined) {
    throw contextError('key_unusable', { path: keys.location, reason: keys.problem() ?? 'there is none' });
  }
  // What the answer needs is read before anything changes: the file of names may be torn.
  await keys.trustedKeys();
  await keys.rotate(async ({ former, current }) => {
    if (former !== undefined) await state(request, former, { kind: 'rotate', key: current.signer });
  });
  return keyShow(request);
}

export interface KeyRevokeRequest extends KeyRequest {
  /** The public key, or the name that the user gave it. */
  readonly key: string;
  /** Selectors of the last snapshots that were surely honest; what they reach is spared. */
  readonly lastGood?: readonly string[];
  /** All that it signed until now is surely honest: on each timeline here, the newest that it signed is the last good one. */
  readonly untilNow?: boolean;
  readonly reason?: string;
}

/**
 * Says that a key must not be believed any more, except for its last good snapshots and what they reach. It cannot be taken
 * back: a later revocation of the same key may spare less, never more.
 * @throws key_malformed; key_unusable; argument_missing; argument_malformed; as resolving a selector does
 * @example
 * await keyRevoke({ keys, repository, key: `ed25519:${'3f'.repeat(32)}`, untilNow: true, reason: 'laptop stolen' });
 */
export async function keyRevoke(request: KeyRevokeRequest): Promise<KeyShowResult> {
  const { keys, repository } = request;
  const reason = request.reason === undefined ? undefined : redactText(request.reason).text;
  const key = await namedKey(keys, request.key);
  if (repository === undefined)
    throw contextError('argument_missing', {
      command: 'key revoke',
      argument: 'a repository, in which the revocation is kept',
    });
  const signingKey = await keys.signingKey();
  if (signingKey === undefined) {
    throw contextError('key_unusable', { path: keys.location, reason: keys.problem() ?? 'there is none' });
  }
  const until = request.untilNow === true ? await headsSignedBy(repository, key) : [];
  const named: string[] = [];
  for (const selector of request.lastGood ?? []) {
    named.push((await resolveSelector(viewOf(repository), selector)).snapshot.id);
  }
  const lastGood = [...new Set([...until, ...named])].sort();
  await state(request, signingKey, { kind: 'revoke', key, lastGood, ...(reason !== undefined && { reason }) });
  return keyShow(request);
}

/** Of each timeline, the newest snapshot that the key signed. */
async function headsSignedBy({ store }: Repository, key: string): Promise<readonly string[]> {
  const heads = await timelineHeads(store);
  const newest = heads.map(async (head) => {
    for await (const commit of store.history(head.commit)) {
      const { id, body } = await loadSnapshot(store, commit);
      if (body.signer === key) return [id];
    }
    return [];
  });
  return (await Promise.all(newest)).flat();
}
