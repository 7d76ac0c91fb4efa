/** Looks at every path before anything is changed: what is as asked already, what may be changed, what is left alone. */
import type { BigIntStats } from 'node:fs';
import type { BytePath } from '../../../base/path.js';
import { isReplacementFolder } from '../../place/replacement-folder.js';
import { statKey } from '../../place/file-stat.js';
import { joinPath, splitPath, type Folders } from '../disk/folders.js';
import type { JournalItem } from '../journal/journal.js';
import { permissionsOf, type Presence, type Seen } from '../disk/presence.js';
import type { ConflictReason } from '../replacement.js';
import { otherSide, type Side } from '../slots/slots.js';
import type { Disk } from '../disk/disk.js';
import type { Target } from '../slots/sources.js';

/** Directories are made with these permissions, and opened by them while something in them is changed. */
export const OWNER = 0o700;

/** One path on its way to its state. */
export interface Work extends Target {
  standing: 'waiting' | 'done' | 'kept' | 'conflict';
  reason?: ConflictReason;
  keptAs?: BytePath;
  /** What stands at the path, in the state that it begins from. */
  seen?: Seen;
}

export interface SurveyTools {
  readonly disk: Disk;
  readonly folders: Folders;
  readonly presence: Presence;
}

export interface Goal {
  readonly side: Side;
  /** False where a process may have died on the way: then what is missing was taken by it. */
  readonly fresh: boolean;
}

/**
 * Tells whether the permissions of a directory that no change names are a replacement's to set: it is to be opened for a
 * while, or was left as it is made by a process that died. Otherwise they are those of whoever made it.
 */
function isOurs({ before, after }: JournalItem, permissions: number, fresh: boolean): boolean {
  if (before.kind !== 'directory' || after.kind !== 'directory') return !fresh && permissions === OWNER;
  return permissions === after.permissions || (!fresh && permissions === (after.permissions | OWNER));
}

export function fail(work: Work, reason: ConflictReason, keptAs?: BytePath): void {
  work.standing = 'conflict';
  work.reason = reason;
  if (keptAs !== undefined) work.keptAs = keptAs;
}

export class Survey {
  readonly #tools: SurveyTools;
  readonly #items: readonly JournalItem[];
  /** What was seen once, by path and side: a file is read again only if its status moved. */
  readonly #seen = new Map<string, Seen>();

  constructor(tools: SurveyTools, items: readonly JournalItem[]) {
    this.#tools = tools;
    this.#items = items;
  }

  look(goal: Goal): Work[] {
    const { folders } = this.#tools;
    const works = this.#items.map((item, index) =>
      folders.within(() => this.#judge({ index, item, standing: 'waiting' }, goal)),
    );
    const byPath = new Map(works.map((work) => [work.item.path, work]));
    for (const work of works) {
      const { item, standing } = work;
      const wanted = item[goal.side].kind;
      const givesWay = work.seen?.status.isDirectory() === true && (wanted === 'file' || wanted === 'link');
      if (standing !== 'waiting' || !givesWay || !this.#holdsStranger(item.path, byPath, goal)) continue;
      const below = works.filter(({ item: { path } }) => path === item.path || path.startsWith(`${item.path}/`));
      for (const each of below) if (each.standing === 'waiting' || each === work) fail(each, 'not_empty');
    }
    return works;
  }

  #judge(work: Work, goal: Goal): Work {
    const { item } = work;
    const [wanted, other] = [item[goal.side], item[otherSide(goal.side)]];
    const status = this.#tools.folders.look(item.path);
    if (status === undefined) {
      if (wanted.kind === 'absent') work.standing = 'done';
      // Taken by a process that died; or the caller's picture is not true any more.
      else if (other.kind !== 'absent' && goal.fresh) fail(work, 'changed');
      return work;
    }
    if (status.isDirectory() && (wanted.kind === 'directory' || other.kind === 'directory')) {
      return this.#judgeDirectory(work, status, goal);
    }
    if (this.#match(item, goal.side, status) !== undefined) {
      work.standing = 'done';
      return work;
    }
    const seen = other.kind === 'directory' ? undefined : this.#match(item, otherSide(goal.side), status);
    if (seen === undefined) fail(work, 'changed');
    else work.seen = seen;
    return work;
  }

  // Permissions of a directory that is to go say nothing of what it holds.
  #judgeDirectory(work: Work, status: BigIntStats, { side, fresh }: Goal): Work {
    const { item } = work;
    const [wanted, other] = [item[side], item[otherSide(side)]];
    const permissions = permissionsOf(status);
    work.seen = { key: statKey(status), settled: true, status };
    if (wanted.kind !== 'directory') return work;
    if (item.implied === true) {
      if (!isOurs(item, permissions, fresh)) work.standing = 'done';
    } else if (permissions === wanted.permissions) work.standing = 'done';
    else if (fresh && (other.kind !== 'directory' || permissions !== other.permissions)) fail(work, 'changed');
    return work;
  }

  #match(item: JournalItem, side: Side, status: BigIntStats): Seen | undefined {
    const name = `${side}/${item.path}`;
    const known = this.#seen.get(name);
    if (known?.settled === true && known.key === statKey(status)) return known;
    const [parent, own] = splitPath(item.path);
    const folder = this.#tools.folders.find(parent);
    const seen = folder === undefined ? undefined : this.#tools.presence.match(folder, own, item[side]);
    if (seen === undefined) this.#seen.delete(name);
    else this.#seen.set(name, seen);
    return seen;
  }

  /** Tells whether a directory that is to give way holds something that does not. */
  #holdsStranger(directory: BytePath, byPath: ReadonlyMap<BytePath, Work>, goal: Goal): boolean {
    const folder = this.#tools.folders.find(directory);
    if (folder === undefined) return true;
    return this.#tools.disk.names(folder.at('.')).some((name) => {
      if (isReplacementFolder(name)) return false;
      const work = byPath.get(joinPath(directory, name));
      if (work?.item[goal.side].kind !== 'absent' || work.standing === 'conflict') return true;
      return work.seen?.status.isDirectory() === true && this.#holdsStranger(work.item.path, byPath, goal);
    });
  }
}
