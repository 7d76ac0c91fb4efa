/** Makes, takes apart and puts together bundles, honest ones and others. */
import { ContextError } from '../../../src/base/errors.js';
import { canonicalJson } from '../../../src/format/canonical-json.js';
import { blake3 } from '../../../src/format/digest.js';
import { BLOCK_BYTES, paddingBytes, readUstarHeader, ustarHeader } from '../../../src/format/ustar.js';
import { importBundle, type ImportResult } from '../../../src/ops/share/import.js';
import { publish, type PublishRequest, type PublishResult } from '../../../src/ops/share/publish.js';
import { loadShelved, REMOTES, shelvedPlaces } from '../../../src/timeline/shelf/shelf.js';
import { shelvedBundle } from '../../../src/timeline/shelf/verify.js';
import { writeBundle } from '../../../src/timeline/bundle/write.js';
import type { World } from '../world.js';

export interface Published {
  readonly bytes: Buffer;
  readonly result: PublishResult;
}

/** Publishes into memory. */
export async function publishBytes(world: World, request: Partial<PublishRequest> = {}): Promise<Published> {
  const pieces: Uint8Array[] = [];
  let kept = false;
  const result = await publish({
    repository: world.repository,
    output: () => ({
      write: async (all) => {
        for await (const piece of all) pieces.push(Uint8Array.from(piece));
      },
      finish: async () => void (kept = true),
      discard: async () => void pieces.splice(0),
    }),
    ...request,
  });
  if (!kept && request.dryRun !== true) throw new Error('the file was not finished');
  return { bytes: Buffer.concat(pieces), result };
}

/** The bytes in pieces of that size. */
export async function* inPieces(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface ImportOptions {
  readonly requireTrusted?: boolean;
  readonly again?: boolean;
  readonly piece?: number;
}

export function importBytes(world: World, bytes: Uint8Array, options: ImportOptions = {}): Promise<ImportResult> {
  const { requireTrusted = false, again = false, piece } = options;
  return importBundle({
    repository: world.repository,
    requireTrusted,
    input: { again, open: () => inPieces(bytes, piece) },
  });
}

/** Everything that a store holds, as one text, to see that nothing of it changed. */
export function storeText({ store }: World): string {
  const { refs, objects } = store.backing;
  return JSON.stringify([[...refs].sort(), [...objects.keys()].sort()]);
}

/** Returns the error with which a world refuses a bundle, or undefined where it takes it; a refusal has changed nothing. */
export async function refusalBy(
  world: World,
  bytes: Uint8Array,
  options: ImportOptions = {},
): Promise<ContextError | undefined> {
  const before = storeText(world);
  try {
    await importBytes(world, bytes, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    if (storeText(world) !== before) throw new Error(`a refusal changed the store: ${error.message}`, { cause: error });
    return error;
  }
}

export interface ArchiveFile {
  readonly path: string;
  readonly content: Buffer;
}

/** Takes an honest bundle apart. */
export function filesOf(bytes: Buffer): readonly ArchiveFile[] {
  const files: ArchiveFile[] = [];
  for (let at = 0; at < bytes.length;) {
    const entry = readUstarHeader(bytes.subarray(at, at + BLOCK_BYTES));
    if (entry === undefined) break;
    const start = at + BLOCK_BYTES;
    files.push({ path: entry.path, content: Buffer.from(bytes.subarray(start, start + entry.bytes)) });
    at = start + entry.bytes + paddingBytes(entry.bytes);
  }
  return files;
}

/** A header as any tar program might write it; what is not given is as in a bundle. */
export interface OddHeader {
  readonly path: string;
  readonly bytes: number;
  /** Fields by their place: text that replaces what stands there. The checksum is made right afterwards. */
  readonly fields?: Readonly<Record<number, string>>;
}

export function oddHeader({ path, bytes, fields = {} }: OddHeader): Buffer {
  const plain = ustarHeader({ path: 'x', bytes: 0 });
  const header = Buffer.from(plain ?? []);
  header.fill(0, 0, 100);
  header.write(path.slice(0, 100), 0, 'latin1');
  header.write(`${bytes.toString(8).padStart(11, '0').slice(-11)}\0`, 124, 'latin1');
  for (const [at, text] of Object.entries(fields)) header.write(text, Number(at), 'latin1');
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** Puts an archive together; a path that no bundle can have gets a header all the same. */
export function archiveOf(files: readonly ArchiveFile[]): Buffer {
  const pieces = files.flatMap(({ path, content }) => [
    Buffer.from(ustarHeader({ path, bytes: content.length }) ?? oddHeader({ path, bytes: content.length })),
    content,
    Buffer.alloc(paddingBytes(content.length)),
  ]);
  return Buffer.concat([...pieces, Buffer.alloc(2 * BLOCK_BYTES)]);
}

export interface EditableIndex {
  format: string;
  snapshots: { id: string; slices: string[]; withheld: string[]; files: string[] }[];
}

/** Returns the archive with another index. */
export function withIndex(files: readonly ArchiveFile[], edit: (index: EditableIndex) => void): readonly ArchiveFile[] {
  return files.map((file) => {
    if (file.path !== 'bundle.json') return file;
    const index = JSON.parse(file.content.toString('utf8')) as EditableIndex;
    edit(index);
    return { ...file, content: Buffer.from(canonicalJson(index as never)) };
  });
}

/**
 * Changes one file and makes right again whatever named it, up to the body and its signature: what somebody with a key of
 * their own can do. `sign` signs the body anew.
 */
export function rewritten(
  files: readonly ArchiveFile[],
  edit: (files: ArchiveFile[]) => void,
  sign: (body: Record<string, unknown>) => { readonly body: Buffer; readonly signature: Buffer; readonly id: string },
): readonly ArchiveFile[] {
  const all = files.map((file) => ({ ...file }));
  edit(all);
  const prefix = all.find(({ path }) => path.endsWith('/snapshot.json'))?.path.slice(0, 17) ?? '';
  const body = JSON.parse(contentOf(all, `${prefix}snapshot.json`).toString('utf8')) as Record<string, unknown>;
  const { body: bytes, signature, id } = sign(body);
  const renamed = all.map(({ path, content }) => ({
    path: path.startsWith(prefix) ? `${id.slice(0, 16)}/${path.slice(prefix.length)}` : path,
    content: path === `${prefix}snapshot.json` ? bytes : path === `${prefix}signature.json` ? signature : content,
  }));
  return withIndex(renamed, (index) => {
    for (const snapshot of index.snapshots) snapshot.id = id;
  });
}

export function contentOf(files: readonly ArchiveFile[], path: string): Buffer {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new Error(`no ${path}`);
  return found.content;
}

/** What an import kept, written as a bundle again. */
export async function keptBundle({ store }: World, id: string): Promise<Buffer> {
  const place = (await shelvedPlaces(store, REMOTES)).find((one) => one.id === id);
  if (place === undefined) throw new Error(`nothing was kept of ${id}`);
  const { index, items } = await shelvedBundle(store, await loadShelved(store, place));
  const pieces: Uint8Array[] = [];
  for await (const piece of writeBundle(store, [index], items)) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

export { blake3 };
