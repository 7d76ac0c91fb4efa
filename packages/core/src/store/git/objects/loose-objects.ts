/**
 * Makes loose objects of the user's own git durable. git does not sync them, and a snapshot that names one of them would
 * lose it with a power cut.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import type { ObjectId } from '../../../model/tree/tree.js';
import { replaceFile, syncDirectory } from '../system/durable.js';
import { ifThere } from '../system/if-there.js';

/** Systems write back what is older than half a minute; this is twenty times that. */
const WRITTEN_BACK_MILLISECONDS = 10 * 60 * 1000;
/** Time stamps of files may lag behind the clock by a tick. */
const TICK_MILLISECONDS = 1000;
const AT_ONCE = 16;

export interface LooseObjectsPlace {
  readonly objects: string;
  /** File that says up to when loose objects are known to be durable. */
  readonly marker: string;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Resolves when the objects, and all that lie below them, are durable. Those that are in packs are left alone. */
export async function syncLooseObjects(place: LooseObjectsPlace, ids: Iterable<ObjectId>): Promise<void> {
  const since = Math.max(place.now - WRITTEN_BACK_MILLISECONDS, readMarker(place.marker));
  if (!someChanged(place.objects, ids, since)) return;
  // What a tree names is not known here; but git wrote it no later than the tree.
  const folders = fs
    .readdirSync(place.objects)
    .filter((name) => /^[0-9a-f]{2}$/.test(name))
    .map((name) => path.join(place.objects, name))
    .filter((folder) => changedSince(folder, since));
  for (const folder of folders) await syncFolder(folder, since);
  syncDirectory(place.objects);
  writeMarker(place);
}

// Whoever has a new tree has at least one new object: the tree itself. git touches one that it finds to be there.
function someChanged(objects: string, ids: Iterable<ObjectId>, since: number): boolean {
  for (const id of ids) if (changedSince(path.join(objects, id.slice(0, 2), id.slice(2)), since)) return true;
  return false;
}

// The folder may have gone since as well.
async function syncFolder(folder: string, since: number): Promise<void> {
  const all = ifThere(() => fs.readdirSync(folder)) ?? [];
  const names = all.filter((name) => changedSince(path.join(folder, name), since));
  for (let at = 0; at < names.length; at += AT_ONCE) {
    await Promise.all(names.slice(at, at + AT_ONCE).map((name) => syncQuietly(path.join(folder, name))));
  }
  ifThere(() => {
    syncDirectory(folder);
  });
}

// Gone since: a gc packed it, and synced the pack.
async function syncQuietly(file: string): Promise<void> {
  const handle = await fs.promises.open(file, 'r').catch(() => undefined);
  if (handle === undefined) return;
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function changedSince(file: string, since: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Math.max(stat.mtimeMs, stat.ctimeMs) >= since;
}

function readMarker(file: string): number {
  try {
    return Number(/^(\d+)\n$/.exec(fs.readFileSync(file, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function writeMarker({ marker, now }: LooseObjectsPlace): void {
  try {
    const temporary = `${marker}.${String(process.pid)}.tmp`;
    replaceFile(marker, Buffer.from(`${String(now - TICK_MILLISECONDS)}\n`), { temporary, durable: false });
  } catch {
    // The next capture syncs the same objects once more.
  }
}
