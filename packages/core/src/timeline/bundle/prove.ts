/** Puts files of a worktree in the order of a bundle, each after the git trees that lead to it. */
import { bytePath } from '../../base/path.js';
import { bundlePath, PROOF_FOLDER } from '../../format/v1/bundle.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { ObjectId, TreeEntry } from '../../model/tree/tree.js';
import { parseTree } from '../../store/git-objects.js';
import { groupByFirst } from './path-groups.js';
import type { BundleItem } from './write.js';

export interface WorktreeProof {
  readonly id: SnapshotId;
  /** Of the worktree's slice. */
  readonly format: ObjectFormat;
  readonly root: ObjectId;
  /** Paths, in byte order. */
  readonly files: readonly string[];
  /** Returns the bytes of a tree, or undefined where it is not there. */
  readonly tree: (id: ObjectId) => Promise<Uint8Array | undefined>;
  /** Returns where the bytes of a file lie, or undefined where they do not. */
  readonly file: (path: string, entry: TreeEntry) => Promise<ProvenFile | undefined>;
}

export interface ProvenFile {
  readonly blob: ObjectId;
  readonly bytes: number;
}

/** A file that cannot be proven: it is not there, or no regular file. */
export interface Unprovable {
  readonly path: string;
  readonly reason: 'missing' | 'not_a_file';
}

export interface Proven {
  readonly items: readonly BundleItem[];
  readonly problems: readonly Unprovable[];
}

/** Returns the items, and what is wrong with the files that have none. */
export async function proveFiles(proof: WorktreeProof): Promise<Proven> {
  const items: BundleItem[] = [];
  const problems: Unprovable[] = [];
  if (proof.files.length > 0) {
    const walk = { proof, items, problems, sent: new Set<ObjectId>() };
    await proveBelow(walk, { tree: proof.root, folder: '', files: proof.files });
  }
  return { items, problems };
}

interface Walk {
  readonly proof: WorktreeProof;
  readonly items: BundleItem[];
  readonly problems: Unprovable[];
  readonly sent: Set<ObjectId>;
}

interface Below {
  readonly tree: ObjectId;
  readonly folder: string;
  readonly files: readonly string[];
}

async function proveBelow(walk: Walk, { tree, folder, files }: Below): Promise<void> {
  const { proof, items, problems, sent } = walk;
  const bytes = await proof.tree(tree);
  if (bytes === undefined) {
    for (const path of files) problems.push({ path: folder + path, reason: 'missing' });
    return;
  }
  if (!sent.has(tree)) {
    sent.add(tree);
    items.push({ path: bundlePath(proof.id, `${PROOF_FOLDER}/${tree}`), bytes: bytes.length, content: bytes });
  }
  const entries = parseTree(proof.format, bytes, tree);
  for (const { name, isFile, below } of groupByFirst(files)) {
    const path = folder + name;
    const entry = entries.find((one) => one.name === bytePath(name));
    if (isFile) await proveFile(walk, path, entry);
    if (below.length === 0) continue;
    if (entry?.mode === '040000') await proveBelow(walk, { tree: entry.id, folder: `${path}/`, files: below });
    else for (const rest of below) problems.push({ path: `${path}/${rest}`, reason: 'missing' });
  }
}

async function proveFile({ proof, items, problems }: Walk, path: string, entry: TreeEntry | undefined): Promise<void> {
  const isRegular = entry?.mode === '100644' || entry?.mode === '100755';
  const found = isRegular ? await proof.file(path, entry) : undefined;
  if (found === undefined) {
    problems.push({ path, reason: entry === undefined || isRegular ? 'missing' : 'not_a_file' });
    return;
  }
  const { blob, bytes } = found;
  const mode = entry?.mode === '100755' ? { mode: entry.mode } : {};
  items.push({ path: bundlePath(proof.id, `${WORKTREE_FOLDER}/${path}`), bytes, content: { blob }, ...mode });
}
