/** Verifies snapshots: content, signature, slices, place, chain, anchor, completeness. Offline, and never stopped by a broken one. */
import { counted, grouped } from '../../base/counted.js';
import { clauseOf } from '../../base/errors.js';
import { BODY_FILE, SIGNATURE_FILE, commitMessage } from '../../format/v1/layout.js';
import { shortId } from '../../format/v1/body.js';
import type { Check, Verdict } from '../../model/verdict.js';
import { objectId } from '../../model/tree/object-id.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { encodeCommit } from '../../store/git-objects.js';
import type { Store } from '../../store/store.js';
import { compareBytes } from '../../base/bytes.js';
import type { Judge } from '../judge.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { readContent, type Link, type LinkContent } from './chains.js';
import type { CheckedObjects, Finding } from './objects.js';
import { signatureCheck } from './signature-check.js';
import { checkSlices } from './slices.js';
import { worstVerdict } from './verdicts.js';

export interface Verification {
  readonly store: Store;
  readonly repository: string;
  readonly judge: Judge;
  readonly objects: CheckedObjects;
  readonly deep: boolean;
  /** Names of the slices met so far that a git tree id of SHA-1 stands for. */
  readonly sha1: Set<string>;
  /** Commits of the snapshots met so far that leave something out. */
  readonly incomplete: Set<ObjectId>;
}

export interface VerifiedSnapshot {
  /** What the stored bytes hash to, or the commit where there is no body; of a timeline that is gone, its last known id. */
  readonly id: string;
  readonly timeline: string;
  readonly sequence?: number;
  /** Absent where a whole timeline is gone. */
  readonly commit?: string;
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** True for what others published and was imported. */
  readonly foreign?: true;
}

/** Returns the checks of one place in a timeline; `older` is the place before it, absent for the first. */
export async function checkLink(
  verification: Verification,
  link: Link,
  older: Link | undefined,
): Promise<readonly Check[]> {
  const found = await readContent(verification.store, link.commit);
  const { snapshot } = found;
  const content = await checkContent(verification, link, found);
  if (snapshot === undefined) return [check('content', content, 'unreadable')];
  const { store, objects, judge } = verification;
  const { body, entries } = snapshot;
  for (const name of sha1Slices(snapshot)) verification.sha1.add(name);
  if (!body.complete) verification.incomplete.add(link.commit);
  const slices = await checkSlices({ objects, objectFormat: store.objectFormat, body, entries });
  return [
    check('content', content, `the stored bytes are canonical and have the id ${shortId(snapshot.id)}`),
    signatureCheck(judge.verdict(snapshot), snapshot),
    check('slices', slices, sliceSentence(snapshot, verification)),
    check('place', checkPlace(verification, link, snapshot), 'it lies in the timeline and repository that it names'),
    check('chain', checkChain(snapshot, older, link), chainSentence(snapshot)),
    await anchorCheck(store, snapshot),
  ];
}

/** Makes one check of what was found: ok where nothing was. */
export function check(name: Check['name'], findings: readonly Finding[], fine: string): Check {
  if (findings.length === 0) return { name, ok: true, detail: `${fine}.` };
  const verdict = worstVerdict(findings.map((finding) => finding.verdict));
  const worstFirst = [...findings].sort((a, b) => Number(b.verdict === verdict) - Number(a.verdict === verdict));
  const more = findings.length > SHOWN ? `; and ${grouped(findings.length - SHOWN)} more` : '';
  const texts = worstFirst.slice(0, SHOWN).map(({ text }) => text);
  return { name, ok: false, verdict, detail: `${texts.join('; ')}${more}.` };
}

const SHOWN = 5;

async function checkContent({ objects }: Verification, link: Link, found: LinkContent): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const see = async (id: ObjectId, type: 'commit' | 'tree' | 'blob', name: string) => {
    const { finding } = await objects.bytes(id, type, name);
    if (finding !== undefined) findings.push(finding);
  };
  await see(link.commit, 'commit', 'the commit');
  if (found.stored !== undefined) await see(found.stored.tree, 'tree', 'the root tree');
  for (const name of [BODY_FILE, SIGNATURE_FILE]) {
    const entry = found.entries?.get(name);
    if (entry !== undefined) await see(entry.id, 'blob', name);
  }
  if (found.error === undefined || findings.length > 0) return findings;
  return [{ verdict: unreadableVerdict(found), text: clauseOf(found.error) }];
}

function unreadableVerdict({ error }: LinkContent): Verdict {
  if (error?.code === 'object_missing') return 'missing_object';
  return error?.code === 'format_version_unsupported' ? 'too_new' : 'not_canonical';
}

function sha1Slices({ body }: LoadedSnapshot): readonly string[] {
  return body.slices.filter(({ algorithm }) => algorithm === 'git-sha1').map(({ name }) => name);
}

function sliceSentence(snapshot: LoadedSnapshot, { deep }: Verification): string {
  const { body } = snapshot;
  const sha1 = sha1Slices(snapshot);
  const protection = sha1.length === 0 ? '' : `; ${sha1.join(', ')}: protected by collision-detecting SHA-1`;
  const looked = deep ? 'every byte was read' : 'all objects are there';
  return `${counted(body.slices.length, 'slice has', 'slices have')} the digests that the body names, and ${looked}${protection}${leftOut(body)}`;
}

function leftOut({ omitted }: LoadedSnapshot['body']): string {
  if (omitted.length === 0) return '';
  const more = omitted.length > SHOWN ? ` and ${grouped(omitted.length - SHOWN)} more` : '';
  const shown = omitted.slice(0, SHOWN).map(({ path }) => path);
  return `; left out when it was taken: ${shown.join(', ')}${more}`;
}

function checkPlace(
  { store, repository }: Verification,
  link: Link,
  { body, commit }: LoadedSnapshot,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (body.repository !== repository) {
    findings.push({ verdict: 'foreign_repository', text: `it was made in the repository ${body.repository}` });
  }
  if (body.timeline !== link.timeline) {
    findings.push({ verdict: 'wrong_place', text: `it belongs to the timeline ${body.timeline}` });
  }
  const expected = encodeCommit({
    tree: commit.tree,
    parents: commit.parents.slice(0, 1),
    message: commitMessage(body.sequence),
  });
  // A damaged commit was found by its id already; this is about one that somebody wrote.
  const intact = objectId(store.objectFormat, 'commit', commit.bytes) === commit.id;
  if (intact && compareBytes(expected, commit.bytes) !== 0) {
    findings.push({ verdict: 'unexpected_entry', text: 'its commit holds more than Savepoint writes' });
  }
  return findings;
}

function checkChain({ body }: LoadedSnapshot, older: Link | undefined, link: Link): readonly Finding[] {
  const broken = (text: string): readonly Finding[] => [{ verdict: 'broken_chain', text }];
  const [parent] = body.parents;
  const sequence = String(body.sequence);
  if (link.isFirst || older === undefined) {
    if (parent === undefined && body.sequence === 1) return [];
    return broken(`it is snapshot ${sequence} and nothing comes before it`);
  }
  if (older.id === undefined) return broken('the snapshot before it cannot be read');
  if (parent !== older.id)
    return broken(`it follows ${shortId(parent ?? 'nothing')}, and ${shortId(older.id)} comes before it`);
  const before = older.sequence;
  if (before === undefined || body.sequence === before + 1) return [];
  return broken(`it is snapshot ${sequence}, and snapshot ${String(before)} comes before it`);
}

function chainSentence({ body }: LoadedSnapshot): string {
  const [parent] = body.parents;
  return parent === undefined
    ? 'it is the first of its timeline'
    : `it follows ${shortId(parent)} as number ${String(body.sequence)}`;
}

/** A commit that is gone is no fault of the snapshot: history may be rewritten. */
async function anchorCheck(store: Store, { body }: LoadedSnapshot): Promise<Check> {
  const { commit, headTree } = body.anchor;
  if (commit === undefined)
    return { name: 'anchor', ok: true, detail: 'it was made before the first commit of the branch.' };
  const stored = await store.commit(commit);
  if (stored === undefined) {
    return {
      name: 'anchor',
      ok: true,
      detail: `its commit ${commit} is not in the repository any more; history may have been rewritten.`,
    };
  }
  const wrong = headTree !== undefined && stored.tree !== headTree;
  const text = `the commit ${commit} does not have the tree that the body names`;
  return check(
    'anchor',
    wrong ? [{ verdict: 'digest_mismatch', text }] : [],
    `its commit ${commit} is here and has the tree that the body names`,
  );
}
