/** The lines of the catalogue: one JSON object each, whose first fields have a fixed width, so that most are never parsed. */
import { text, utf8 } from '../base/bytes.js';
import { contextError } from '../base/errors.js';
import type { ObjectId } from '../model/tree/tree.js';
import type { SnapshotId } from '../model/snapshot.js';

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

/** One line, of which only what is asked for is read. */
export interface CatalogueRow {
  readonly commit: ObjectId;
  readonly id: SnapshotId;
  readonly timeline: string;
  readonly createdAt: string;
  /** The whole line with its newline, one character per byte. */
  readonly line: string;
}

const [ID_WIDTH, TIMELINE_WIDTH, TIME_WIDTH] = [64, 32, 24];
const LABELS = [
  '{"commit":"',
  '","parent":"',
  '","id":"',
  '","timeline":"',
  '","createdAt":"',
  '","sequence":',
] as const;

/** Where the fixed fields begin within a line. */
interface Columns {
  readonly width: number;
  readonly parent: number;
  readonly id: number;
  readonly timeline: number;
  readonly createdAt: number;
  readonly rest: number;
}

const COMMIT = LABELS[0].length;

function columnsOf(width: number): Columns {
  const parent = COMMIT + width + LABELS[1].length;
  const id = parent + width + LABELS[2].length;
  const timeline = id + ID_WIDTH + LABELS[3].length;
  const createdAt = timeline + TIMELINE_WIDTH + LABELS[4].length;
  return { width, parent, id, timeline, createdAt, rest: createdAt + TIME_WIDTH + LABELS[5].length };
}

/** A line within the text of the whole file. */
export class LineRow implements CatalogueRow {
  readonly #file: string;
  readonly #start: number;
  readonly #end: number;
  readonly #columns: Columns;

  constructor(file: string, range: { readonly start: number; readonly end: number }, columns: Columns) {
    this.#file = file;
    this.#start = range.start;
    this.#end = range.end;
    this.#columns = columns;
  }

  #field(column: number, width: number): string {
    return this.#file.slice(this.#start + column, this.#start + column + width);
  }

  get commit(): ObjectId {
    return this.#field(COMMIT, this.#columns.width);
  }

  get parent(): ObjectId | undefined {
    const parent = this.#field(this.#columns.parent, this.#columns.width);
    return isNone(parent) ? undefined : parent;
  }

  get id(): SnapshotId {
    return this.#field(this.#columns.id, ID_WIDTH);
  }

  get timeline(): string {
    return this.#field(this.#columns.timeline, TIMELINE_WIDTH);
  }

  get createdAt(): string {
    return this.#field(this.#columns.createdAt, TIME_WIDTH);
  }

  get line(): string {
    return this.#file.slice(this.#start, this.#end);
  }

  /** Tells whether the line is about this commit. What else it says is checked when it is used. */
  isOf(commit: ObjectId): boolean {
    return this.#file.startsWith(commit, this.#start + COMMIT);
  }

  isIn(timeline: string): boolean {
    return this.#file.startsWith(timeline, this.#start + this.#columns.timeline);
  }
}

function isNone(id: string): boolean {
  return id.startsWith('0000') && /^0+$/.test(id);
}

export interface CatalogueLines {
  /** In the order of the file; a line may be damaged. */
  readonly rows: readonly LineRow[];
  /** True where the file ends in the middle of a line. */
  readonly torn: boolean;
}

export function splitRows(bytes: Uint8Array | undefined, commitWidth: number): CatalogueLines {
  const rows: LineRow[] = [];
  const file = bytes === undefined ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const columns = columnsOf(commitWidth);
  let start = 0;
  for (let end = file.indexOf('\n') + 1; end > 0; end = file.indexOf('\n', start) + 1) {
    rows.push(new LineRow(file, { start, end }, columns));
    start = end;
  }
  return { rows, torn: start < file.length };
}

/** Returns the place of a commit's line; `near` is the place of the line of the snapshot after it. */
export type RowFinder = (commit: ObjectId, near: number) => number | undefined;

// Lines stand in the order in which they were written: a snapshot's parent is mostly one of those just before it.
const NEAR = 8;

export function rowFinder(rows: readonly LineRow[]): RowFinder {
  let places: ReadonlyMap<ObjectId, number> | undefined;
  return (commit, near) => {
    for (let at = near - 1; at >= 0 && at >= near - NEAR; at -= 1) if (rows[at]?.isOf(commit) === true) return at;
    places ??= new Map(rows.map((row, at) => [row.commit, at]));
    const place = places.get(commit);
    return place !== undefined && rows[place]?.isOf(commit) === true ? place : undefined;
  };
}

export function encodeLine(entry: CatalogueEntry): string {
  const { commit, parent, id, timeline, createdAt, ...rest } = entry;
  const fixed = { commit, parent: parent ?? '0'.repeat(commit.length), id, timeline, createdAt };
  return `${latin1(JSON.stringify({ ...fixed, ...rest }))}\n`;
}

/** Returns everything about a row. @throws format_unreadable, with `data.catalogue`, for a damaged one */
export function rowEntry(row: CatalogueRow): CatalogueEntry {
  const entry = parseEntry(row.line);
  if (entry === undefined) {
    throw contextError('format_unreadable', { what: 'The catalogue', reason: 'a line is damaged', catalogue: true });
  }
  const { parent, ...rest } = entry;
  return { ...rest, ...(parent !== undefined && !isNone(parent) && { parent }) };
}

function parseEntry(line: string): CatalogueEntry | undefined {
  try {
    const entry = JSON.parse(text(Buffer.from(line, 'latin1'))) as Partial<CatalogueEntry>;
    return Array.isArray(entry.tags) && typeof entry.sequence === 'number' ? (entry as CatalogueEntry) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what tells, before it is parsed, whether a row can have a text that begins with `value` in one of its fields. */
export function mentions(value: string): (row: CatalogueRow) => boolean {
  const quoted = latin1(JSON.stringify(value).slice(0, -1));
  return (row) => row.line.includes(quoted);
}

function latin1(value: string): string {
  return Buffer.from(utf8(value)).toString('latin1');
}
