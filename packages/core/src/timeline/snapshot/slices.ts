/** Reads the slices of a snapshot: its JSON files, the files of its worktree, and the agent's log put together again. */
import { contextError } from '../../base/errors.js';
import type { JsonValue } from '../../base/json.js';
import { fromRepoPath, toRepoPath, type BytePath } from '../../base/path.js';
import { parseJson } from '../../format/canonical-json.js';
import { FILESYSTEM_FILE, INDEX_FILE, TRANSCRIPT_FOLDER, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { shortId } from '../../format/v1/body.js';
import { partPath } from '../../format/v1/parts.js';
import { decodeFilesystem, decodeSource, decodeStaged } from '../../format/v1/records.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import type { TranscriptSource } from '../../model/context/transcript.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import { findInFolder, listFolder } from './folders.js';
import type { LoadedSnapshot } from './load.js';

/** Returns the tree of a folder at the root, or undefined where the snapshot has none. */
export function folderTree(snapshot: LoadedSnapshot, folder: string): ObjectId | undefined {
  const entry = snapshot.entries.get(folder);
  return entry?.mode === '040000' ? entry.id : undefined;
}

/** Returns the bytes of a file at the root, or undefined where there is none. @throws object_missing */
export async function rootFile(store: Store, snapshot: LoadedSnapshot, name: string): Promise<Uint8Array | undefined> {
  const entry = snapshot.entries.get(name);
  return entry === undefined ? undefined : demandBlob(store, entry.id, snapshot);
}

async function demandBlob(store: Store, id: ObjectId, snapshot: LoadedSnapshot): Promise<Uint8Array> {
  const bytes = await store.read(id, 'blob');
  if (bytes === undefined) throw contextError('object_missing', { object: id, owner: nameOf(snapshot) });
  return bytes;
}

function nameOf(snapshot: LoadedSnapshot): string {
  return `the snapshot ${shortId(snapshot.id)}`;
}

/** @throws object_missing; format_unreadable */
export async function readFilesystem(store: Store, snapshot: LoadedSnapshot): Promise<FilesystemRecord | undefined> {
  const bytes = await rootFile(store, snapshot, FILESYSTEM_FILE);
  return bytes && decodeFilesystem(bytes);
}

/** Returns the staged state, or undefined where it is HEAD's tree. @throws object_missing; format_unreadable */
export async function readStaged(store: Store, snapshot: LoadedSnapshot): Promise<StagedRecord | undefined> {
  const bytes = await rootFile(store, snapshot, INDEX_FILE);
  return bytes && decodeStaged(bytes);
}

/** Returns the JSON of a slice: of a file its content, of a folder the list of its files. @throws slice_not_found; object_missing */
export async function readSlice(store: Store, snapshot: LoadedSnapshot, name: string): Promise<JsonValue> {
  const slices = snapshot.body.slices.map((slice) => slice.name);
  if (!slices.includes(name)) {
    const available = slices.join(', ') || 'none';
    throw contextError('slice_not_found', { snapshot: shortId(snapshot.id), slice: name, available });
  }
  const bytes = await rootFile(store, snapshot, `${name}.json`);
  if (bytes !== undefined) return parseJson(bytes, `The slice ${name}`);
  demandPresent(snapshot, name);
  const files = await listFolder((id) => store.tree(id), folderTree(snapshot, name));
  const sizes = await store.info(files.map(({ id }) => id));
  return {
    files: files.map(({ path, mode, id }, index) => ({
      ...toRepoPath(path),
      mode,
      id,
      ...(sizes[index] !== undefined && { bytes: sizes[index].size }),
    })),
  };
}

/** Returns which slices of a foreign snapshot are not there, in whole or in part. */
export function withheldSlices({ foreign, body, entries }: LoadedSnapshot): readonly string[] {
  if (foreign === undefined) return [];
  const inPart = new Set(foreign.withheld.map(({ path }) => path.split('/')[0]));
  return body.slices
    .map(({ name }) => name)
    .filter(
      (name) => name === WORKTREE_FOLDER || inPart.has(name) || !(entries.has(`${name}.json`) || entries.has(name)),
    );
}

/** @throws slice_withheld where its author left the slice out */
export function demandPresent(snapshot: LoadedSnapshot, name: string): void {
  const { foreign, entries, id } = snapshot;
  if (foreign === undefined || entries.has(name) || entries.has(`${name}.json`)) return;
  throw contextError('slice_withheld', { snapshot: shortId(id), what: `the slice ${name}` });
}

/** A file of the worktree: a blob of the tree, or one whose name git refuses. */
export interface WorktreeFile {
  readonly path: BytePath;
  readonly blob: ObjectId;
}

/** Returns the file or link at a path of the worktree, or undefined if there is none. @throws object_missing */
export async function findWorktreeFile(
  store: Store,
  snapshot: LoadedSnapshot,
  path: BytePath,
): Promise<WorktreeFile | undefined> {
  const found = await findInFolder((id) => store.tree(id), folderTree(snapshot, WORKTREE_FOLDER), path);
  if (found !== undefined && found.mode !== '040000' && found.mode !== '160000') return { path, blob: found.id };
  if (snapshot.foreign !== undefined) return undefined;
  const diverted = (await readFilesystem(store, snapshot))?.diverted ?? [];
  const other = diverted.find((file) => fromRepoPath(file) === path);
  return other && { path, blob: other.blob };
}

export interface StoredTranscript {
  /** Of a foreign snapshot: the files of its slices that are not there. */
  readonly withheld?: ReadonlySet<string>;
  readonly snapshot: string;
  /** Folder of the log below `transcript/`. */
  readonly folder: string;
  readonly source: TranscriptSource;
  /** Path of a part below the session's folder to its blob. */
  readonly files: ReadonlyMap<BytePath, ObjectId>;
}

/** Returns the logs that a snapshot holds. @throws object_missing; format_unreadable */
export async function readTranscripts(store: Store, snapshot: LoadedSnapshot): Promise<readonly StoredTranscript[]> {
  const files = await listFolder((id) => store.tree(id), folderTree(snapshot, TRANSCRIPT_FOLDER));
  const sessions = new Map<string, Map<BytePath, ObjectId>>();
  for (const { path, id } of files) {
    const slash = path.indexOf('/');
    const session = sessions.get(path.slice(0, slash)) ?? new Map<BytePath, ObjectId>();
    sessions.set(path.slice(0, slash), session.set(path.slice(slash + 1), id));
  }
  const { foreign } = snapshot;
  const withheld = foreign && { withheld: new Set(foreign.withheld.map(({ path }) => path)) };
  const sources = [...sessions].map(async ([folder, parts]): Promise<StoredTranscript | undefined> => {
    const blob = parts.get('source.json');
    if (blob === undefined) return undefined;
    const source = decodeSource(await demandBlob(store, blob, snapshot));
    return { source, files: parts, folder, snapshot: shortId(snapshot.id), ...withheld };
  });
  return (await Promise.all(sources)).filter((transcript) => transcript !== undefined);
}

/**
 * Returns the log of a session, or what is in a folder; without a name that of the session which the snapshot was taken in,
 * where it has one. Of a log that was rewritten it is the newest version; the first one is called `<folder>.1`.
 */
export function chooseTranscript(
  all: readonly StoredTranscript[],
  { body }: Pick<LoadedSnapshot, 'body'>,
  name: string,
): StoredTranscript | undefined {
  const inFolder = all.find(
    ({ folder, source }) => (folder === name && source.session !== name) || `${folder}.1` === name,
  );
  if (inFolder !== undefined) return inFolder;
  const isNamed = all.some(({ source }) => source.session === body.session?.id);
  const first = isNamed
    ? body.session?.id
    : (all.find(({ source }) => source.parent === undefined) ?? all[0])?.source.session;
  const session = name === '' ? first : name;
  const versions = all.filter(({ source }) => source.session === session);
  return versions.sort((a, b) => versionOf(b) - versionOf(a))[0];
}

/** Returns which one a folder is: a log that was rewritten goes on in `<folder>.2`, then `.3`. */
function versionOf({ folder }: StoredTranscript): number {
  return Number(/\.(\d+)$/.exec(folder)?.[1] ?? 1);
}

/** Yields a log as it was stored, part after part. @throws object_missing */
export async function* streamTranscript(store: Store, transcript: StoredTranscript): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < transcript.source.parts; index += 1) {
    const path = `${partPath(index)}.jsonl`;
    const blob = transcript.files.get(path);
    const whole = `${TRANSCRIPT_FOLDER}/${transcript.folder}/${path}`;
    if (blob === undefined && transcript.withheld?.has(whole) === true) {
      throw contextError('slice_withheld', { snapshot: transcript.snapshot, what: `the file ${whole}` });
    }
    if (blob === undefined) throw contextError('object_missing', { object: path, owner: 'the transcript' });
    yield* store.stream(blob);
  }
}
