/**
 * The gate: everything that would leave is searched once more by the present redactor. Nothing is edited here: bytes that
 * were hashed stay as they are, and a file in which something is found stays here as a whole. Markers of an earlier
 * redaction are no finding, since redacting twice changes nothing.
 */
import { contextError } from '../../base/errors.js';
import { LongLineRedactor, redactBytes, redactLine, redactText } from '../../redact/redactor.js';

/** A file in which a secret was found. What it is, nobody is told. */
export interface Finding {
  readonly path: string;
  readonly kind: string;
}

/** Searches the files of one slice. */
export interface SliceGate {
  /** Starts the next file. The parts of a log come one after the other, without their sidecars between them. */
  begin(path: string): void;
  push(bytes: Uint8Array): void;
  /** Returns the first finding in each file. */
  end(): readonly Finding[];
}

/** What searches; a test puts one in its place that fails. */
export interface Search {
  readonly line: typeof redactLine;
  readonly bytes: typeof redactBytes;
  readonly text: typeof redactText;
  readonly long: () => Pick<LongLineRedactor, 'push' | 'end'>;
}

export const SEARCH: Search = {
  line: redactLine,
  bytes: redactBytes,
  text: redactText,
  long: () => new LongLineRedactor(),
};

/** As much is looked at as a whole; what is longer goes through in pieces, as in a capture. */
const WHOLE_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/** A line, or a file that is no list of lines, with the files that it stands in: a long line goes on in the next part. */
class Piece {
  readonly #search: Search;
  readonly #whole: (bytes: Uint8Array) => { readonly spans: readonly { readonly kind: string }[] };
  readonly paths = new Set<string>();
  #pending: Uint8Array[] = [];
  #bytes = 0;
  #long: ReturnType<Search['long']> | undefined;
  #kind: string | undefined;

  constructor(search: Search, isLine: boolean) {
    this.#search = search;
    this.#whole = isLine ? search.line : search.bytes;
  }

  push(bytes: Uint8Array): void {
    if (this.#long === undefined) {
      this.#pending.push(Uint8Array.from(bytes));
      this.#bytes += bytes.length;
      if (this.#bytes <= WHOLE_BYTES) return;
      this.#long = this.#search.long();
      for (const part of this.#pending) this.#note(this.#long.push(part).spans);
      this.#pending = [];
      return;
    }
    this.#note(this.#long.push(bytes).spans);
  }

  /** Returns what kind of secret is in it, if any. */
  end(): string | undefined {
    if (this.#long !== undefined) this.#note(this.#long.end().spans);
    else if (this.#bytes > 0) this.#note(this.#whole(Buffer.concat(this.#pending)).spans);
    return this.#kind;
  }

  #note(spans: readonly { readonly kind: string }[]): void {
    this.#kind ??= spans[0]?.kind;
  }
}

/** @throws gate_failed, from every call, where the search itself fails */
export function sliceGate(search: Search = SEARCH): SliceGate {
  const found = new Map<string, string>();
  let path = '';
  let piece: Piece | undefined;
  const finish = (): void => {
    const kind = piece?.end();
    for (const one of piece?.paths ?? []) if (kind !== undefined && !found.has(one)) found.set(one, kind);
    piece = undefined;
  };
  const add = (bytes: Uint8Array, isLine: boolean): void => {
    piece ??= new Piece(search, isLine);
    piece.paths.add(path);
    piece.push(bytes);
  };
  return {
    begin: (next) => {
      guarded(() => {
        if (!goesOn(path, next)) finish();
        path = next;
      });
    },
    push: (bytes) => {
      guarded(() => {
        if (!/\.jsonl?$/.test(path)) {
          add(bytes, false);
          return;
        }
        let from = 0;
        for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
          add(bytes.subarray(from, at), true);
          finish();
          from = at + 1;
        }
        if (from < bytes.length) add(bytes.subarray(from), true);
      });
    },
    end: () =>
      guarded(() => {
        finish();
        return [...found].map(([one, kind]) => ({ path: one, kind }));
      }),
  };
}

// A part of a log that does not end with its line goes on in the next part of the same log.
function goesOn(before: string, next: string): boolean {
  return before.endsWith('.jsonl') && next.endsWith('.jsonl') && logOf(before) === logOf(next);
}

function logOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** Returns what kind of secret a text holds, or undefined. @throws gate_failed */
export function secretIn(text: string, search: Search = SEARCH): string | undefined {
  return guarded(() => Object.keys(search.text(text).kinds)[0]);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Not its message: that may repeat what it was looking at.
    throw contextError('gate_failed', {
      reason: `the search ended with a ${error instanceof Error ? error.name : 'failure'}`,
    });
  }
}
