/** The one error class of Savepoint and the exit codes that its kinds stand for. */
import { counted } from './counted.js';
import { ERROR_TABLE, type ErrorCode, type ErrorData, type ErrorEntry, type ErrorKind } from './error-table.js';

export type { ErrorCode, ErrorKind } from './error-table.js';

/** Process exit code of each error kind. An unknown non-zero code is a failure. */
export const EXIT_CODES: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  usage: 2,
  partial: 3,
  no_repository: 10,
  locked: 11,
  not_found: 12,
  conflict: 13,
  untrusted: 14,
  corrupt: 15,
  too_new: 16,
  refused: 17,
  recovery_needed: 18,
  interrupted: 130,
};

/** The JSON form of an error, as printed on standard error with `--json`. */
export interface ErrorObject {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Every failure that Savepoint reports: a permanent code, its kind, a full sentence, and the next step. */
export class ContextError extends Error {
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, data: Readonly<Record<string, unknown>>, cause?: unknown) {
    const entry: ErrorEntry = ERROR_TABLE[code];
    super(fillTemplate(entry.message, data), cause === undefined ? undefined : { cause });
    this.name = 'ContextError';
    this.code = code;
    this.kind = entry.kind;
    this.data = data;
    this.hint = entry.hint === undefined ? undefined : fillTemplate(entry.hint, data);
  }

  toJSON(): ErrorObject {
    const { code, kind, message, hint, data } = this;
    return hint === undefined ? { code, kind, message, data } : { code, kind, message, hint, data };
  }
}

/**
 * Returns the error for a code of the table; the type of `data` demands each placeholder of its texts.
 * @example
 * const error = contextError('no_snapshots', {});
 * console.log(error.kind, EXIT_CODES[error.kind], JSON.stringify(error));
 */
export function contextError<C extends ErrorCode>(code: C, data: ErrorData<C>, cause?: unknown): ContextError {
  return new ContextError(code, data, cause);
}

/**
 * Returns `error` itself if it is a ContextError, else one around it: `system_failed` for what the operating system
 * refused, otherwise `invariant_broken`.
 * @example
 * console.log(asContextError(new Error('unexpected')).code);
 */
export function asContextError(error: unknown): ContextError {
  if (error instanceof ContextError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  // A disk that fails and a limit that is reached are no bugs of ours.
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const isSystem = typeof code === 'string' && typeof syscall === 'string';
  return new ContextError(isSystem ? 'system_failed' : 'invariant_broken', { reason }, error);
}

/** Returns what an error says without what it says of its consequences, for whoever makes another error of it. */
export function reasonOf({ message }: ContextError): string {
  return message.replace(/ Nothing was changed\.$/, '');
}

/** The same as a part of a sentence: without its period. */
export function clauseOf(error: ContextError): string {
  return reasonOf(error).replace(/\.$/, '');
}

/** `{name}` becomes the value; `{name|path|paths}` the value with the noun that goes with it. */
function fillTemplate(template: string, data: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, inner: string) => {
    const [name = '', ...nouns] = inner.split('|');
    if (!(name in data)) return whole;
    const value = data[name];
    return typeof value === 'number' && nouns.length > 0
      ? counted(value, ...(nouns as [string, string]))
      : [String(value), ...nouns.slice(1)].join(' ');
  });
}
