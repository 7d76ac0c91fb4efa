/** Begins a replacement, and opens one that a process left. */
import path from 'node:path';
import { formatTime } from '../../../base/clock.js';
import { contextError } from '../../../base/errors.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import { objectHash } from '../../../model/tree/object-id.js';
import { blobOf } from '../../../model/tree/tree-change.js';
import type { ObjectId } from '../../../model/tree/tree.js';
import { errorCode, statusIfThere, type Disk } from '../disk/disk.js';
import { FileReplacement, worktreeChanged, type ReplacementParts } from './file-replacement.js';
import { Folders } from '../disk/folders.js';
import { FORMAT, syncDirectory, type JournalHead } from '../journal/journal.js';
import { planItems } from '../journal/plan.js';
import type { ReplacePlace } from './replace-place.js';
import { openReplacementError, type ContentSource, type ReplaceRequest, type Replacement } from '../replacement.js';
import { inAdvance } from '../slots/in-advance.js';
import { checkSpace } from './space.js';
import type { Work } from '../moves/survey.js';
import { systemFailure } from '../disk/system-failure.js';

type Given = Omit<ReplacementParts, 'folders'>;

function withFolders(given: Given): ReplacementParts {
  return { ...given, folders: new Folders(given.place.disk, given.place.root) };
}

export async function prepare(given: Given, request: ReplaceRequest): Promise<Replacement> {
  const parts = withFolders(given);
  const { place, folders } = parts;
  try {
    ensureDirectory(place.disk, place.journalDirectory);
    takeLease(place);
  } catch (error) {
    throw systemFailure(error, place.root, folders);
  }
  try {
    await refuseOpen(parts);
    return await begin(parts, request);
  } catch (error) {
    place.lease.release();
    throw systemFailure(error, place.root, folders);
  } finally {
    folders.close();
  }
}

async function begin(parts: ReplacementParts, request: ReplaceRequest): Promise<Replacement> {
  const { place, folders, journals } = parts;
  const { conflicts, note, foreign = false } = request;
  // What is found now is looked at again before each step.
  folders.find('');
  const items = folders.within(() => planItems(folders, { ...request, foreign }));
  const head: JournalHead = {
    format: FORMAT,
    id: place.random.hex(16),
    createdAt: formatTime(place.clock.now()),
    conflicts,
    note,
  };
  const replacement = new FileReplacement(parts, { head, items, stage: 'open' }, true);
  const works = replacement.look();
  const conflicting = works.filter(({ standing }) => standing === 'conflict');
  if (conflicts === 'refuse' && conflicting.length > 0) throw worktreeChanged(conflicting);
  await checkContent(works, request.content);
  await proveKept(works, { objectFormat: place.objectFormat, content: request.content });
  const staged = works.filter(needsContent);
  folders.within(() => {
    checkSpace({ disk: place.disk, folders, root: place.root }, staged);
  });
  try {
    journals.write(head, items);
    await replacement.stage(staged);
  } catch (error) {
    const failure = systemFailure(error, place.root, folders);
    await replacement.close();
    throw failure;
  }
  return replacement;
}

function needsContent({ item: { before, after }, standing, seen }: Work): boolean {
  if (standing !== 'waiting') return false;
  // Permissions of a file with one name are set in place.
  const isSameContent = before.kind === 'file' && after.kind === 'file' && before.blob === after.blob;
  return !isSameContent || seen?.status.nlink !== 1n;
}

// Both sides: a restore that could not be taken back is none.
async function checkContent(works: readonly Work[], content: ContentSource): Promise<void> {
  const waiting = works.filter(({ standing }) => standing === 'waiting');
  const states = waiting.flatMap(({ item }) => [item.before, item.after]);
  const wanted = new Map(states.map((state) => [blobOf(state), state]));
  wanted.delete(undefined);
  const ids = [...wanted.keys()].filter((id) => id !== undefined);
  const found = await content.info(ids);
  ids.forEach((id, at) => {
    const info = found[at];
    if (info?.type !== 'blob') throw contextError('object_missing', { object: id, owner: 'this restore' });
    const state = wanted.get(id);
    if (state?.kind === 'file' && state.size !== info.size) {
      throw contextError('digest_mismatch', { what: `The object ${id}` });
    }
  });
}

interface Keeper {
  readonly objectFormat: ObjectFormat;
  readonly content: ContentSource;
}

/**
 * What is about to go is read back from where it is kept: an object that is there in name only would be noticed when
 * nothing else has the bytes any more. @throws digest_mismatch; object_missing
 */
async function proveKept(works: readonly Work[], { objectFormat, content }: Keeper): Promise<void> {
  const going = new Set<ObjectId>();
  for (const { item, standing } of works) {
    const [kept, after] = [blobOf(item.before), blobOf(item.after)];
    if (standing !== 'waiting' || kept === undefined || kept === after) continue;
    going.add(kept);
  }
  const ids = [...going];
  const sizes = await content.info(ids);
  const wanted = ids.map((id, at) => ({ id, size: sizes[at]?.size ?? 0 }));
  for await (const { id, size, pieces } of inAdvance(content, wanted)) {
    const hash = objectHash(objectFormat, 'blob', size);
    for await (const piece of pieces) hash.update(piece);
    if (hash.digest('hex') !== id) throw contextError('digest_mismatch', { what: `The object ${id}` });
  }
}

function takeLease({ lease }: ReplacePlace): void {
  const holder = lease.take();
  if (holder !== undefined) throw contextError('restore_running', { holder });
}

/** What was taken back needs only to be swept. */
async function refuseOpen(parts: ReplacementParts): Promise<void> {
  const found = parts.journals.readHead();
  if (found === undefined) return;
  if (found.stage !== 'taken_back') throw openReplacementError(found.head);
  const journal = parts.journals.read();
  if (journal !== undefined) await new FileReplacement(parts, journal, false).close();
  takeLease(parts.place);
}

export async function openLeft(given: Given): Promise<Replacement | undefined> {
  const parts = withFolders(given);
  const { place, folders, journals } = parts;
  if (journals.readHead() === undefined) return undefined;
  takeLease(place);
  try {
    const journal = journals.read();
    const replacement = journal === undefined ? undefined : new FileReplacement(parts, journal, false);
    if (journal !== undefined && journal.stage !== 'taken_back') return replacement;
    await replacement?.close();
    place.lease.release();
    return undefined;
  } catch (error) {
    place.lease.release();
    throw systemFailure(error, place.root, folders);
  }
}

/** Makes a directory and all above it, each durable in the one that holds it. */
function ensureDirectory(disk: Disk, directory: string): void {
  if (statusIfThere(disk, directory) !== undefined) return;
  const parent = path.dirname(directory);
  ensureDirectory(disk, parent);
  try {
    disk.makeDirectory(directory, 0o777);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const descriptor = disk.open(parent, 0);
  try {
    syncDirectory(disk, descriptor);
  } finally {
    disk.close(descriptor);
  }
}
