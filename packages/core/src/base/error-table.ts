/** Every error code once, of all tables below `errors/`. `docs/errors.md` is generated from it. */
import { OPERATION } from './errors/operation.js';
import { PARTIAL } from './errors/partial.js';
import { PROGRAM } from './errors/program.js';
import { REPOSITORY } from './errors/repository.js';
import { SELECTION } from './errors/selection.js';
import { SETTINGS } from './errors/settings.js';
import { SHARING } from './errors/sharing.js';
import { STORE } from './errors/store.js';
import { WORDS } from './errors/words.js';
import { WORKTREE } from './errors/worktree.js';

export type { ErrorEntry, ErrorKind } from './errors/entry.js';

/** Every error by its code: kind, message and hint with the names of `data` in braces. `docs/errors.md` is made of it. */
export const ERROR_TABLE = {
  ...WORDS,
  ...REPOSITORY,
  ...STORE,
  ...WORKTREE,
  ...OPERATION,
  ...SELECTION,
  ...SETTINGS,
  ...PARTIAL,
  ...SHARING,
  ...PROGRAM,
};

/** A permanent code; each is an anchor in `docs/errors.md`. */
export type ErrorCode = keyof typeof ERROR_TABLE;

type Placeholders<S> = S extends `${string}{${infer Inner}}${infer Rest}` ? Name<Inner> | Placeholders<Rest> : never;
type Name<S extends string> = S extends `${infer Before}|${string}` ? Before : S;
type Texts<C extends ErrorCode> = (typeof ERROR_TABLE)[C] extends { readonly hint: infer H extends string }
  ? (typeof ERROR_TABLE)[C]['message'] | H
  : (typeof ERROR_TABLE)[C]['message'];

/** The data that an error of this code must carry: one value for each placeholder, and more where it helps. */
export type ErrorData<C extends ErrorCode> = Readonly<Record<Placeholders<Texts<C>>, string | number>> &
  Readonly<Record<string, unknown>>;
