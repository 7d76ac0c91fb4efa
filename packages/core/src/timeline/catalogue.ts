/**
 * Finds snapshots fast: a file of one JSON line for each, which is only a finder. Whatever it finds is loaded from the
 * store before it is believed, and what it lacks is read from the store and appended. It can be deleted at any time.
 */
import { ContextError } from '../base/errors.js';
import { text } from '../base/bytes.js';
import type { ObjectId } from '../model/tree.js';
import type { SnapshotId } from '../model/snapshot.js';
import type { LocalState } from '../store/local-state.js';
import type { Store } from '../store/store.js';
import { loadSnapshot, type LoadedSnapshot } from './load.js';
import { timelineHeads, type Cutoff, type Head } from './view.js';

export const CATALOGUE = 'cache/catalogue';

/** What can be asked without loading a snapshot. */
export interface CatalogueEntry {
  readonly commit: ObjectId;
  /** Commit of the snapshot before it, absent for the first. */
  readonly parent?: ObjectId;
  readonly id: SnapshotId;
  readonly timeline: string;
  readonly createdAt: string;
  readonly sequence: number;
  readonly tags: readonly string[];
  /** Commit of the anchor. */
  readonly anchor?: string;
  readonly branch?: string;
  /** The agent's id of the session. */
  readonly session?: string;
}

/** One line of the file, of which only the fields of fixed width are read until more is asked. */
export interface CatalogueRow {
  readonly commit: ObjectId;
  readonly id: SnapshotId;
  readonly timeline: string;
  readonly createdAt: string;
  /** The whole line, one character per byte. */
  readonly line: string;
}

interface ParsedRow extends CatalogueRow {
  readonly parent: ObjectId | undefined;
}

/** A snapshot that could not be read when the catalogue was brought up to date. */
export interface Unreadable {
  readonly timeline: string;
  readonly commit: ObjectId;
  readonly error: ContextError;
}

export interface Catalogue {
  /** Newest first in each timeline, by the chain of commits and not by any clock. */
  readonly timelines: ReadonlyMap<string, readonly CatalogueRow[]>;
  readonly unreadable: readonly Unreadable[];
}

export function entryOf({ commit, id, body }: Pick<LoadedSnapshot, 'commit' | 'id' | 'body'>): CatalogueEntry {
  const parent = commit.parents[0];
  return {
    commit: commit.id,
    ...(parent !== undefined && { parent }),
    id,
    timeline: body.timeline,
    createdAt: body.createdAt,
    sequence: body.sequence,
    tags: body.tags,
    ...(body.anchor.commit !== undefined && { anchor: body.anchor.commit }),
    ...(body.anchor.branch !== undefined && { branch: body.anchor.branch }),
    ...(body.session !== undefined && { session: body.session.id }),
  };
}

/** Adds a snapshot that became durable, so that the next reader need not. A failure is harmless and is not reported. */
export async function appendToCatalogue(local: LocalState, entry: CatalogueEntry): Promise<void> {
  await appendLines(local, [encodeLine(entry)]);
}

/** Returns everything about a row. */
export function rowEntry(row: CatalogueRow): CatalogueEntry {
  const parsed = JSON.parse(text(Buffer.from(row.line, 'latin1'))) as CatalogueEntry;
  const { parent, ...rest } = parsed;
  return { ...rest, ...(parent !== undefined && !isNone(parent) && { parent }) };
}

/** Tells whether a row has `"name":value` at the beginning of a field or array element, before it is parsed. */
export function rowMentions(row: CatalogueRow, value: string): boolean {
  return row.line.includes(utf8Latin1(JSON.stringify(value).slice(0, -1)));
}

function utf8Latin1(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** Reads the catalogue, brings it up to date with the heads, and leaves out what no head reaches any more. */
export async function openCatalogue(store: Store, local: LocalState, heads?: readonly Head[]): Promise<Catalogue> {
  const [bytes, all] = await Promise.all([local.read(CATALOGUE), heads ?? timelineHeads(store)]);
  const known = parseRows(bytes, store.objectFormat === 'sha1' ? 40 : 64);
  const walk: Walk = { store, known: known.rows, added: [], unreadable: [] };
  const timelines = new Map<string, readonly CatalogueRow[]>();
  for (const head of all) timelines.set(head.timeline, await walkTimeline(walk, head));
  await keep(local, walk, known.broken > 0 ? timelines : undefined);
  return { timelines, unreadable: walk.unreadable };
}

/** Forgets the file and reads everything from the store: for a finder that was found to be wrong. */
export async function rebuildCatalogue(store: Store, local: LocalState): Promise<Catalogue> {
  await quietly(() => local.remove(CATALOGUE));
  const empty: Pick<LocalState, 'read' | 'write' | 'append'> = {
    read: () => Promise.resolve(undefined),
    write: (name, bytes, options) => local.write(name, bytes, options),
    append: (name, bytes) => local.append(name, bytes),
  };
  return openCatalogue(store, { ...local, ...empty });
}

/** Returns the rows of a timeline that existed at the cutoff. */
export function rowsInSight(
  catalogue: Catalogue,
  timeline: string,
  cutoff: Cutoff | undefined,
): readonly CatalogueRow[] {
  const rows = catalogue.timelines.get(timeline) ?? [];
  if (cutoff === undefined) return rows;
  const at = timeline === cutoff.timeline ? rows.findIndex(({ commit }) => commit === cutoff.commit) : -1;
  return at >= 0 ? rows.slice(at) : rows.filter(({ createdAt }) => createdAt <= cutoff.createdAt);
}

interface Walk {
  readonly store: Store;
  readonly known: Map<ObjectId, ParsedRow>;
  readonly added: string[];
  readonly unreadable: Unreadable[];
}

async function walkTimeline(walk: Walk, head: Head): Promise<readonly CatalogueRow[]> {
  const rows: ParsedRow[] = [];
  const seen = new Set<ObjectId>();
  let step = FIRST_STEP;
  for (let at: ObjectId | undefined = head.commit; at !== undefined && !seen.has(at);) {
    const row = walk.known.get(at);
    if (row === undefined) {
      at = await readUnknown(walk, { timeline: head.timeline, commit: at }, { step, rows, seen });
      step = Infinity;
      continue;
    }
    seen.add(at);
    // A copy of a snapshot under another ref is listed where it stands.
    rows.push(row.timeline === head.timeline ? row : { ...row, timeline: head.timeline });
    at = row.parent;
  }
  return rows;
}

// A capture that could not append is a few commits away; only a lost file is worth listing the whole history.
const FIRST_STEP = 64;
const BATCH = 64;

interface Progress {
  readonly step: number;
  readonly rows: ParsedRow[];
  readonly seen: Set<ObjectId>;
}

/** Loads snapshots from `from` on until a known one, and returns the commit to go on with. */
async function readUnknown(walk: Walk, from: Head, { step, rows, seen }: Progress): Promise<ObjectId | undefined> {
  const unknown: ObjectId[] = [];
  try {
    for await (const commit of walk.store.history(from.commit, Number.isFinite(step) ? { limit: step } : {})) {
      if (walk.known.has(commit)) break;
      unknown.push(commit);
    }
  } catch (error) {
    walk.unreadable.push(unreadable({ timeline: from.timeline, commit: unknown.at(-1) ?? from.commit }, error));
  }
  let next: ObjectId | undefined;
  for (let at = 0; at < unknown.length; at += BATCH) {
    const batch = unknown.slice(at, at + BATCH).map((commit) => readRow(walk, { timeline: from.timeline, commit }));
    for (const { commit, row, parent } of await Promise.all(batch)) {
      seen.add(commit);
      if (row !== undefined) rows.push(row);
      next = parent;
    }
  }
  return next;
}

async function readRow(walk: Walk, head: Head) {
  try {
    const snapshot = await loadSnapshot(walk.store, head.commit);
    const line = encodeLine(entryOf(snapshot));
    const row = parseLine(line, walk.store.objectFormat === 'sha1' ? 40 : 64);
    walk.added.push(line);
    const listed = row && { ...row, timeline: head.timeline };
    return { commit: head.commit, row: listed, parent: snapshot.commit.parents[0] };
  } catch (error) {
    walk.unreadable.push(unreadable(head, error));
    const commit = await walk.store.commit(head.commit).catch(() => undefined);
    return { commit: head.commit, row: undefined, parent: commit?.parents[0] };
  }
}

function unreadable({ timeline, commit }: Head, error: unknown): Unreadable {
  if (!(error instanceof ContextError)) throw error;
  return { timeline, commit, error };
}

async function keep(
  local: LocalState,
  { added }: Walk,
  whole: ReadonlyMap<string, readonly CatalogueRow[]> | undefined,
): Promise<void> {
  if (whole === undefined) {
    if (added.length > 0) await appendLines(local, added);
    return;
  }
  const lines = [...whole.values()].flatMap((rows) => rows.map(({ line }) => line));
  const bytes = Buffer.from(lines.join(''), 'latin1');
  await quietly(() => local.write(CATALOGUE, bytes, { cache: true }));
}

async function appendLines(local: LocalState, lines: readonly string[]): Promise<void> {
  await quietly(() => local.append(CATALOGUE, Buffer.from(lines.join(''), 'latin1')));
}

// Reading works on a store that cannot be written, too.
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
  }
}

function isNone(id: string): boolean {
  return /^0+$/.test(id);
}

// The first five fields have a fixed width, so that ten thousand lines are read without parsing JSON.
const [ID_WIDTH, TIMELINE_WIDTH, TIME_WIDTH] = [64, 32, 24];

function encodeLine(entry: CatalogueEntry): string {
  const { commit, parent, id, timeline, createdAt, ...rest } = entry;
  const fixed = { commit, parent: parent ?? '0'.repeat(commit.length), id, timeline, createdAt };
  return `${utf8Latin1(JSON.stringify({ ...fixed, ...rest }))}\n`;
}

function parseRows(bytes: Uint8Array | undefined, width: number): { rows: Map<ObjectId, ParsedRow>; broken: number } {
  const rows = new Map<ObjectId, ParsedRow>();
  let broken = 0;
  const all = bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  for (let at = 0; at < all.length;) {
    const end = all.indexOf('\n', at);
    const row = end < 0 ? undefined : parseLine(all.slice(at, end + 1), width);
    if (row === undefined) broken += 1;
    else rows.set(row.commit, row);
    at = end < 0 ? all.length : end + 1;
  }
  return { rows, broken };
}

function parseLine(line: string, width: number): ParsedRow | undefined {
  let at = 0;
  const field = (label: string, size: number): string | undefined => {
    if (!line.startsWith(label, at)) return undefined;
    at += label.length + size;
    return line.slice(at - size, at);
  };
  const commit = field('{"commit":"', width);
  const parent = field('","parent":"', width);
  const id = field('","id":"', ID_WIDTH);
  const timeline = field('","timeline":"', TIMELINE_WIDTH);
  const createdAt = field('","createdAt":"', TIME_WIDTH);
  const sound = line.startsWith('","sequence":', at) && line.endsWith('}\n');
  if (!sound || commit === undefined || parent === undefined) return undefined;
  if (id === undefined || timeline === undefined || createdAt === undefined) return undefined;
  return { commit, parent: isNone(parent) ? undefined : parent, id, timeline, createdAt, line };
}
