/** Searches a text that comes in pieces through overlapping windows, and collects what goes out of it. */
import type { RedactionSpan } from '../model/context/transcript.js';
import { LONGEST_BLOCK } from './secrets/private-keys.js';
import { marker, type Edit, type Finding } from './text/spans.js';

// What a rule looks at on the left of a secret: a name, a URL, a line above, an id beside it.
const HISTORY = 4 * 1024;
// A secret that begins before the cut ends within this, or says how it goes on: twice the longest rule, for escapes.
const AHEAD = 2 * LONGEST_BLOCK;
const WINDOW = 128 * 1024;

interface GrowingEdit {
  readonly from: number;
  to: number;
  readonly span: RedactionSpan;
}

/** Collects output with what was replaced in it. */
export class PieceOutput {
  private pieces: string[] = [];
  private edits: GrowingEdit[] = [];
  private last: GrowingEdit | undefined;
  private written = 0;
  /** Number of characters of the input that the output stands for. */
  read = 0;

  keep(text: string): void {
    this.pieces.push(text);
    this.read += text.length;
    this.written += text.length;
  }

  /** Writes a marker for input that `extend` will name. */
  begin(kind: string): void {
    const replacement = marker(kind);
    const span = { start: this.written, end: this.written + replacement.length, kind };
    this.last = { from: this.read, to: this.read, span };
    this.edits.push(this.last);
    this.pieces.push(replacement);
    this.written = span.end;
  }

  /** Lets the last replacement stand for so many more characters of the input. */
  extend(length: number): void {
    this.read += length;
    if (this.last !== undefined) this.last.to = this.read;
  }

  emit(text: string, findings: readonly Finding[]): void {
    let from = 0;
    for (const { start, end, kind } of findings) {
      this.keep(text.slice(from, start));
      this.begin(kind);
      this.extend(end - start);
      from = end;
    }
    this.keep(text.slice(from));
  }

  take(): string {
    const text = this.pieces.join('');
    this.pieces = [];
    return text;
  }

  /** The edits since the last call. The newest may still grow. */
  takeEdits(): readonly Edit[] {
    const edits = this.edits;
    this.edits = [];
    return edits;
  }
}

/** A text in pieces: what is found in it does not depend on where the pieces were cut. */
export class WindowedText {
  private history = '';
  private buffer = '';
  private resume: Finding['resume'];
  private readonly out: PieceOutput;
  private readonly find: (text: string) => readonly Finding[];

  constructor(out: PieceOutput, find: (text: string) => readonly Finding[]) {
    this.out = out;
    this.find = find;
  }

  push(text: string, final: boolean): void {
    this.buffer += text;
    while (this.buffer !== '' && (final || this.buffer.length >= WINDOW + AHEAD)) {
      if (this.resume !== undefined) this.goOn(this.resume);
      else this.search(final);
    }
  }

  /** Drops the rest of a secret that was longer than a window. */
  private goOn(resume: NonNullable<Finding['resume']>): void {
    const end = resume(this.buffer, 0);
    this.out.extend(end);
    if (end < this.buffer.length) this.resume = undefined;
    this.advance(end);
  }

  private search(final: boolean): void {
    const text = this.history + this.buffer;
    let done = this.history.length;
    const cut = final ? text.length : text.length - AHEAD;
    for (const found of this.find(text)) {
      const start = Math.max(found.start, done);
      if (found.end <= start || start >= cut) continue;
      this.out.keep(text.slice(done, start));
      this.out.begin(found.kind);
      this.out.extend(found.end - start);
      done = found.end;
      if (done === text.length && !final) this.resume = found.resume;
    }
    if (done < cut) this.out.keep(text.slice(done, cut));
    this.advance(Math.max(done, cut) - this.history.length);
  }

  private advance(length: number): void {
    this.history = (this.history + this.buffer.slice(0, length)).slice(-HISTORY);
    this.buffer = this.buffer.slice(length);
  }
}

/** Joins the replacements of two passes that run behind one another, as far as the second one has come. */
export class SpanJoin {
  private waiting: RedactionSpan[] = [];
  private last: Edit | undefined;

  /** Takes new spans of the first pass, in the text that the second one reads. */
  add(spans: readonly RedactionSpan[]): void {
    this.waiting = [...this.waiting, ...spans];
  }

  /** Returns where all replacements stand in the second pass's output, given its new edits and how far it has read. */
  take(edits: readonly Edit[], read: number): readonly RedactionSpan[] {
    const joined: RedactionSpan[] = [];
    let next = 0;
    let done = 0;
    for (; done < this.waiting.length; done++) {
      const span = this.waiting[done];
      if (span === undefined || span.end > read) break;
      for (let edit = edits[next]; edit !== undefined && edit.from < span.end; edit = edits[++next]) {
        joined.push(edit.span);
        this.last = edit;
      }
      if (this.last === undefined || span.start >= this.last.to) joined.push(shifted(span, this.last));
    }
    this.waiting = this.waiting.slice(done);
    for (const edit of edits.slice(next)) joined.push((this.last = edit).span);
    return joined;
  }

  /** Returns how many of the last characters read are the beginning of a marker whose end is still to come. */
  held(read: number): number {
    const span = this.waiting[0];
    if (span === undefined || span.start >= read || span.start < (this.last?.to ?? 0)) return 0;
    return read - span.start;
  }
}

function shifted(span: RedactionSpan, last: Edit | undefined): RedactionSpan {
  const shift = last === undefined ? 0 : last.span.end - last.to;
  return { ...span, start: span.start + shift, end: span.end + shift };
}
