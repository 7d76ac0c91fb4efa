/** Objects of the store written once more, in a pack of their own: one that a gc which is at work has not listed. */
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ObjectId } from '../../../model/tree/tree.js';
import { syncDirectory, syncFile } from '../system/durable.js';
import { writingInto } from '../system/object-directory.js';
import { gitProcess, type GitPlace } from '../system/process.js';

export interface CopyPlace {
  readonly place: GitPlace;
  /** The repository's object directory. */
  readonly objects: string;
  /** For the unfinished pack. */
  readonly folder: string;
}

/** Resolves with the name of the pack. @throws git_failed where one of the objects has gone */
export async function copyObjects({ place, objects, folder }: CopyPlace, ids: Iterable<ObjectId>): Promise<string> {
  const own = path.join(folder, 'copied');
  const from = path.join(own, 'pack');
  const into = path.join(objects, 'pack');
  mkdirSync(from, { recursive: true });
  const input = Buffer.from([...ids].map((id) => `${id}\n`).join(''));
  const options = ['--delta-base-offset', '--window=0', '--quiet', '--threads=1'];
  const git = gitProcess(writingInto(place, own, objects));
  await git.run({ args: ['pack-objects', ...options, path.join(from, 'pack')], input });
  // The pack before its index, so that no reader meets half of it.
  const names = readdirSync(from).sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
  for (const name of names) {
    syncFile(path.join(from, name));
    renameSync(path.join(from, name), path.join(into, name));
  }
  syncDirectory(into);
  rmSync(own, { recursive: true, force: true });
  return names.find((name) => name.endsWith('.pack')) ?? '';
}
