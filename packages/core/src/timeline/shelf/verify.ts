/** Verifies a snapshot that lies as a folder, by writing it as a bundle and reading that: there is one reader for both. */
import { clauseOf, ContextError } from '../../base/errors.js';
import { text } from '../../base/bytes.js';
import { PROOF_FOLDER, WITHHELD_FILE } from '../../format/v1/bundle.js';
import { BODY_FILE, SIGNATURE_FILE, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { BundledSnapshot } from '../../model/bundle.js';
import type { Verdict } from '../../model/verdict.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import { orderFolder, type Leaf } from '../bundle/manifests.js';
import { proveFiles } from '../bundle/prove.js';
import { refusal, shown } from '../bundle/refusal.js';
import { writeBundle, type BundleItem } from '../bundle/write.js';
import { bundlePath } from '../../format/v1/bundle.js';
import { listFolder } from '../snapshot/folders.js';
import { headItems } from '../publish/head-items.js';
import { readLeaves } from '../publish/leaves.js';
import { shortId } from '../../format/v1/body.js';
import { keyDigits } from '../../trust/public-key.js';
import type { Judge } from '../judge.js';
import { orError } from '../newest-first.js';
import { withheldSlices } from '../snapshot/slices.js';
import { placeOf } from '../verify/chains.js';
import { signatureCheck } from '../verify/signature-check.js';
import { verdictOf } from '../verify/verdicts.js';
import { check, type VerifiedSnapshot } from '../verify/verify.js';
import type { Forks } from './forks.js';
import { loadShelved, REMOTES, type ShelvedPlace, type ShelvedSnapshot } from './shelf.js';
import { inspectBundle } from './take.js';

/** What is wrong with a bundle or folder, as a sentence without its period. */
export interface BundleFinding {
  readonly verdict: Verdict;
  readonly text: string;
}

export interface ImportQuestion {
  readonly store: Store;
  /** The id of the store that it lies in. */
  readonly repository: string;
  readonly judge: Pick<Judge, 'verdict'>;
  readonly forks: Forks;
}

/** Verifies an import; whatever is wrong with it is in the result. */
export async function verifyImport(
  { store, judge, forks, repository }: ImportQuestion,
  place: ShelvedPlace,
): Promise<VerifiedSnapshot> {
  const about = { id: place.id, commit: place.commit, foreign: true } as const;
  const snapshot = await orError(() => loadShelved(store, place));
  if (snapshot instanceof ContextError) {
    const checks = [check('content', [bundleFinding(snapshot)], '')];
    return { ...about, timeline: '', verdict: verdictOf(checks), checks };
  }
  const { body } = snapshot;
  const problem = await shelvedProblem(store, snapshot);
  const isHere = place.ref.startsWith(REMOTES) && place.ref.includes(`/${keyOf(body.signer)}/`);
  const misplaced: BundleFinding = { verdict: 'wrong_place', text: `it lies among the snapshots of another signer` };
  const withheld = withheldSlices(snapshot);
  const left = withheld.length === 0 ? '' : `; withheld, in whole or in part: ${withheld.join(', ')}`;
  const parents = body.parents.length === 0 ? 'it is the first of its timeline' : 'its parents are not part of it';
  const checks = [
    check('content', [], `the stored bytes are canonical and have the id ${shortId(place.id)}`),
    signatureCheck(judge.verdict(snapshot), snapshot),
    check(
      'slices',
      problem === undefined ? [] : [problem],
      `what is there has the digests that the body names, to the last byte${left}`,
    ),
    check('place', isHere ? [] : [misplaced], 'it was imported from others'),
    check('chain', body.repository === repository ? forks.of(placeOf(snapshot)) : [], parents),
  ];
  return { ...about, timeline: body.timeline, sequence: body.sequence, verdict: verdictOf(checks), checks };
}

function keyOf(signer: string): string {
  return signer === '' ? '' : keyDigits(signer);
}

/** Returns what is wrong with it, or undefined where all of it holds. */
async function shelvedProblem(store: Store, snapshot: ShelvedSnapshot): Promise<BundleFinding | undefined> {
  try {
    const { index, items } = await shelvedBundle(store, snapshot);
    await inspectBundle(writeBundle(store, [index], items));
    return undefined;
  } catch (error) {
    return bundleFinding(error);
  }
}

/** Returns what an error of reading a bundle says of it. Other errors are thrown again. */
export function bundleFinding(error: unknown): BundleFinding {
  if (!(error instanceof ContextError)) throw error;
  const { code, data } = error;
  const plain = typeof data['reason'] === 'string' && code === 'bundle_refused' ? data['reason'] : clauseOf(error);
  if (code === 'bundle_refused')
    return { verdict: (data['verdict'] as Verdict | undefined) ?? 'not_canonical', text: plain };
  if (code === 'format_version_unsupported') return { verdict: 'too_new', text: plain };
  if (code === 'object_missing') return { verdict: 'missing_object', text: plain };
  if (code === 'digest_mismatch') return { verdict: 'digest_mismatch', text: plain };
  if (code === 'format_unreadable' || code === 'bundle_unknown') return { verdict: 'not_canonical', text: plain };
  // Two imports that each hold, put together, may not be what one bundle can be.
  if (code === 'invariant_broken') return { verdict: 'unexpected_entry', text: plain };
  throw error;
}

interface Folder {
  readonly index: BundledSnapshot;
  readonly items: readonly BundleItem[];
}

/** Returns the bundle that the folder is. @throws bundle_refused where it cannot be one; object_missing */
export async function shelvedBundle(store: Store, snapshot: ShelvedSnapshot): Promise<Folder> {
  const { id, body, entries, foreign } = snapshot;
  const files = await storedFiles(store, snapshot);
  const leaves: Leaf[] = [
    ...(await readLeaves(
      store,
      files.filter(({ path }) => isOfSlice(path)),
    )),
    ...foreign.withheld,
  ];
  // Lists of items: as arguments of `push`, those of a large slice would be too many.
  const all: (readonly BundleItem[])[] = [await headItems(store, snapshot)];
  const names: string[] = [];
  for (const { name } of body.slices) {
    const file = leaves.find(({ path }) => path === `${name}.json`);
    const own = leaves.filter(({ path }) => path.startsWith(`${name}/`));
    if (file?.blob !== undefined) {
      all.push([{ path: bundlePath(id, file.path), bytes: file.bytes, content: { blob: file.blob } }]);
    } else if (own.length > 0) all.push(orderFolder(id, name, own).items);
    else continue;
    names.push(name);
  }
  const proven = await provenItems(store, snapshot, files);
  const items = [...all, proven.items].flat();
  const known = new Set([...items.map(({ path }) => path), bundlePath(id, WITHHELD_FILE)]);
  const stray = files.find(({ path }) => !known.has(bundlePath(id, path)));
  const odd = [...entries.values()].find(({ mode }) => mode !== '100644' && mode !== '040000');
  if (stray !== undefined || odd !== undefined) {
    throw refusal('unexpected_entry', `${shown(stray?.path ?? odd?.name ?? '')} is in its folder and in no slice`);
  }
  return {
    index: { id, slices: names, withheld: foreign.withheld.map(({ path }) => path), files: proven.files },
    items,
  };
}

async function storedFiles(store: Store, { entries }: ShelvedSnapshot) {
  const files: { path: string; blob: ObjectId; mode: string }[] = [];
  for (const { name, mode, id } of entries.values()) {
    if (mode !== '040000') files.push({ path: name, blob: id, mode });
    else {
      for (const file of await listFolder((tree) => store.tree(tree), id)) {
        const path = text(Buffer.from(`${name}/${file.path}`, 'latin1'));
        const executable = file.mode === '100755' && name === WORKTREE_FOLDER;
        if (file.mode !== '100644' && !executable)
          throw refusal('unexpected_entry', `${shown(path)} has the mode ${file.mode}`);
        files.push({ path, blob: file.id, mode: file.mode });
      }
    }
  }
  return files;
}

function isOfSlice(path: string): boolean {
  const [top = ''] = path.split('/');
  return ![BODY_FILE, SIGNATURE_FILE, WITHHELD_FILE, WORKTREE_FOLDER, PROOF_FOLDER].includes(top);
}

async function provenItems(
  store: Store,
  { id, body }: ShelvedSnapshot,
  files: readonly { readonly path: string; readonly blob: ObjectId }[],
) {
  const blobs = new Map(files.map(({ path, blob }) => [path, blob]));
  const prefix = `${WORKTREE_FOLDER}/`;
  const names = files.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length));
  const slice = body.slices.find(({ name }) => name === WORKTREE_FOLDER);
  const proof = await proveFiles({
    id,
    format: slice?.algorithm === 'git-sha256' ? 'sha256' : 'sha1',
    root: slice?.digest ?? '',
    files: [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    tree: async (tree) => {
      const blob = blobs.get(`${PROOF_FOLDER}/${tree}`);
      return blob === undefined ? undefined : store.read(blob, 'blob');
    },
    file: async (path) => {
      const blob = blobs.get(prefix + path);
      const [info] = blob === undefined ? [] : await store.info([blob]);
      return blob !== undefined && info !== undefined ? { blob, bytes: info.size } : undefined;
    },
  });
  const [problem] = proof.problems;
  if (problem !== undefined) throw refusal('missing_object', `nothing proves the file ${shown(problem.path)}`);
  return { items: proof.items, files: names };
}
