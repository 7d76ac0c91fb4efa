/**
 * Refs as git keeps them in files (gitrepository-layout(5)): one of their own, else a line in `packed-refs`. Only a plain
 * answer counts; for all else, such as a repository with reftables, git is asked.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import type { ObjectId } from '../../../model/tree/tree.js';

export interface RefPlace {
  readonly objectFormat: ObjectFormat;
  /** The worktree's own git directory, which has its HEAD. */
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

export const PACKED_REFS = 'packed-refs';
/** What git allows of symbolic refs that name each other. */
const DEPTH = 5;
/** Refs that each worktree has for itself. */
const OWN = /^(?:[A-Z_]+$|refs\/(?:bisect|worktree|rewritten)\/)/;

/** Returns what a ref stands at, or undefined if that is not to be read from files. */
export function readRef(place: RefPlace, name: string, depth = 0): ObjectId | undefined {
  if (depth > DEPTH || name.includes('..')) return undefined;
  const content = read(path.join(OWN.test(name) ? place.gitDirectory : place.commonDirectory, name));
  // In this order: git removes the file only when the packed refs have the line.
  if (content === undefined) return packed(place, name);
  const text = content.toString('latin1').trimEnd();
  return text.startsWith('ref: ') ? readRef(place, text.slice(5), depth + 1) : onlyId(place, text);
}

function packed(place: RefPlace, name: string): ObjectId | undefined {
  const refs = read(path.join(place.commonDirectory, PACKED_REFS));
  const at = refs?.indexOf(` ${name}\n`, 0, 'latin1') ?? -1;
  return refs === undefined || at < 0 ? undefined : packedId(place, refs, at);
}

/** Returns the id in the line of `packed-refs` whose space before the name stands at `at`. */
export function packedId(place: RefPlace, refs: Buffer, at: number): ObjectId | undefined {
  return onlyId(place, refs.toString('latin1', refs.lastIndexOf('\n', at) + 1, at));
}

/** Returns the id that the text of a ref's file is, without its newline, or undefined if it is anything else. */
export function onlyId({ objectFormat }: RefPlace, text: string): ObjectId | undefined {
  const length = objectFormat === 'sha1' ? 40 : 64;
  return text.length === length && /^[0-9a-f]+$/.test(text) ? text : undefined;
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
