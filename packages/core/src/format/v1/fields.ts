/** The shapes that several documents of version 1 share: ids, signers, paths, witnesses. */
import { strictText, text as lossyText, compareUtf8 } from '../../base/bytes.js';
import type { JsonValue } from '../../base/json.js';
import { fromRepoPath, type RepoPath } from '../../base/path.js';
import type { Witness } from '../../model/snapshot.js';
import { hexDigits, integer, oneOf, record, text, type Check } from '../shape.js';

/** An array has at most this many elements. */
export const LIST_LIMIT = 4_000_000;
/** Short texts for people: reasons, names. */
export const SHORT_TEXT = 4096;

/** Of a snapshot's message, in UTF-16 code units. */
export const MESSAGE_LENGTH = 1024 * 1024;
export const TAG_LENGTH = 256;
export const TAG_COUNT = 1024;
/** Control characters in a tag would reach a terminal. */
export const TAG_FORM = /^[^\p{Cc}]+$/u;

export const count = integer(0);
export const snapshotId = hexDigits(64);
/** Ids of repositories, timelines, worktrees and replicas: 128 random bits. */
export const randomId = hexDigits(32);
/** Ids of git objects, in either object format. */
export const objectId = hexDigits(40, 64);
export const signer = text(72, /^ed25519:[0-9a-f]{64}$/);
export const mode = text(4, /^[0-7]{4}$/);
/** Names that Savepoint itself gives: of agents, slices, kinds. */
export const token = text(128, /^[A-Za-z0-9][A-Za-z0-9._-]*$/);

export const boundaryKind = oneOf('submodule', 'repository', 'special', 'sparse');
export const omissionReason = oneOf('unreadable', 'changing', 'too_large', 'over_limit');

/**
 * The fields of a `RepoPath`, and the rule that ties them. Names that reach into a git directory are accepted, since
 * a record may have to tell of them; whoever writes files has to judge them first.
 */
export const pathFields = { path: text(65_536) } as const;
export const optionalPathFields = { pathBytes: text(131_072) } as const;

/** Returns why a path cannot be one, or undefined. `folder`: it may end in `/`. */
export function pathRule(value: unknown, folder: boolean): string | undefined {
  const { path, pathBytes } = value as RepoPath;
  if (pathBytes !== undefined) {
    const bytes = Buffer.from(pathBytes, 'base64');
    if (bytes.toString('base64') !== pathBytes) return 'pathBytes is not base64';
    if (strictText(bytes) !== undefined) return 'pathBytes stands although path says it all';
    if (lossyText(bytes) !== path) return 'path and pathBytes differ';
  }
  const plain = folder && path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain === '' || plain.includes('\0')) return 'path is empty or holds a NUL byte';
  const outside = plain.split('/').some((part) => part === '' || part === '.' || part === '..');
  return outside ? 'path is not relative to the root, or has an empty, `.` or `..` part' : undefined;
}

/** A path with more fields beside it. */
export function pathRecord(
  required: Readonly<Record<string, Check>> = {},
  {
    optional = {},
    folder = false,
  }: { readonly optional?: Readonly<Record<string, Check>>; readonly folder?: boolean } = {},
): Check {
  return record({ ...pathFields, ...required }, { ...optionalPathFields, ...optional }, (value) =>
    pathRule(value, folder),
  );
}

/** The exact bytes of an element's path, as a key. */
export function pathKey(element: JsonValue): string {
  return fromRepoPath(element as unknown as RepoPath);
}

/** Sorts by the exact bytes of the path, then by `then`. */
export function byPath<T extends RepoPath>(elements: readonly T[], then?: (a: T, b: T) => number): readonly T[] {
  if (elements.length < 2) return elements;
  const keyed = elements.map((element) => ({ key: fromRepoPath(element), element }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : (then?.(a.element, b.element) ?? 0)));
  return keyed.map(({ element }) => element);
}

/** Sorts by the bytes of a name. */
export function byName<T>(elements: readonly T[], name: (element: T) => string): readonly T[] {
  const inOrder = elements.every((element, at) => {
    const before = elements[at - 1];
    return before === undefined || compareUtf8(name(before), name(element)) <= 0;
  });
  return inOrder ? elements : [...elements].sort((a, b) => compareUtf8(name(a), name(b)));
}

/** Sorts strings by their bytes, and keeps each once. */
export function byBytes(values: readonly string[]): readonly string[] {
  return byName([...new Set(values)], (value) => value);
}

export const witness = record({ timeline: randomId, sequence: integer(1), id: snapshotId });

export function byTimeline(witnesses: readonly Witness[]): readonly Witness[] {
  return byName(witnesses, ({ timeline }) => timeline);
}
