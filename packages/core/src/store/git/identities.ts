/** Who this store and its worktrees are: random ids, made at the first capture and kept beside the store. */
import { lstatSync } from 'node:fs';
import { strictText, utf8 } from '../../base/bytes.js';
import type { Random } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import type { LocalState } from '../local-state.js';

export interface StoreIdentity {
  /** 32 hex digits each. */
  readonly repository: string;
  readonly replica: string;
}

/** A worktree as `worktrees.json` has it. */
export interface WorktreeIdentity {
  readonly id: string;
  readonly timeline: string;
  readonly timelines: readonly string[];
  readonly gitDirectory: string;
  /** Inode and birth time of the git directory: git uses the names of deleted worktrees again. */
  readonly birth: string;
  readonly root: string;
  /** True for the one whose git directory is the common one. */
  readonly main: boolean;
}

export interface WorktreePlaceNames {
  readonly root: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

const STORE_FILE = 'store.json';
export const WORKTREES_FILE = 'worktrees.json';
const LOCK_MILLISECONDS = 30_000;

/** Returns the identity, or undefined before the first capture. @throws identity_unreadable */
export async function readStoreIdentity(local: LocalState): Promise<StoreIdentity | undefined> {
  const bytes = await local.read(STORE_FILE);
  if (bytes === undefined) return undefined;
  const { repository, replica } = parseObject(bytes, STORE_FILE) as Partial<StoreIdentity>;
  if (!isHex32(repository) || !isHex32(replica)) throw damaged(STORE_FILE, 'an id in it is not 32 hex digits');
  return { repository, replica };
}

/** Returns the identity, made now if there is none. `known` is the repository id that snapshots there name already. */
export async function claimStoreIdentity(
  local: LocalState,
  random: Random,
  known: string | undefined,
): Promise<StoreIdentity> {
  const offer: StoreIdentity = { repository: known ?? random.hex(32), replica: random.hex(32) };
  await local.claim(STORE_FILE, utf8(`${JSON.stringify(offer)}\n`));
  return (await readStoreIdentity(local)) ?? offer;
}

export async function readWorktrees(local: LocalState): Promise<readonly WorktreeIdentity[]> {
  const bytes = await local.read(WORKTREES_FILE);
  return bytes === undefined ? [] : parseWorktrees(bytes);
}

/** Returns what the bytes of `worktrees.json` say. @throws identity_unreadable */
export function parseWorktrees(bytes: Uint8Array): readonly WorktreeIdentity[] {
  const { worktrees } = parseObject(bytes, WORKTREES_FILE) as { worktrees?: unknown };
  if (!Array.isArray(worktrees)) throw damaged(WORKTREES_FILE, 'it has no list of worktrees');
  if (!worktrees.every(isWorktree)) throw damaged(WORKTREES_FILE, 'an entry in it is no worktree');
  return worktrees;
}

// Believed, a wrong name of a timeline would hide every snapshot on it, and a wrong id lead into another folder.
function isWorktree(entry: unknown): entry is WorktreeIdentity {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, timeline, timelines, gitDirectory, birth, root, main } = entry as Partial<
    Record<keyof WorktreeIdentity, unknown>
  >;
  const isText = [gitDirectory, birth, root].every((value) => typeof value === 'string');
  const hasTimelines =
    Array.isArray(timelines) && timelines.every(isHex32) && timelines.some((one) => one === timeline);
  return isHex32(id) && hasTimelines && isText && typeof main === 'boolean';
}

/** Returns the entry of a worktree, or undefined if it has none. */
export function findWorktree(
  worktrees: readonly WorktreeIdentity[],
  place: WorktreePlaceNames,
): WorktreeIdentity | undefined {
  // The main worktree stays the main worktree, also where the repository was moved, copied or restored from a backup.
  if (isMain(place)) return worktrees.find(({ main }) => main);
  const birth = birthOf(place.gitDirectory);
  return worktrees.find((one) => !one.main && birth !== undefined && one.birth === birth);
}

/** Tells whether a worktree's git directory is still the one that was entered. */
export function stillExists({ gitDirectory, birth, main }: WorktreeIdentity): boolean {
  return main || birthOf(gitDirectory) === birth;
}

function isMain({ gitDirectory, commonDirectory }: WorktreePlaceNames): boolean {
  return gitDirectory === commonDirectory;
}

/** Returns the entry of a worktree, made now if there is none. */
export async function claimWorktree(
  local: LocalState,
  random: Random,
  place: WorktreePlaceNames,
): Promise<WorktreeIdentity> {
  const found = findWorktree(await readWorktrees(local), place);
  if (found !== undefined) return found;
  return local.locked('worktrees', LOCK_MILLISECONDS, async () => {
    const present = await readWorktrees(local);
    const again = findWorktree(present, place);
    if (again !== undefined) return again;
    const timeline = random.hex(32);
    const birth = birthOf(place.gitDirectory) ?? '';
    const { root, gitDirectory } = place;
    const made = {
      id: random.hex(32),
      timeline,
      timelines: [timeline],
      gitDirectory,
      birth,
      root,
      main: isMain(place),
    };
    await writeWorktrees(local, [...present, made]);
    return made;
  });
}

/**
 * Gives a worktree a new timeline for its captures beside those that it has, and returns its entry; as it is where its
 * timeline is not `former` any more.
 * @throws identity_unreadable
 */
export function beginTimeline(
  local: LocalState,
  random: Random,
  { former, ...place }: WorktreePlaceNames & { readonly former: string },
): Promise<WorktreeIdentity> {
  return local.locked('worktrees', LOCK_MILLISECONDS, async () => {
    const present = await readWorktrees(local);
    const own = findWorktree(present, place);
    if (own === undefined) throw damaged(WORKTREES_FILE, 'this worktree is not in it');
    if (own.timeline !== former) return own;
    const timeline = random.hex(32);
    const renewed = { ...own, timeline, timelines: [...own.timelines, timeline] };
    await writeWorktrees(
      local,
      present.map((one) => (one === own ? renewed : one)),
    );
    return renewed;
  });
}

async function writeWorktrees(local: LocalState, worktrees: readonly WorktreeIdentity[]): Promise<void> {
  await local.write(WORKTREES_FILE, utf8(`${JSON.stringify({ worktrees }, undefined, 1)}\n`));
}

/** Inode and birth time (0 where the file system keeps none). */
function birthOf(directory: string): string | undefined {
  try {
    const { ino, birthtimeNs } = lstatSync(directory, { bigint: true });
    return `${String(ino)} ${String(birthtimeNs)}`;
  } catch {
    return undefined;
  }
}

function parseObject(bytes: Uint8Array, file: string): object {
  try {
    const value: unknown = JSON.parse(strictText(bytes) ?? '');
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Said below.
  }
  throw damaged(file, 'it is not a JSON object');
}

function damaged(file: string, reason: string): Error {
  return contextError('identity_unreadable', { file: `savepoint/${file} in the git directory`, reason });
}

function isHex32(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
}
