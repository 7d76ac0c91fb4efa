/** Reads the files of the worktree that a bundle holds, with the git trees that lead to them from the digest in the body. */
import { bytePath } from '../../base/path.js';
import { bundlePath, PROOF_FOLDER } from '../../format/v1/bundle.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { objectHash, objectId } from '../../model/tree/object-id.js';
import type { ObjectId, TreeEntry } from '../../model/tree/tree.js';
import { parseTree } from '../../store/git-objects.js';
import { groupByFirst } from './path-groups.js';
import type { Reading } from './reading.js';
import { refusal, shown } from './refusal.js';

/** @throws bundle_refused */
export async function readProven(reading: Reading): Promise<void> {
  const { body, index } = reading.snapshot;
  if (index.files.length === 0) return;
  const slice = body.slices.find(({ name }) => name === WORKTREE_FOLDER);
  const format = slice?.algorithm === 'git-sha1' ? 'sha1' : slice?.algorithm === 'git-sha256' ? 'sha256' : undefined;
  if (slice === undefined || format === undefined) {
    throw refusal('unexpected_entry', 'it has files of a worktree that its snapshot does not have');
  }
  const trees = new Map<ObjectId, readonly TreeEntry[]>();
  await readBelow({ ...reading, format, trees }, { tree: slice.digest, folder: '', files: index.files });
}

interface Proving extends Reading {
  readonly format: ObjectFormat;
  /** Each stands in the bundle once, however often it is met. */
  readonly trees: Map<ObjectId, readonly TreeEntry[]>;
}

interface Below {
  readonly tree: ObjectId;
  /** Empty, or with a slash at its end. */
  readonly folder: string;
  /** Paths below the folder. */
  readonly files: readonly string[];
}

async function readBelow(proving: Proving, { tree, folder, files }: Below): Promise<void> {
  const entries = await readTree(proving, tree);
  for (const { name, below, isFile } of groupByFirst(files)) {
    const path = folder + name;
    const entry = entries.find((one) => one.name === bytePath(name));
    if (entry === undefined) throw refusal('missing_object', `the snapshot has no file ${shown(path)}`);
    if (isFile) await readFile(proving, path, entry);
    if (below.length === 0) continue;
    if (entry.mode !== '040000' || isFile) throw refusal('unexpected_entry', `${shown(path)} is no folder`);
    await readBelow(proving, { tree: entry.id, folder: `${path}/`, files: below });
  }
}

async function readTree(proving: Proving, id: ObjectId): Promise<readonly TreeEntry[]> {
  const known = proving.trees.get(id);
  if (known !== undefined) return known;
  const { archive, format, limits, snapshot, taker } = proving;
  const path = `${PROOF_FOLDER}/${id}`;
  const bytes = await archive.whole(bundlePath(snapshot.id, path), limits.treeBytes);
  if (objectId(format, 'tree', bytes) !== id) throw refusal('digest_mismatch', `${path} does not have that id`);
  const entries = parseTree(format, bytes, id);
  proving.trees.set(id, entries);
  await taker.file({ snapshot, path, bytes: bytes.length, mode: '100644', content: once(bytes) });
  return entries;
}

async function readFile(proving: Proving, path: string, { mode, id }: TreeEntry): Promise<void> {
  const { archive, format, snapshot, taker } = proving;
  if (mode !== '100644' && mode !== '100755') {
    throw refusal('unexpected_entry', `${shown(path)} is not a regular file`);
  }
  const inBundle = `${WORKTREE_FOLDER}/${path}`;
  const bytes = await archive.expect(bundlePath(snapshot.id, inBundle));
  const hash = objectHash(format, 'blob', bytes);
  const content = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of archive.content()) {
      hash.update(piece);
      yield piece;
    }
    if (hash.digest('hex') !== id) throw refusal('digest_mismatch', `${shown(path)} does not have the id ${id}`);
  };
  await taker.file({ snapshot, path: inBundle, bytes, mode, content: content() });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
