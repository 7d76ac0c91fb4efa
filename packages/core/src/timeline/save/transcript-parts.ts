/** Cuts a log into parts: greedy, line-aligned, redacted, at most PART_BYTES each (format section "Transcripts"). */
import { PART_BYTES } from '../../format/v1/layout.js';
import type { RedactionSpan, TranscriptPart } from '../../model/context/transcript.js';
import { LongLineRedactor, redactLine, REDACTOR_VERSION } from '../../redact/redactor.js';

export interface CutPart {
  readonly bytes: Uint8Array;
  readonly record: TranscriptPart;
}

/** A longer line is redacted as it comes in, not as one JSON value, so that memory stays bounded. */
const LONG_LINE_BYTES = 4 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');

interface OpenPart {
  offset: number;
  length: number;
  bytes: number;
  lines: number;
  readonly chunks: Uint8Array[];
  readonly unreadable: number[];
  readonly spans: RedactionSpan[];
}

const emptyPart = (offset: number): OpenPart => ({
  offset,
  length: 0,
  bytes: 0,
  lines: 0,
  chunks: [],
  unreadable: [],
  spans: [],
});

/** Takes a log's bytes from a line's beginning on and gives out its parts; how the bytes are chunked does not matter. */
export class PartCutter {
  #open: OpenPart;
  readonly #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #long: { readonly redactor: LongLineRedactor; raw: number } | undefined;

  /** `offset` is where in the log the first byte stands. */
  constructor(offset: number) {
    this.#open = emptyPart(offset);
  }

  *push(chunk: Uint8Array): Iterable<CutPart> {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, from)) {
      yield* this.#line(chunk.subarray(from, at), true);
      from = at + 1;
    }
    if (from < chunk.length) yield* this.#keep(chunk.subarray(from));
  }

  /** Gives out what is left, a last line without its newline included. */
  *end(): Iterable<CutPart> {
    if (this.#pendingBytes > 0 || this.#long !== undefined) yield* this.#line(new Uint8Array(), false);
    if (this.#open.bytes > 0) yield this.#close(false);
  }

  *#keep(piece: Uint8Array): Iterable<CutPart> {
    if (this.#long !== undefined) {
      this.#long.raw += piece.length;
      yield* this.#longBytes(this.#long.redactor.push(piece));
      return;
    }
    this.#pending.push(new Uint8Array(piece));
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= LONG_LINE_BYTES) return;
    this.#long = { redactor: new LongLineRedactor(), raw: this.#pendingBytes };
    if (this.#open.bytes > 0) yield this.#close(false);
    for (const part of this.#takePending()) yield* this.#longBytes(this.#long.redactor.push(part));
  }

  *#line(end: Uint8Array, ended: boolean): Iterable<CutPart> {
    let rest = end;
    if (this.#long === undefined && this.#pendingBytes + rest.length > LONG_LINE_BYTES) {
      // Long is long, however much of it came at once.
      yield* this.#keep(rest);
      rest = new Uint8Array();
    }
    const newline = ended ? NEWLINE : new Uint8Array();
    if (this.#long !== undefined) {
      const { redactor, raw } = this.#long;
      yield* this.#longBytes(redactor.push(rest));
      const last = redactor.end();
      yield* this.#longBytes(last);
      this.#long = undefined;
      if (this.#open.bytes + newline.length > PART_BYTES) yield this.#close(true);
      if (!last.readable) this.#open.unreadable.push(this.#open.lines);
      this.#append(newline, { raw: raw + rest.length + newline.length, spans: [] });
      this.#open.lines += 1;
      return;
    }
    const line = this.#pendingBytes === 0 ? rest : Buffer.concat([...this.#takePending(), rest]);
    const { bytes, spans, readable } = redactLine(line);
    const stored = Buffer.concat([bytes, newline]);
    if (this.#open.bytes > 0 && this.#open.bytes + stored.length > PART_BYTES) yield this.#close(false);
    yield* this.#appendLine(stored, { raw: line.length + newline.length, spans });
    if (!readable && line.length > 0) this.#open.unreadable.push(this.#open.lines);
    this.#open.lines += 1;
  }

  /** A line longer than a part goes on in the next; all its raw length counts for the first. */
  *#appendLine(stored: Uint8Array, { raw, spans }: Stored): Iterable<CutPart> {
    if (stored.length <= PART_BYTES) {
      this.#append(stored, { raw, spans });
      return;
    }
    for (let at = 0; at < stored.length; at += PART_BYTES) {
      const piece = stored.subarray(at, at + PART_BYTES);
      this.#append(piece, { raw: at === 0 ? raw : 0, spans: spansWithin(spans, at, piece.length) });
      if (at + PART_BYTES < stored.length) yield this.#close(true);
    }
  }

  *#longBytes({
    bytes,
    spans,
  }: {
    readonly bytes: Uint8Array;
    readonly spans: readonly RedactionSpan[];
  }): Iterable<CutPart> {
    for (let at = 0; at < bytes.length;) {
      if (this.#open.bytes === PART_BYTES) yield this.#close(true);
      const piece = bytes.subarray(at, at + PART_BYTES - this.#open.bytes);
      this.#append(piece, { raw: 0, spans: spansWithin(spans, at, piece.length) });
      at += piece.length;
    }
  }

  #append(stored: Uint8Array, { raw, spans }: Stored): void {
    const { bytes } = this.#open;
    this.#open.spans.push(...spans.map((span) => ({ ...span, start: span.start + bytes, end: span.end + bytes })));
    this.#open.chunks.push(stored);
    this.#open.bytes += stored.length;
    this.#open.length += raw;
  }

  #close(continues: boolean): CutPart {
    const { offset, length, lines, chunks, unreadable, spans } = this.#open;
    this.#open = emptyPart(offset + length);
    const record: TranscriptPart = {
      offset,
      length,
      lines,
      ...(continues ? { continues } : {}),
      ...(unreadable.length > 0 ? { unreadable } : {}),
      redactor: REDACTOR_VERSION,
      spans,
    };
    return { bytes: Buffer.concat(chunks), record };
  }

  #takePending(): Uint8Array[] {
    this.#pendingBytes = 0;
    return this.#pending.splice(0);
  }
}

interface Stored {
  /** Bytes of the log that this stands for. */
  readonly raw: number;
  readonly spans: readonly RedactionSpan[];
}

/** Spans that begin in a piece; one that goes on in the next is cut at the border. */
function spansWithin(spans: readonly RedactionSpan[], from: number, length: number): readonly RedactionSpan[] {
  return spans
    .filter(({ start, end }) => end > from && start < from + length)
    .map(({ start, end, kind }) => ({ start: Math.max(start - from, 0), end: Math.min(end - from, length), kind }));
}
