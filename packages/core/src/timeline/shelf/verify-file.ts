/** Says of a bundle what holds and what does not, without a repository. */
import { counted } from '../../base/counted.js';
import type { ContextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { Check } from '../../model/verdict.js';
import type { ReadSnapshot } from '../bundle/reading.js';
import type { JudgedSnapshot, SignatureVerdict } from '../judge.js';
import { check, type VerifiedSnapshot } from '../verify/verify.js';
import { signatureCheck } from '../verify/signature-check.js';
import { verdictOf } from '../verify/verdicts.js';
import { inspectBundle } from './take.js';
import { bundleFinding, type BundleFinding } from './verify.js';

export interface VerifiedInFile extends VerifiedSnapshot {
  readonly slices: readonly { readonly name: string; readonly state: 'present' | 'in_part' | 'withheld' }[];
}

/** Never throws for what is in the file: what is wrong is in the result of the snapshot where it was met. */
export async function verifyBundle(
  chunks: AsyncIterable<Uint8Array>,
  judge: (snapshot: JudgedSnapshot) => SignatureVerdict,
): Promise<readonly VerifiedInFile[]> {
  const met: ReadSnapshot[] = [];
  try {
    await inspectBundle(chunks, (snapshot) => Promise.resolve(void met.push(snapshot)));
    return met.map((snapshot) => whole(snapshot, met, judge));
  } catch (error) {
    const finding = bundleFinding(error);
    const reached = (error as ContextError).data['snapshot'];
    const id = typeof reached === 'string' ? reached : '';
    const before = met.filter((snapshot) => snapshot.id !== id).map((snapshot) => whole(snapshot, met, judge));
    return [...before, broken(id, met, finding)];
  }
}

function whole(
  snapshot: ReadSnapshot,
  all: readonly ReadSnapshot[],
  judge: (snapshot: JudgedSnapshot) => SignatureVerdict,
): VerifiedInFile {
  const { id, body } = snapshot;
  const slices = sliceStates(snapshot);
  const withheld = slices.filter(({ state }) => state !== 'present').map(({ name }) => name);
  const present = slices.length - slices.filter(({ state }) => state === 'withheld').length;
  const left = withheld.length === 0 ? '' : `; withheld, in whole or in part: ${withheld.join(', ')}`;
  const absent = body.parents.filter((parent) => !all.some((other) => other.id === parent)).map(shortId);
  const chain = absent.length === 0 ? 'its parents are in the file' : `its parents are withheld: ${absent.join(', ')}`;
  const checks: readonly Check[] = [
    check('content', [], `the bytes are canonical and have the id ${shortId(id)}`),
    signatureCheck(judge(snapshot), snapshot),
    check(
      'slices',
      [],
      `${counted(present, 'slice has', 'slices have')} the digests that the body names, to the last byte${left}`,
    ),
    check('chain', [], body.parents.length === 0 ? 'it is the first of its timeline' : chain),
  ];
  return { id, timeline: body.timeline, sequence: body.sequence, verdict: verdictOf(checks), checks, slices };
}

function broken(id: string, met: readonly ReadSnapshot[], { verdict, text }: BundleFinding): VerifiedInFile {
  const snapshot = met.find((one) => one.id === id);
  const name =
    verdict === 'bad_signature' || verdict === 'unsigned' ? 'signature' : snapshot === undefined ? 'content' : 'slices';
  return {
    id,
    timeline: snapshot?.body.timeline ?? '',
    ...(snapshot !== undefined && { sequence: snapshot.body.sequence }),
    verdict,
    checks: [check(name, [{ verdict, text }], '')],
    slices: [],
  };
}

function sliceStates({ body, index }: ReadSnapshot): VerifiedInFile['slices'] {
  return body.slices.map(({ name }) => {
    const parts =
      name === WORKTREE_FOLDER ? index.files.length > 0 : index.withheld.some((path) => path.startsWith(`${name}/`));
    const present = index.slices.includes(name);
    return { name, state: parts ? 'in_part' : present ? 'present' : 'withheld' };
  });
}
