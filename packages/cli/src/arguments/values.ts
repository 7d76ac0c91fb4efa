/** Values of the command line in the form that ops take. */
import path from 'node:path';
import { contextError, type RewindRequest } from '@savepoint/core';

/** The object without its undefined fields, which ops do not accept in place of absent ones. */
export type Given<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns the object without its undefined fields. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** Returns a whole number above 0. @throws argument_malformed */
export function count(value: string, argument: string): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (number > 0) return number;
  throw contextError('argument_malformed', { value, argument, reason: 'it is not a whole number above 0' });
}

/** Returns the words of a list such as `a,b`. */
export function commaList(values: readonly string[]): readonly string[] {
  return values.flatMap((value) => value.split(',')).filter((word) => word !== '');
}

/** What was given of things that exclude each other, by how they are called. */
export type Alternatives = Readonly<Record<string, string | boolean | readonly unknown[] | undefined>>;

/** @throws arguments_exclusive where more than one of them was given */
export function onlyOne(command: string, alternatives: Alternatives): void {
  const given = Object.entries(alternatives).filter(([, value]) => isGiven(value));
  const [first = '', second] = given.map(([name]) => name);
  if (second !== undefined) throw contextError('arguments_exclusive', { command, first, second });
}

function isGiven(value: Alternatives[string]): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/**
 * Returns a path as snapshots name it. Paths are those that Savepoint prints, relative to the worktree's root; one that
 * is absolute or starts with `./` or `../` is meant from where the user stands.
 */
export function worktreePath(name: string, directory: string, root: string): string {
  if (!path.isAbsolute(name) && !/^\.\.?(?:\/|$)/.test(name)) return name.replace(/\/+$/, '');
  return path.relative(root, path.resolve(directory, name)).split(path.sep).join('/') || '.';
}

type ExactPath = NonNullable<RewindRequest['paths']>[number];

/**
 * Returns the names that the file of `--paths0` lists, none without that option.
 * @throws argument_malformed where neither it nor the command line names a path, which must never mean "all"
 */
export function listedPaths(
  file: string | undefined,
  named: readonly string[],
  read: (file: string) => Uint8Array,
): readonly ExactPath[] {
  if (file === undefined) return [];
  const listed = exactPathList(read(file));
  if (listed.length === 0 && named.length === 0) {
    throw contextError('argument_malformed', { value: file, argument: '--paths0', reason: 'it names no path' });
  }
  return listed;
}

/** Returns the names of a NUL-separated list, such as `git ls-files -z` prints; one that is not UTF-8 keeps its bytes. */
function exactPathList(bytes: Uint8Array): readonly ExactPath[] {
  const list = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names: ExactPath[] = [];
  for (let at = 0; at < list.length;) {
    const end = list.indexOf(0, at);
    const name = list.subarray(at, end < 0 ? list.length : end);
    if (name.length > 0) names.push(exactPath(name));
    at += name.length + 1;
  }
  return names;
}

function exactPath(name: Buffer): ExactPath {
  const path = name.toString('utf8');
  return Buffer.from(path, 'utf8').equals(name) ? path : { path, pathBytes: name.toString('base64') };
}
