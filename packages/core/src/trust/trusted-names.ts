/** `trusted.json`: the names that the user gave to keys of others, `{"keys": [{"key", "name"}]}`. */
import type { Random } from '../base/clock.js';
import { contextError } from '../base/errors.js';
import type { Signer } from '../model/snapshot.js';
import { isErrno, readWhole, replaceWhole } from './key-disk.js';
import { signerProblem } from './public-key.js';

/**
 * Returns the names by key. A file that cannot be read is an error, since without it a trusted key would silently become
 * an unknown one.
 * @throws settings_unreadable
 */
export function readTrusted(file: string): ReadonlyMap<Signer, string> {
  const refuse = (reason: string, cause?: unknown) =>
    contextError('settings_unreadable', { path: file, reason }, cause);
  let value: unknown;
  try {
    const found = readWhole(file);
    if (found === undefined) return new Map();
    value = JSON.parse(found.content);
  } catch (error) {
    throw refuse(isErrno(error) ? (error.code ?? error.message) : 'it is not JSON', error);
  }
  const keys =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)['keys'] : undefined;
  if (!Array.isArray(keys)) throw refuse('it has no list `keys`');
  const names = new Map<Signer, string>();
  for (const entry of keys as readonly unknown[]) {
    const { key, name } = (typeof entry === 'object' && entry !== null ? entry : {}) as Readonly<
      Record<string, unknown>
    >;
    if (typeof key !== 'string' || typeof name !== 'string' || signerProblem(key) !== undefined) {
      throw refuse('an entry of `keys` has no usable `key` and `name`');
    }
    names.set(key, name);
  }
  return names;
}

/** Replaces the file whole. Of two at the same moment, the later one wins. */
export function writeTrusted(file: string, names: ReadonlyMap<Signer, string>, random: Random): void {
  const keys = [...names].map(([key, name]) => ({ key, name })).sort((a, b) => (a.key < b.key ? -1 : 1));
  replaceWhole(file, `${JSON.stringify({ keys }, undefined, 2)}\n`, random);
}
