/** Redacts a line too long to hold: in pieces, with bounded memory, so that no border of a piece hides a secret. */
import type { RedactionSpan } from '../model/context/transcript.js';
import { fromLatin1, latin1 } from './text/byte-text.js';
import { findInText } from './find.js';
import { endOfLiteral, JsonWalk } from './json-text.js';
import { PieceOutput, SpanJoin, WindowedText } from './windows.js';

/** A literal up to this length is looked at as a whole, exactly as in a short line. */
const LONGEST_LITERAL = 512 * 1024;
const BLOCK = 64 * 1024;

/** The spans are those of the bytes given out with them. */
export interface LongLineEnd extends RedactedPiece {
  /** True if the line is UTF-8 and has the structure of one JSON value; its numbers and escapes are not checked. */
  readonly readable: boolean;
}

export interface RedactedPiece {
  readonly bytes: Uint8Array;
  /** Where replacements stand in `bytes`; none goes beyond them. */
  readonly spans: readonly RedactionSpan[];
}

/** Yields the redacted bytes of a line whose bytes come in chunks of any size. */
export function* redactLongLine(
  chunks: Iterable<Uint8Array>,
): Generator<RedactedPiece, { readonly readable: boolean }> {
  const redactor = new LongLineRedactor();
  for (const chunk of chunks) {
    const piece = redactor.push(chunk);
    if (piece.bytes.length > 0) yield piece;
  }
  const { readable, ...last } = redactor.end();
  yield last;
  return { readable };
}

/** The same, pushed: give it chunks and store what it returns. */
export class LongLineRedactor {
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });
  private isUtf8 = true;
  private waiting = '';
  private readonly first = new Pass();
  // A replacement can bring to light what its neighbours hid; the second pass finds it, as in a short line.
  private readonly second = new Pass();
  private readonly join = new SpanJoin();
  /** What is redacted but ends within a marker. */
  private held = '';
  private given = 0;

  /** Takes the next bytes of the line and returns the redacted bytes that are ready. */
  push(chunk: Uint8Array): RedactedPiece {
    this.checkUtf8(chunk);
    this.waiting += latin1(chunk);
    let ready = '';
    let from = 0;
    // Blocks of one size, so that the result does not depend on how the line was cut into chunks.
    for (; this.waiting.length - from >= BLOCK; from += BLOCK) {
      ready += this.pushSecond(this.first.push(this.waiting.slice(from, from + BLOCK)));
    }
    this.waiting = this.waiting.slice(from);
    return this.give(ready);
  }

  /** Ends the line and returns its remaining bytes. */
  end(): LongLineEnd {
    this.checkUtf8();
    const ready = this.pushSecond(this.first.end(this.waiting)) + this.second.end();
    return { ...this.give(ready), readable: this.isUtf8 && this.first.isWhole };
  }

  private pushSecond(text: string): string {
    this.join.add(this.first.out.takeEdits().map((edit) => edit.span));
    return this.second.push(text);
  }

  private give(ready: string): RedactedPiece {
    const { out } = this.second;
    const spans = this.join.take(out.takeEdits(), out.read);
    const text = this.held + ready;
    const length = text.length - this.join.held(out.read);
    const { given } = this;
    this.held = text.slice(length);
    this.given += length;
    return {
      bytes: fromLatin1(text.slice(0, length)),
      spans: spans.map((span) => ({ ...span, start: span.start - given, end: span.end - given })),
    };
  }

  private checkUtf8(chunk?: Uint8Array): void {
    if (!this.isUtf8) return;
    try {
      this.decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      this.isUtf8 = false;
    }
  }
}

/** One walk over the line, as JSON while it is JSON and as text from then on. */
class Pass {
  readonly out = new PieceOutput();
  private readonly walk = new JsonWalk();
  private pending = '';
  private mode: 'structure' | 'literal' | 'secret' | 'text' = 'structure';
  private windows = new WindowedText(this.out, (text) => findInText(text, 'text'));
  private broken = false;

  get isWhole(): boolean {
    return !this.broken && this.walk.isWhole;
  }

  push(text: string): string {
    this.pending += text;
    while (this.pending !== '' && this.step(false));
    return this.out.take();
  }

  end(text = ''): string {
    this.pending += text;
    while (this.pending !== '' && this.step(true));
    if (this.mode === 'literal' || this.mode === 'text') this.windows.push('', true);
    if (this.mode !== 'structure') this.broken ||= true;
    return this.out.take();
  }

  /** Takes something from what is pending; returns false when it needs more. */
  private step(final: boolean): boolean {
    if (this.mode === 'structure') return this.stepStructure(final);
    if (this.mode === 'text') return this.takeText(this.pending.length, final);
    const end = endOfLiteral(this.pending, 0);
    if (end >= 0) return this.endLiteral(end);
    // A backslash at the end belongs to a character that is still to come.
    const held = final ? 0 : (/\\+$/.exec(this.pending.slice(-64))?.[0].length ?? 0);
    return this.takeText(this.pending.length - held, false) && held === 0;
  }

  private stepStructure(final: boolean): boolean {
    const { consumed, findings, stop } = this.walk.scan(this.pending);
    this.out.emit(this.pending.slice(0, consumed), findings);
    this.pending = this.pending.slice(consumed);
    if (stop === 'end') return false;
    if (stop === 'error') return this.becomeText();
    if (!final && this.pending.length <= LONGEST_LITERAL) return false;
    this.beginLiteral();
    return true;
  }

  private becomeText(): boolean {
    this.broken = true;
    this.mode = 'text';
    return true;
  }

  private beginLiteral(): void {
    const { rule, kind } = this.walk.valueClass();
    this.out.keep('"');
    this.pending = this.pending.slice(1);
    this.mode = rule === 'secret' ? 'secret' : 'literal';
    if (rule === 'secret') this.out.begin(kind);
    const isData = this.walk.key === 'data' && /^[A-Za-z0-9+/_-]{4096}/.test(this.pending);
    const scope = rule === 'identifier' || rule === 'random' ? rule : isData ? 'random' : 'text';
    this.windows = new WindowedText(this.out, (text) => findInText(text, scope));
  }

  private endLiteral(end: number): boolean {
    this.takeText(end, true);
    this.out.keep('"');
    this.pending = this.pending.slice(1);
    this.walk.afterValue('');
    this.mode = 'structure';
    return true;
  }

  private takeText(length: number, final: boolean): boolean {
    const text = this.pending.slice(0, length);
    this.pending = this.pending.slice(length);
    if (this.mode === 'secret') this.out.extend(text.length);
    else this.windows.push(text, final);
    return true;
  }
}
