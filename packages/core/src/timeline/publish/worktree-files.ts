/** Files of the worktree that were named: each with the git trees that prove it, and each through the gate. */
import { compareUtf8, text } from '../../base/bytes.js';
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { bundlePath, PROOF_FOLDER, foldedPath, spelledTwice, worktreePathHazard } from '../../format/v1/bundle.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { ObjectId } from '../../model/tree/tree.js';
import { parseTree } from '../../store/git-objects.js';
import { proveFiles, type Proven } from '../bundle/prove.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { noSuchFile } from '../snapshot/left-out.js';
import { findWorktreeFile } from '../snapshot/slices.js';
import { SEARCH, secretIn, sliceGate } from './gate.js';
import { readLeaves } from './leaves.js';
import type { Leaving, LeavingBlob, PlanPart, PublishChoice, Withheld } from './publication.js';

/** @throws path_not_found; path_left_out; path_refused; gate_failed; object_missing */
export async function planFiles(choice: PublishChoice): Promise<PlanPart> {
  const { snapshot } = choice;
  const wanted = [...new Set(choice.files)].sort(compareUtf8);
  if (wanted.length === 0) return { names: [], items: [], blobs: [], files: [], withheld: [] };
  demandPaths(wanted);
  const withheld: Withheld[] = [];
  const clean: string[] = [];
  for (const path of wanted) {
    const kind = await searchFile(choice, path);
    if (kind === undefined) clean.push(path);
    else withheld.push({ path: `${WORKTREE_FOLDER}/${path}`, reason: 'secret', kind });
  }
  const { names, items } = await withoutSecretNames(choice, clean, withheld);
  const prefix = bundlePath(snapshot.id, '').length;
  const files = items.map(({ path, bytes }): Leaving => {
    const own = path.slice(prefix);
    return { path: own, slice: own.startsWith(`${PROOF_FOLDER}/`) ? PROOF_FOLDER : WORKTREE_FOLDER, bytes };
  });
  const blobs = items.map(({ path, content, mode }): LeavingBlob => ({
    path: path.slice(prefix),
    mode: mode ?? '100644',
    content,
  }));
  return { names, items, blobs, files, withheld };
}

function demandPaths(paths: readonly string[]): void {
  for (const path of paths) {
    const reason = worktreePathHazard(path);
    if (reason !== undefined) throw contextError('path_refused', { path: JSON.stringify(path), reason });
  }
  const folded = new Set(paths.map(foldedPath));
  if (folded.size < paths.length || spelledTwice(paths)) {
    const reason = 'some systems cannot tell it from another path that was named';
    throw contextError('path_refused', { path: JSON.stringify(paths[0]), reason });
  }
}

async function searchFile(
  { store, snapshot, search = SEARCH }: PublishChoice,
  path: string,
): Promise<string | undefined> {
  const bytePath = Buffer.from(path, 'utf8').toString('latin1');
  const found = await findWorktreeFile(store, snapshot, bytePath);
  if (found === undefined) throw await noSuchFile(store, snapshot, path);
  const gate = sliceGate(search);
  await readLeaves(store, [{ path: `${WORKTREE_FOLDER}/${path}`, blob: found.blob }], gate);
  return gate.end()[0]?.kind ?? secretIn(path, search);
}

/** A tree names all files of its folder: where one of these names holds a secret, what is in the folder stays here. */
async function withoutSecretNames(
  choice: PublishChoice,
  paths: readonly string[],
  withheld: Withheld[],
): Promise<{ readonly names: readonly string[]; readonly items: Proven['items'] }> {
  const names: string[] = [];
  for (const path of paths) {
    const { items } = await prove(choice, [path]);
    const kind = secretInTrees(choice, items);
    if (kind === undefined) names.push(path);
    else withheld.push({ path: `${WORKTREE_FOLDER}/${path}`, reason: 'secret', kind });
  }
  return { names, items: (await prove(choice, names)).items };
}

function secretInTrees({ snapshot, search = SEARCH }: PublishChoice, items: Proven['items']): string | undefined {
  for (const { path, content } of items) {
    if (!(content instanceof Uint8Array)) continue;
    const id = path.slice(path.lastIndexOf('/') + 1);
    for (const { name } of parseTree(formatOf(snapshot), content, id)) {
      const kind = secretIn(text(Buffer.from(name, 'latin1')), search);
      if (kind !== undefined) return kind;
    }
  }
  return undefined;
}

async function prove({ store, snapshot }: PublishChoice, files: readonly string[]): Promise<Proven> {
  const proof = await proveFiles({
    id: snapshot.id,
    format: formatOf(snapshot),
    root: rootOf(snapshot),
    files,
    tree: (id) => store.read(id, 'tree'),
    file: async (_, { id }) => {
      const [info] = await store.info([id]);
      return info?.type === 'blob' ? { blob: id, bytes: info.size } : undefined;
    },
  });
  const [problem] = proof.problems;
  if (problem === undefined) return proof;
  if (problem.reason === 'missing') {
    throw contextError('path_not_found', { snapshot: shortId(snapshot.id), path: problem.path });
  }
  throw contextError('path_refused', { path: JSON.stringify(problem.path), reason: 'it is not a regular file' });
}

function worktreeSlice({ body }: LoadedSnapshot) {
  return body.slices.find(({ name }) => name === WORKTREE_FOLDER);
}

function rootOf(snapshot: LoadedSnapshot): ObjectId {
  return worktreeSlice(snapshot)?.digest ?? '';
}

function formatOf(snapshot: LoadedSnapshot): 'sha1' | 'sha256' {
  return worktreeSlice(snapshot)?.algorithm === 'git-sha256' ? 'sha256' : 'sha1';
}
