/** The user's history as bytes: HEAD, index, refs and state files, without what belongs to Savepoint or only grows. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Objects may grow; the private part is Savepoint's own.
const OWN = new Set(['objects', 'savepoint', 'refs/savepoint', 'logs/refs/savepoint']);

/** By path in the git directory. */
export function historyState(gitDirectory: string): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const name of readdirSync(join(gitDirectory, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (OWN.has(path)) continue;
      const absolute = join(gitDirectory, path);
      if (lstatSync(absolute).isDirectory()) visit(path);
      else seen.set(path, createHash('sha256').update(readFileSync(absolute)).digest('hex'));
    }
  };
  visit('');
  return seen;
}

/** Returns what differs between two states. */
export function historyChanges(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).map((name) => `git's ${name} changed`);
}
