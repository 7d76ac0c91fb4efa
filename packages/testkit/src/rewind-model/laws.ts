/**
 * What must hold around every operation on files. The laws read the disk and, with plain git, what snapshots hold; they
 * know nothing of how the operation was planned.
 */
import type { OperationResult } from '@savepoint/core';
import type { Manifest, ManifestEntry, StoredFilesystem } from '../manifest.js';
import { exactPath } from '../manifest.js';
import { changedPaths, isSame, type RawEntry, type RawTree } from './raw-tree.js';
import { inScope, type Reported } from './reported.js';

export interface Observed {
  readonly before: RawTree;
  readonly after: RawTree;
  readonly result: OperationResult;
  readonly reported: Reported;
  /** Of everything as it was just before, read from the store. */
  readonly safety: Manifest;
  /** Of an undo: the operation that it took back. */
  readonly taken?: {
    /** What it had brought back. */
    readonly brought: Manifest;
    readonly before: RawTree;
    readonly after: RawTree;
  };
  readonly target: Manifest;
  readonly targetFilesystem: StoredFilesystem;
  /** Directories whose mode a snapshot does not record, before or after. */
  readonly anyMode: ReadonlySet<string>;
}

const shown = (path: string): string => JSON.stringify(Buffer.from(path, 'latin1').toString('utf8'));

const text = (entry: RawEntry | ManifestEntry | undefined): string =>
  entry === undefined ? 'absent' : `${entry.type} ${entry.mode ?? ''}`;

/**
 * Every byte that was there is still there, or in the safety snapshot at the same path. What an operation itself wrote is in
 * the snapshot that it brought back: its undo may take that away, also where it is ignored.
 */
export function nothingIsLost({
  before,
  after,
  safety,
  taken,
}: Pick<Observed, 'before' | 'after' | 'safety' | 'taken'>): readonly string[] {
  return [...before].flatMap(([path, entry]) => {
    if (isSame(entry, after.get(path)) || entry.type === 'directory') return [];
    const isOwn = !isSame(taken?.before.get(path), taken?.after.get(path)) && isHeld(entry, taken?.brought.get(path));
    return isOwn || isHeld(entry, safety.get(path))
      ? []
      : [`lost: ${shown(path)} (${text(entry)}) is not in the safety snapshot`];
  });
}

function isHeld(entry: RawEntry, held: ManifestEntry | undefined): boolean {
  return held?.type === entry.type && (held.mode ?? '') === entry.mode && held.sha256 === entry.content;
}

/** Only what is listed changed; a directory may come and go with what is in it. Times of the rest stay. */
export function onlyListedChanged({ before, after, reported }: Observed): readonly string[] {
  const strayed = changedPaths(before, after).filter((path) => {
    if (reported.changed.has(path)) return false;
    const [was, is] = [before.get(path)?.type, after.get(path)?.type];
    const comesOrGoes = (was === 'directory' && is === undefined) || (was === undefined && is === 'directory');
    return !(comesOrGoes && reported.holdsChange(path));
  });
  const touched = [...before].filter(([path, { type, modified }]) => {
    const now = after.get(path);
    return (
      type === 'file' && now?.modified !== modified && !reported.changed.has(path) && isSame(before.get(path), now)
    );
  });
  return [
    ...strayed.map((path) => `not listed: ${shown(path)} ${text(before.get(path))} -> ${text(after.get(path))}`),
    ...touched.map(([path]) => `its time changed: ${shown(path)}`),
  ];
}

/** What is listed as changed is as the target has it. */
export function listedIsDone({ after, reported, target }: Observed): readonly string[] {
  return [...reported.changed].flatMap(([path, action]) => {
    const [wanted, now] = [target.get(path), after.get(path)];
    if (action === 'delete' && (now === undefined || now.type === 'directory')) return [];
    return action !== 'delete' && equals(now, wanted)
      ? []
      : [`${action} not done: ${shown(path)} is ${text(now)}, wanted ${text(wanted)}`];
  });
}

function equals(now: RawEntry | undefined, wanted: ManifestEntry | undefined, anyMode = false): boolean {
  if (now === undefined || wanted === undefined) return now === wanted;
  if (now.type !== wanted.type) return false;
  const sameMode = anyMode || now.type === 'link' || now.mode === wanted.mode;
  return sameMode && (now.type === 'directory' || now.content === wanted.sha256);
}

/** In scope the worktree equals the target, except for what is listed as kept. */
export function scopeEqualsTarget(
  { after, reported, target, anyMode }: Observed,
  paths: readonly string[] | undefined,
): readonly string[] {
  const wrong = [...target].filter(([path, wanted]) => {
    if (!inScope(path, paths) || reported.isExcused(path)) return false;
    return !equals(after.get(path), wanted, anyMode.has(path));
  });
  const extra = [...after].filter(([path]) => inScope(path, paths) && !target.has(path) && !reported.isExcused(path));
  return [
    ...wrong.map(
      ([path, wanted]) => `not as the target: ${shown(path)} is ${text(after.get(path))}, wanted ${text(wanted)}`,
    ),
    ...extra.map(([path, entry]) => `not in the target: ${shown(path)} (${text(entry)})`),
  ];
}

/** A file goes only where the target looked and saw nothing; without `exact`, only where a capture holds it. */
export function absenceIsPositive(
  { before, reported, target, targetFilesystem, taken }: Observed,
  { exact, captured }: { readonly exact: boolean; readonly captured: ReadonlySet<string> },
): readonly string[] {
  const { ignored, omitted, boundaries } = targetFilesystem;
  const blind = [...ignored, ...omitted, ...boundaries].map((entry) => exactPath(entry).replace(/\/$/, ''));
  return [...reported.changed].flatMap(([path, action]) => {
    if (action !== 'delete') return [];
    const type = before.get(path)?.type;
    if (type === 'special') return [`deleted a special file: ${shown(path)}`];
    const unseen = blind.find((one) => path === one || path.startsWith(`${one}/`));
    // Of what it made itself, an operation's record says that nothing was there.
    const isOwn = taken !== undefined && !taken.before.has(path) && taken.after.has(path);
    if (unseen !== undefined && !target.has(path) && !isOwn)
      return [`deleted where the target did not look: ${shown(path)}`];
    const givesWay = target.get(path)?.type === 'directory';
    if (exact || type === 'directory' || givesWay || captured.has(path)) return [];
    return [`deleted although no capture holds it: ${shown(path)}`];
  });
}

/** Without `exact`, only files that no capture holds are kept as such. */
export function keptIsUnknown({ reported }: Observed, captured: ReadonlySet<string>): readonly string[] {
  return [...reported.kept].flatMap(([path, reason]) =>
    reason === 'in_no_snapshot' && captured.has(path) ? [`kept although a capture holds it: ${shown(path)}`] : [],
  );
}

/** What is somebody else's is not changed, and nothing else is left alone as such. */
export function foreignIsKept({ reported }: Observed, foreign: ReadonlySet<string>): readonly string[] {
  const taken = [...reported.changed.keys()].filter((path) => foreign.has(path));
  const spared = [...reported.kept].filter(([path, reason]) => reason === 'other_session' && !foreign.has(path));
  return [
    ...taken.map((path) => `it took another session's ${shown(path)}`),
    ...spared.map(([path]) => `kept as another session's, which it is not: ${shown(path)}`),
  ];
}

const BY_DESIGN = new Set(['ignored', 'submodule', 'repository', 'special', 'sparse']);

/** It is partial exactly where something was left that is not left by design. */
export function partialIsHonest({ result, reported }: Observed): readonly string[] {
  const left = [...reported.kept.values()].some((reason) => !BY_DESIGN.has(reason));
  return left === result.partial ? [] : [`partial is ${String(result.partial)}, but something left is ${String(left)}`];
}
