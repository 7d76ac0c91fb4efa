/** Reads one slice of a bundle: a file, or a folder whose manifests come before what they name. */
import { blake3, blake3Hasher } from '../../format/digest.js';
import { parseManifest, type ManifestLine } from '../../format/manifest.js';
import { bundlePath, foldedPath, MANIFEST_FILE, sliceNameHazard } from '../../format/v1/bundle.js';
import type { Slice } from '../../model/snapshot.js';
import type { Reading } from './reading.js';
import { refusal, shown } from './refusal.js';

export interface SliceTask {
  readonly slice: Slice;
  /** Paths that the index withholds and that were not met yet. */
  readonly left: Set<string>;
  readonly seen: { files: number };
}

/** @throws bundle_refused */
export async function readSlice(reading: Reading, task: SliceTask): Promise<void> {
  const { slice } = task;
  const { archive, snapshot } = reading;
  const file = `${slice.name}.json`;
  const next = await archive.peek();
  if (next?.path === bundlePath(snapshot.id, file)) {
    if (slice.parts !== 1) throw refusal('digest_mismatch', `the slice ${slice.name} is one file`);
    await readFile(reading, task, { path: file, line: { name: file, digest: slice.digest, bytes: slice.bytes } });
    return;
  }
  const line = { name: slice.name, digest: slice.digest, bytes: slice.bytes };
  const parts = await readFolder(reading, task, { path: slice.name, line });
  if (parts !== slice.parts) {
    throw refusal('digest_mismatch', `the slice ${slice.name} does not have as many files as the body says`);
  }
}

/** A file or folder, and what the manifest above it says of it. */
interface Named {
  readonly path: string;
  readonly line: ManifestLine;
}

/** Returns how many files the folder has, those that are withheld included. */
async function readFolder(reading: Reading, task: SliceTask, { path, line }: Named): Promise<number> {
  const { archive, limits, snapshot, taker } = reading;
  if (path.split('/').length > limits.depth) throw refusal('unexpected_entry', 'its folders are nested too deep');
  const manifest = await archive.whole(bundlePath(snapshot.id, `${path}/${MANIFEST_FILE}`), limits.manifestBytes);
  if (blake3(manifest) !== line.digest) {
    throw refusal('digest_mismatch', `the folder ${shown(path)} does not have the digest that is named for it`);
  }
  const lines = parseManifest(manifest);
  demandNames(path, lines);
  if (lines.reduce((sum, { bytes }) => sum + bytes, 0) !== line.bytes) {
    throw refusal('digest_mismatch', `the folder ${shown(path)} does not have the size that is named for it`);
  }
  let parts = 0;
  for (const inner of lines) {
    const named = { path: `${path}/${inner.name}`, line: inner };
    if (task.left.delete(named.path)) {
      await taker.withheld(snapshot, { path: named.path, digest: inner.digest, bytes: inner.bytes });
      parts += 1;
      continue;
    }
    const next = await archive.peek();
    const isFolder = next?.path === bundlePath(snapshot.id, `${named.path}/${MANIFEST_FILE}`);
    if (!isFolder) await readFile(reading, task, named);
    parts += isFolder ? await readFolder(reading, task, named) : 1;
  }
  return parts;
}

async function readFile({ archive, limits, snapshot, taker }: Reading, task: SliceTask, named: Named): Promise<void> {
  const { path, line } = named;
  const bytes = await archive.expect(bundlePath(snapshot.id, path));
  if (bytes !== line.bytes) {
    throw refusal('digest_mismatch', `${shown(path)} does not have the size that is named for it`);
  }
  task.seen.files += 1;
  if (task.seen.files > limits.files)
    throw refusal('unexpected_entry', `it has more than ${String(limits.files)} files`);
  const content = checked(archive.content(), named);
  await taker.file({ snapshot, path, bytes, mode: '100644', content });
}

/** Up to this size a file is checked before any of it is handed on; its digest at once is also several times quicker. */
const WHOLE_BYTES = 1024 * 1024;

async function* checked(content: AsyncIterable<Uint8Array>, { path, line }: Named): AsyncGenerator<Uint8Array> {
  const demand = (digest: string): void => {
    if (digest === line.digest) return;
    throw refusal('digest_mismatch', `${shown(path)} does not have the digest that is named for it`);
  };
  if (line.bytes <= WHOLE_BYTES) {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    demand(blake3(bytes));
    yield bytes;
    return;
  }
  const digest = blake3Hasher();
  for await (const piece of content) {
    digest.update(piece);
    yield piece;
  }
  demand(digest.hex());
}

function demandNames(folder: string, lines: readonly ManifestLine[]): void {
  const folded = new Set<string>();
  for (const { name } of lines) {
    const reason = sliceNameHazard(name) ?? (folded.has(foldedPath(name)) ? 'it stands there twice' : undefined);
    if (reason !== undefined) {
      throw refusal('unexpected_entry', `${shown(`${folder}/${name}`)} cannot be the name of a file: ${reason}`);
    }
    folded.add(foldedPath(name));
  }
}
