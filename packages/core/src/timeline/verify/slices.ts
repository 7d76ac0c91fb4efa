/** Checks that the tree of a snapshot holds exactly what its body names: each slice's digest, and nothing else. */
import { BODY_FILE, INDEX_FILE, INDEX_FOLDER, SIGNATURE_FILE } from '../../format/v1/layout.js';
import { ContextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import { folderDigest } from '../../format/manifest.js';
import { decodeStaged } from '../../format/v1/records.js';
import type { Slice, SnapshotBody } from '../../model/snapshot.js';
import { emptyTreeId } from '../../model/tree/object-id.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { TreeEntry } from '../../model/tree/tree.js';
import type { CheckedObjects, Finding } from './objects.js';

export interface SliceQuestion {
  readonly objects: CheckedObjects;
  readonly objectFormat: ObjectFormat;
  readonly body: SnapshotBody;
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

/** Returns what is wrong with the slices; nothing if all is well. */
export async function checkSlices(question: SliceQuestion): Promise<readonly Finding[]> {
  const { body } = question;
  const findings: Finding[] = unexpectedEntries(question);
  for (const slice of body.slices) {
    findings.push(...(slice.algorithm === 'blake3' ? await digested(question, slice) : await gitTree(question, slice)));
  }
  return findings;
}

function finding(verdict: Finding['verdict'], text: string): Finding {
  return { verdict, text };
}

function unexpectedEntries({ body, entries }: SliceQuestion): Finding[] {
  const names = new Set([BODY_FILE, ...(body.signer === '' ? [] : [SIGNATURE_FILE])]);
  for (const { name, algorithm } of body.slices) {
    const file = `${name}.json`;
    const both = name === INDEX_FOLDER;
    if (algorithm === 'blake3' && entries.has(file)) names.add(file);
    if (algorithm !== 'blake3' || both || !entries.has(file)) names.add(name);
  }
  return [...entries.values()].flatMap(({ name, mode }) => {
    if (!names.has(name)) return [finding('unexpected_entry', `${name} is in the tree and in no slice`)];
    const expected = name.endsWith('.json') ? '100644' : '040000';
    return mode === expected ? [] : [finding('unexpected_entry', `${name} has the mode ${mode}`)];
  });
}

async function gitTree({ objects, objectFormat, entries }: SliceQuestion, slice: Slice): Promise<readonly Finding[]> {
  const { name, algorithm, digest } = slice;
  if (algorithm !== `git-${objectFormat}`) {
    return [finding('digest_mismatch', `the slice ${name} has a ${algorithm} digest, which this store cannot hold`)];
  }
  const entry = entries.get(name);
  if (entry === undefined) {
    if (digest === emptyTreeId(objectFormat)) return [];
    return [finding('missing_object', `the folder ${name}/ is gone`)];
  }
  if (entry.id !== digest)
    return [finding('digest_mismatch', `the folder ${name}/ is not the one that the body names`)];
  return objects.below(entry.id, name);
}

async function digested(question: SliceQuestion, slice: Slice): Promise<readonly Finding[]> {
  const { objects, entries } = question;
  const file = entries.get(`${slice.name}.json`);
  const path = `${slice.name}.json`;
  if (file === undefined && path === INDEX_FILE) return [finding('missing_object', `${path} is gone`)];
  if (file === undefined) return digestedFolder(question, slice);
  const { bytes, finding: problem } = await objects.bytes(file.id, 'blob', path);
  if (bytes === undefined) return problem === undefined ? [] : [problem];
  if (blake3(bytes) !== slice.digest)
    return [finding('digest_mismatch', `${path} does not have the digest that the body names`)];
  if (path === INDEX_FILE) return stagedTree(question, bytes);
  const right = slice.bytes === bytes.length && slice.parts === 1;
  return right ? [] : [finding('digest_mismatch', `${path} does not have the size that the body names`)];
}

async function digestedFolder({ objects, entries }: SliceQuestion, slice: Slice): Promise<readonly Finding[]> {
  const { name } = slice;
  const entry = entries.get(name);
  const found = entry === undefined ? { ...folderDigest([]), findings: [] } : await objects.folder(entry.id, name);
  if (entry === undefined && found.digest !== slice.digest)
    return [finding('missing_object', `the slice ${name} is gone`)];
  const same = found.digest === slice.digest && found.bytes === slice.bytes && found.parts === slice.parts;
  if (same || found.findings.some(({ verdict }) => verdict === 'missing_object')) return found.findings;
  return [
    ...found.findings,
    finding('digest_mismatch', `the folder ${name}/ does not have the digest that the body names`),
  ];
}

// `index.json` is what is signed; it names the tree, so the folder is covered through it.
async function stagedTree(
  { objects, objectFormat, entries }: SliceQuestion,
  bytes: Uint8Array,
): Promise<readonly Finding[]> {
  const folder = entries.get(INDEX_FOLDER);
  const present = folder?.id ?? emptyTreeId(objectFormat);
  let named: string;
  try {
    named = decodeStaged(bytes).tree;
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return [finding('not_canonical', `${INDEX_FILE} cannot be read: ${String(error.data['reason'])}`)];
  }
  if (folder === undefined && named !== present)
    return [finding('missing_object', `the folder ${INDEX_FOLDER}/ is gone`)];
  if (named !== present)
    return [finding('digest_mismatch', `${INDEX_FOLDER}/ is not the tree that ${INDEX_FILE} names`)];
  return folder === undefined ? [] : objects.below(folder.id, INDEX_FOLDER);
}
