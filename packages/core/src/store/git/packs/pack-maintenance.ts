/**
 * Merges the packs of many captures into one. The order is everything: the merged pack is complete, verified and synced
 * before an old one counts as superfluous, and an old one goes only when no git program can be in the middle of it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock, Random } from '../../../base/clock.js';
import { ContextError } from '../../../base/errors.js';
import type { Git } from '../../../base/git-command.js';
import type { Maintenance, MaintenanceReport } from '../../../model/maintenance.js';
import type { LocalState } from '../../local-state.js';
import { removeQuietly, syncDirectory, syncFile } from '../system/durable.js';
import { incomingName } from '../unfinished/incoming.js';
import { releaseForgotten } from '../unfinished/kept-pack.js';
import { sweepTemporaries } from '../unfinished/temporaries.js';
import { isGcRunning } from './gc.js';
import { countEvents, notePacks, readPackList, tidyPackList, type PackList } from './pack-list.js';
import { gitReaders } from '../system/readers.js';

export interface PackPlace {
  readonly objects: string;
  readonly commonDirectory: string;
  readonly root: string;
  readonly git: Git;
  readonly local: LocalState;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * git's own gc begins to stir at 50 packs. What a capture adds to a log takes a third less once it is merged: waiting for 32
 * packs, a log went over its budget of bytes between two merges (docs/benchmarks.md).
 */
const MERGE_FROM = 16;
const RETRY_EVERY = 8;
/** A pack is left alone once it is this many times larger than all smaller ones together. */
const LARGER = 2;
/** Where it cannot be seen who reads, superfluous packs stay this long. */
const BLIND_GRACE_MILLISECONDS = 60 * 60 * 1000;

export function packListFile(commonDirectory: string): string {
  return path.join(commonDirectory, 'savepoint', 'packs');
}

export function packMaintenance(place: PackPlace): Maintenance {
  const file = packListFile(place.commonDirectory);
  return {
    isDue: () => {
      // At every capture, and nearly always the counts say enough.
      const { added, merged, removed } = countEvents(file);
      if (added - merged < MERGE_FROM && merged === removed) return false;
      const { present, superfluous } = readPackList(file);
      // What still waits for a reader to end is looked at again now and then, not at every capture.
      return present.size >= MERGE_FROM || (superfluous.size > 0 && present.size % RETRY_EVERY === 0);
    },
    run: async () => {
      try {
        return await place.local.locked('packs', 0, () => maintain(place, file));
      } catch (error) {
        if (error instanceof ContextError && error.code === 'timeline_locked') return idle('another process is at it');
        throw error;
      }
    },
  };
}

function idle(skipped: string): MaintenanceReport {
  return { merged: 0, removed: 0, waiting: 0, skipped };
}

async function maintain(place: PackPlace, file: string): Promise<MaintenanceReport> {
  if (isGcRunning(place.commonDirectory)) return idle('git gc is running');
  sweepTemporaries(path.join(place.commonDirectory, 'savepoint'), place.clock);
  releaseForgotten(path.join(place.objects, 'pack'), place.clock);
  const removed = removeSuperfluous(place, file);
  const group = packsToMerge(place, readPackList(file));
  const merged = group.length < 2 ? 0 : await merge(place, file, group);
  const after = merged === 0 ? 0 : removeSuperfluous(place, file);
  const list = readPackList(file);
  tidyPackList(file, list);
  return { merged, removed: removed + after, waiting: list.superfluous.size };
}

/** Small packs first: as many as are needed for each larger one to stay LARGER times the size of all before it. */
function packsToMerge(place: PackPlace, { present }: PackList): readonly string[] {
  const packs = [...present]
    .map((name) => ({ name, size: sizeOf(place, name) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => a.size - b.size);
  if (packs.length < MERGE_FROM) return [];
  let end = 0;
  let total = 0;
  for (const [at, { size }] of packs.entries()) {
    if (at > 1 && size >= LARGER * total) break;
    total += size;
    end = at + 1;
  }
  return packs.slice(0, end).map(({ name }) => name);
}

function sizeOf({ objects }: PackPlace, name: string): number {
  const pack = path.join(objects, 'pack', name);
  // Somebody pinned it, or it went in a gc of the user's.
  if (existsSync(withEnding(pack, '.keep')) || !existsSync(withEnding(pack, '.idx'))) return 0;
  try {
    return statSync(pack).size;
  } catch {
    return 0;
  }
}

function withEnding(pack: string, ending: string): string {
  return pack.replace(/\.pack$/, ending);
}

async function merge(place: PackPlace, file: string, group: readonly string[]): Promise<number> {
  const folder = path.join(place.commonDirectory, 'savepoint', 'incoming', incomingName(place.random));
  mkdirSync(folder, { recursive: true });
  try {
    const made = await writeMerged(place, folder, group);
    if (made === undefined || !(await holdsAll(place, folder, { made, group }))) return 0;
    install(place, folder, made);
    notePacks(file, '+', [made]);
    notePacks(
      file,
      '=',
      group.filter((name) => name !== made),
    );
    return group.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeMerged({ git }: PackPlace, folder: string, group: readonly string[]): Promise<string | undefined> {
  const input = Buffer.from(group.map((name) => `${name}\n`).join(''));
  const options = ['--stdin-packs', '--delta-base-offset', '--no-reuse-delta', '--quiet', '--threads=1'];
  await git.run({ args: ['pack-objects', ...options, path.join(folder, 'pack')], input });
  return readdirSync(folder).find((name) => name.endsWith('.pack'));
}

/** Reads the merged pack in full, and looks for every object of the old ones in it. */
async function holdsAll(
  { git, objects }: PackPlace,
  folder: string,
  { made, group }: { made: string; group: readonly string[] },
): Promise<boolean> {
  await git.run({ args: ['verify-pack', path.join(folder, withEnding(made, '.idx'))] });
  const ids = async (pack: string): Promise<readonly string[]> => {
    const { stdout } = await git.run({ args: ['show-index'], input: readFileSync(withEnding(pack, '.idx')) });
    return stdout
      .toString('latin1')
      .split('\n')
      .map((line) => line.split(' ')[1] ?? '');
  };
  const held = new Set(await ids(path.join(folder, made)));
  for (const name of group) {
    if (!(await ids(path.join(objects, 'pack', name))).every((id) => held.has(id))) return false;
  }
  return true;
}

function install({ objects }: PackPlace, folder: string, made: string): void {
  const names = readdirSync(folder).sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
  for (const name of names.filter((one) => one.startsWith(made.slice(0, -'.pack'.length)))) {
    syncFile(path.join(folder, name));
    renameSync(path.join(folder, name), path.join(objects, 'pack', name));
  }
  syncDirectory(path.join(objects, 'pack'));
}

function removeSuperfluous(place: PackPlace, file: string): number {
  const folder = path.join(place.objects, 'pack');
  const names = [...readPackList(file).superfluous];
  const gone = names.filter((name) => !existsSync(path.join(folder, name)));
  const there = names.filter((name) => !gone.includes(name));
  const removed = removableNow(place, there);
  // Without its index a pack is invisible: so all indexes go first, and quickly.
  for (const ending of ['.idx', '.rev', '.pack']) {
    for (const name of removed) removeQuietly(withEnding(path.join(folder, name), ending));
  }
  notePacks(file, '-', [...gone, ...removed]);
  return removed.length;
}

function removableNow(place: PackPlace, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const readers = gitReaders([place.root, place.commonDirectory]);
  if (readers !== 'unknown') return readers === 'none' ? names : [];
  const before = place.clock.now() - BLIND_GRACE_MILLISECONDS;
  return names.filter((name) => statSync(path.join(place.objects, 'pack', name)).ctimeMs < before);
}
