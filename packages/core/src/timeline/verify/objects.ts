/** Reads objects and demands that they hash to the id they were asked by: a store may have been tampered with in place. */
import { ContextError } from '../../base/errors.js';
import type { BytePath } from '../../base/path.js';
import { blake3Hasher } from '../../format/digest.js';
import { folderDigest, type FolderDigest } from '../../format/manifest.js';
import { objectHash, objectId } from '../../model/tree/object-id.js';
import type { Verdict } from '../../model/verdict.js';
import type { ObjectId, ObjectType, TreeEntry } from '../../model/tree/tree.js';
import { parseTree } from '../../store/git-objects.js';
import type { Store } from '../../store/store.js';

/** One thing that is wrong, as a sentence without its period. */
export interface Finding {
  readonly verdict: Verdict;
  readonly text: string;
}

export interface CheckedBytes {
  readonly bytes?: Uint8Array;
  readonly finding?: Finding;
}

export interface CheckedFolder extends FolderDigest {
  readonly findings: readonly Finding[];
}

/** Everything is read once, however many snapshots share it; its findings are given to each of them. */
export interface CheckedObjects {
  bytes(id: ObjectId, type: ObjectType, name: string): Promise<CheckedBytes>;
  /** Looks at every tree below one, and at every file: that it is there, or with `deep` its bytes. */
  below(tree: ObjectId, name: string): Promise<readonly Finding[]>;
  /** The manifest digest of a folder, from the bytes of all its files. */
  folder(tree: ObjectId, name: string): Promise<CheckedFolder>;
}

const missing = (name: string, id: ObjectId): Finding => ({
  verdict: 'missing_object',
  text: `${name} (${id}) is not in the store`,
});
const changed = (name: string, id: ObjectId): Finding => ({
  verdict: 'digest_mismatch',
  text: `${name} was changed in the store: its bytes do not have the id ${id}`,
});

/** As many findings are passed on for a folder; more would only repeat them. */
const FINDINGS = 20;

export function checkedObjects(store: Store, deep: boolean): CheckedObjects {
  const blobs = new Map<ObjectId, Promise<CheckedBlob>>();
  const belows = new Map<ObjectId, Promise<readonly Finding[]>>();
  const folders = new Map<ObjectId, Promise<CheckedFolder>>();
  const present = new Map<ObjectId, boolean>();

  async function bytes(id: ObjectId, type: ObjectType, name: string): Promise<CheckedBytes> {
    const found = await readOrDamaged(() => store.read(id, type));
    if (found === 'damaged') return { finding: changed(name, id) };
    if (found === undefined) return { finding: missing(name, id) };
    return objectId(store.objectFormat, type, found) === id ? { bytes: found } : { finding: changed(name, id) };
  }

  async function tree(
    id: ObjectId,
    name: string,
  ): Promise<{ entries: readonly TreeEntry[]; findings: readonly Finding[] }> {
    const read = await bytes(id, 'tree', name);
    if (read.bytes === undefined) return { entries: [], findings: read.finding === undefined ? [] : [read.finding] };
    return { entries: parseTree(store.objectFormat, read.bytes, id), findings: [] };
  }

  function blob(id: ObjectId): Promise<CheckedBlob> {
    return remembered(blobs, id, () => checkBlob(store, id));
  }

  function below(id: ObjectId, name: string): Promise<readonly Finding[]> {
    return remembered(belows, id, async () => {
      const { entries, findings } = await tree(id, name);
      const files = entries.filter(({ mode }) => mode !== '040000' && mode !== '160000');
      const inFiles = deep ? await inTurn(files, (file) => inBlob(file, name)) : await absent(files, name);
      const directories = entries.filter(({ mode }) => mode === '040000');
      const inDirectories = await inTurn(directories, (entry) => below(entry.id, `${name}/${display(entry.name)}`));
      return [...findings, ...inFiles, ...inDirectories].slice(0, FINDINGS);
    });
  }

  async function inBlob({ id, name }: TreeEntry, folder: string): Promise<readonly Finding[]> {
    const { state } = await blob(id);
    return state === 'good' ? [] : [(state === 'missing' ? missing : changed)(`${folder}/${display(name)}`, id)];
  }

  async function absent(files: readonly TreeEntry[], folder: string): Promise<readonly Finding[]> {
    const ids = [...new Set(files.map(({ id }) => id))].filter((id) => !present.has(id));
    const infos = await store.info(ids);
    ids.forEach((id, index) => present.set(id, infos[index]?.type === 'blob'));
    return files
      .filter(({ id }) => present.get(id) !== true)
      .map(({ id, name }) => missing(`${folder}/${display(name)}`, id));
  }

  function folder(id: ObjectId, name: string): Promise<CheckedFolder> {
    return remembered(folders, id, async () => {
      const { entries, findings } = await tree(id, name);
      const inside = await inTurn(entries, async (entry) => [
        await folderEntry(entry, `${name}/${display(entry.name)}`),
      ]);
      const digest = digestOf(inside.map(({ entry }) => entry));
      const all = [
        ...findings,
        ...inside.flatMap((one) => one.findings),
        ...(digest === undefined ? [badName(name)] : []),
      ];
      return { ...(digest ?? { digest: '', bytes: 0, parts: 0 }), findings: all.slice(0, FINDINGS) };
    });
  }

  async function folderEntry({ mode, name, id }: TreeEntry, path: string) {
    if (mode === '040000') {
      const inner = await folder(id, path);
      return { entry: { ...inner, name }, findings: inner.findings };
    }
    const { state, digest, size } = await blob(id);
    const findings: Finding[] = [];
    if (state !== 'good') findings.push((state === 'missing' ? missing : changed)(path, id));
    // The manifest says nothing of modes, so there is only one.
    if (mode !== '100644') findings.push({ verdict: 'unexpected_entry', text: `${path} has the mode ${mode}` });
    return { entry: { name, digest, bytes: size, parts: 1 }, findings };
  }

  return { bytes, below, folder };
}

function badName(folder: string): Finding {
  return { verdict: 'unexpected_entry', text: `${folder} holds a name that no snapshot has` };
}

function digestOf(entries: Parameters<typeof folderDigest>[0]): FolderDigest | undefined {
  try {
    return folderDigest(entries);
  } catch (error) {
    if (error instanceof ContextError) return undefined;
    throw error;
  }
}

function remembered<T>(known: Map<ObjectId, Promise<T>>, id: ObjectId, make: () => Promise<T>): Promise<T> {
  const found = known.get(id) ?? make();
  known.set(id, found);
  return found;
}

/** Reads a few at a time, so that memory stays small whatever the folder holds. */
async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<readonly R[]>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < all.length; at += 8)
    for (const found of await Promise.all(all.slice(at, at + 8).map(work))) for (const one of found) results.push(one);
  return results;
}

interface CheckedBlob {
  readonly state: 'good' | 'missing' | 'changed';
  /** BLAKE3 of the bytes that are there. */
  readonly digest: string;
  readonly size: number;
}

async function checkBlob(store: Store, id: ObjectId): Promise<CheckedBlob> {
  const [info] = await store.info([id]);
  if (info?.type !== 'blob') return { state: 'missing', digest: '', size: 0 };
  const [git, blake] = [objectHash(store.objectFormat, 'blob', info.size), blake3Hasher()];
  let size = 0;
  const read = await readOrDamaged(async () => {
    for await (const piece of store.stream(id)) {
      git.update(piece);
      blake.update(piece);
      size += piece.length;
    }
  });
  const good = read !== 'damaged' && git.digest('hex') === id;
  return { state: good ? 'good' : 'changed', digest: blake.hex(), size };
}

// Damaged bytes make some stores fail where others give the bytes; both mean the same.
async function readOrDamaged<T>(read: () => Promise<T>): Promise<T | 'damaged'> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ContextError && (error.kind === 'corrupt' || error.kind === 'internal')) return 'damaged';
    throw error;
  }
}

/** A name for people: bytes that are not printable ASCII are shown as `?`. */
function display(name: BytePath): string {
  return name.replace(/[^\x20-\x7e]/g, '?');
}
