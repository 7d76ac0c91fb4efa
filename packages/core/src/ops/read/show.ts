/** `show`: the whole state behind one snapshot, one slice of it, or one file's bytes. */
import { contextError } from '../../base/errors.js';
import type { JsonValue } from '../../base/json.js';
import { bytePath, toRepoPath } from '../../base/path.js';
import { shortId } from '../../format/v1/body.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import type { TranscriptSource } from '../../model/context/transcript.js';
import type { Verdict } from '../../model/verdict.js';
import type { Store } from '../../store/store.js';
import { worktreeFiles } from '../../timeline/diff/worktree-files.js';
import { makeJudge } from '../../timeline/judge.js';
import { noSuchFile } from '../../timeline/snapshot/left-out.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { resolveSelector, type Selected } from '../../timeline/select/select.js';
import {
  chooseTranscript,
  findWorktreeFile,
  folderTree,
  readFilesystem,
  readSlice,
  readStaged,
  readTranscripts,
  streamTranscript,
  withheldSlices,
} from '../../timeline/snapshot/slices.js';
import { originalJson, readOriginal } from '../../timeline/snapshot/original.js';
import type { View } from '../../timeline/view.js';
import { pricesOf } from '../recorded/prices.js';
import { readRecordSlice } from '../recorded/record-slices.js';
import { conversationOf, type Conversation } from '../recorded/conversation.js';
import type { History } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface ShowRequest {
  readonly repository: History;
  /** Default `head`. */
  readonly selector?: string;
  /** Also list the files of the worktree. */
  readonly files?: boolean;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

/** A file of a snapshot as it is stored; `pathBytes` (base64) only where the path is not UTF-8. */
export interface ShownFile {
  readonly path: string;
  readonly pathBytes?: string;
  /** Permission bits as four octal digits; `link` for a symlink. */
  readonly mode: string;
  readonly blob: string;
  readonly bytes?: number;
}

export interface ShowResult extends SnapshotBody {
  readonly id: string;
  readonly shortId: string;
  /** Of content id and signature; `verify` looks at the rest. */
  readonly verdict: Verdict;
  /** The commit that holds it. */
  readonly commit: string;
  readonly filesystem?: FilesystemRecord;
  readonly staged?: StagedRecord;
  /** With the folder that each lies in: of a log that was rewritten there are several. */
  readonly transcripts: readonly (TranscriptSource & { readonly folder: string })[];
  /** Sessions, what stands in their windows, what was spent; absent where the snapshot has no records. */
  readonly conversation?: Conversation;
  readonly files?: readonly ShownFile[];
  /** True for what others published and was imported. */
  readonly foreign?: true;
  /** Of a foreign snapshot: what its author left out, slices and files of slices. */
  readonly withheld?: readonly string[];
}

/**
 * Shows the whole state behind one snapshot. @throws as resolving a selector does; object_missing; format_unreadable
 * @example
 * const { anchor, totals, files } = await show({ repository, selector: 'head', files: true });
 * console.log(anchor.branch, totals.files, files?.map(({ path }) => path));
 */
export async function show(request: ShowRequest): Promise<ShowResult> {
  const view = await viewAt(request.repository, request.at);
  const { snapshot } = await resolveSelector(view, request.selector ?? 'head');
  return showSnapshot(request, view, snapshot);
}

export async function showSnapshot(
  { repository, files }: Pick<ShowRequest, 'repository' | 'files'>,
  view: View,
  snapshot: LoadedSnapshot,
): Promise<ShowResult> {
  const { store } = view;
  const [judge, filesystem, staged, transcripts, conversation] = await Promise.all([
    makeJudge(view, repository.keys),
    readFilesystem(store, snapshot),
    readStaged(store, snapshot),
    readTranscripts(store, snapshot),
    conversationOf(store, snapshot, () => pricesOf(repository)),
  ]);
  return {
    ...snapshot.body,
    id: snapshot.id,
    shortId: shortId(snapshot.id),
    verdict: judge.verdict(snapshot),
    commit: snapshot.commit.id,
    ...(filesystem !== undefined && { filesystem }),
    ...(staged !== undefined && { staged }),
    transcripts: transcripts.map(({ source, folder }) => ({ ...source, folder })),
    ...(conversation !== undefined && { conversation }),
    ...(files === true && { files: await shownFiles(store, snapshot) }),
    ...(snapshot.foreign !== undefined && { foreign: true, withheld: withheldIn(snapshot) }),
  };
}

/** Returns the slices that are not there and the single files that are not, a worktree's in one word. */
function withheldIn(snapshot: LoadedSnapshot): readonly string[] {
  const gaps = snapshot.foreign?.withheld.map(({ path }) => path) ?? [];
  const whole = withheldSlices(snapshot).filter((name) => !gaps.some((path) => path.startsWith(`${name}/`)));
  return [...whole, ...gaps];
}

async function select({
  repository,
  selector,
  at,
}: Pick<ShowRequest, 'repository' | 'selector' | 'at'>): Promise<Selected> {
  return resolveSelector(await viewAt(repository, at), selector ?? 'head');
}

async function shownFiles(store: Store, snapshot: LoadedSnapshot): Promise<readonly ShownFile[]> {
  const filesystem = await readFilesystem(store, snapshot);
  const tree = folderTree(snapshot, WORKTREE_FOLDER);
  // Names that git refuses lie in `content/`, which seldom leaves.
  const listed = snapshot.foreign === undefined ? filesystem : filesystem && { ...filesystem, diverted: [] };
  const files = [...(await worktreeFiles({ tree, filesystem: listed, read: (id) => store.tree(id) }))];
  const infos = await store.info(files.map(([, { blob }]) => blob));
  return files.map(([path, { mode, blob }], index) => {
    const bytes = infos[index]?.size;
    return { ...toRepoPath(path), mode, blob, ...(bytes !== undefined && { bytes }) };
  });
}

export interface ShowSliceRequest {
  readonly repository: History;
  readonly selector?: string;
  readonly slice: string;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}
/**
 * Returns a slice's own JSON: of `<name>.json` its content; of `context`, `actions` and `ledger` their records; of any other
 * folder `{files: [{path, mode, id, bytes}]}`.
 * @throws as resolving a selector does; slice_not_found; slice_withheld; object_missing; format_unreadable
 * @example
 * const filesystem = await showSlice({ repository, slice: 'filesystem' });
 * console.log(JSON.stringify(filesystem));
 */
export async function showSlice(request: ShowSliceRequest): Promise<JsonValue> {
  const { snapshot } = await select(request);
  const { store } = request.repository;
  const parts = { store, prices: () => pricesOf(request.repository) };
  const original = await readOriginal(store, snapshot, `${request.slice}.json`);
  if (original !== undefined) return originalJson(original);
  return (await readRecordSlice(parts, snapshot, request.slice)) ?? readSlice(store, snapshot, request.slice);
}

export interface ShowFileRequest {
  readonly repository: History;
  readonly selector?: string;
  /** Path in the worktree, relative to its root; or, where there is no such file, `transcript` for the log as it was stored, `transcript/` and a session for its newest one, `transcript/` and the name of a version for that. */
  readonly path: string;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}
/**
 * Returns the bytes of a file of a snapshot, piece by piece; rejects before the first piece if there is none.
 * @throws as resolving a selector does; path_not_found; path_left_out; slice_withheld; object_missing; format_unreadable
 * @example
 * const pieces: Uint8Array[] = [];
 * for await (const piece of await showFile({ repository, selector: 'seq:1', path: 'notes.txt' })) pieces.push(piece);
 * console.log(Buffer.concat(pieces).toString('utf8'));
 */
export async function showFile(request: ShowFileRequest): Promise<AsyncIterable<Uint8Array>> {
  const { store } = request.repository;
  const { snapshot } = await select(request);
  const file = await findWorktreeFile(store, snapshot, bytePath(request.path));
  if (file === undefined) {
    const original = await readOriginal(store, snapshot, request.path);
    return original === undefined ? showTranscript(store, snapshot, request.path) : oncePiece(original);
  }
  const [info] = await store.info([file.blob]);
  if (info === undefined) throw contextError('object_missing', { object: file.blob, owner: request.path });
  return store.stream(file.blob);
}

async function* oncePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function showTranscript(
  store: Store,
  snapshot: LoadedSnapshot,
  path: string,
): Promise<AsyncIterable<Uint8Array>> {
  const [name, session] = [path.slice(0, 'transcript'.length), path.slice('transcript/'.length)];
  const all =
    name === 'transcript' && /^(?:\/|$)/.test(path.slice(name.length)) ? await readTranscripts(store, snapshot) : [];
  const transcript = chooseTranscript(all, snapshot, session);
  if (transcript === undefined && snapshot.foreign !== undefined) {
    throw contextError('slice_withheld', { snapshot: shortId(snapshot.id), what: `the file ${path}, or never had it` });
  }
  if (transcript === undefined) {
    throw await noSuchFile(store, snapshot, path);
  }
  return streamTranscript(store, transcript);
}
