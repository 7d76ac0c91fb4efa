/**
 * The head of a timeline as it was saved: its objects, kept so that the next capture need not start git to read them.
 * A cache, and not believed: each object must have the id that it is asked for by.
 */
import { strictText, utf8 } from '../../base/bytes.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import { objectId } from '../../model/tree/object-id.js';
import type { ObjectId, ObjectType } from '../../model/tree/tree.js';
import { encodeTree, parseCommit, parseTree } from '../../store/git-objects.js';
import type { LocalState } from '../../store/local-state.js';
import { loadSnapshot, type LoadedSnapshot, type SnapshotSource } from '../snapshot/load.js';
import type { SavedSnapshot } from './save-snapshot.js';

const place = (timeline: string): string => `cache/heads/${timeline}`;

type KnownObjects = ReadonlyMap<ObjectId, { readonly type: ObjectType; readonly bytes: Uint8Array }>;

export async function keepHead(
  local: LocalState,
  format: ObjectFormat,
  { body, commit, folders, files }: SavedSnapshot,
): Promise<void> {
  const root = [
    ...[...folders].map(([name, id]) => ({ name, id, mode: '040000' as const })),
    ...[...files].map(([name, bytes]) => ({ name, id: objectId(format, 'blob', bytes), mode: '100644' as const })),
  ];
  const objects: [ObjectType, Uint8Array][] = [
    ['commit', commit.bytes],
    ['tree', encodeTree(root)],
    ...[...files.values()].map((bytes): [ObjectType, Uint8Array] => ['blob', bytes]),
  ];
  const plain = objects.map(([type, bytes]) => [type, Buffer.from(bytes).toString('base64')]);
  await local.write(place(body.timeline), utf8(JSON.stringify(plain)), { cache: true });
}

/** Resolves with the snapshot of a commit, or undefined where it is not the one that was kept. */
export async function recallHead(
  local: LocalState,
  format: ObjectFormat,
  head: { readonly timeline: string; readonly commit: ObjectId },
): Promise<LoadedSnapshot | undefined> {
  const kept = await local.read(place(head.timeline));
  const objects = kept === undefined ? undefined : parse(format, kept);
  if (objects?.has(head.commit) !== true) return undefined;
  return loadSnapshot(source(format, objects), head.commit).catch(() => undefined);
}

function parse(format: ObjectFormat, bytes: Uint8Array): KnownObjects | undefined {
  try {
    const plain = JSON.parse(strictText(bytes) ?? '') as [ObjectType, string][];
    const objects = plain.map(([type, text]) => ({ type, bytes: new Uint8Array(Buffer.from(text, 'base64')) }));
    return new Map(objects.map((object) => [objectId(format, object.type, object.bytes), object]));
  } catch {
    return undefined;
  }
}

function source(format: ObjectFormat, objects: KnownObjects): SnapshotSource {
  const read = (id: ObjectId, type: ObjectType): Promise<Uint8Array | undefined> => {
    const object = objects.get(id);
    return Promise.resolve(object?.type === type ? object.bytes : undefined);
  };
  return {
    read,
    tree: async (id) => {
      const bytes = await read(id, 'tree');
      return bytes === undefined ? undefined : parseTree(format, bytes, id);
    },
    commit: async (id) => {
      const bytes = await read(id, 'commit');
      return bytes === undefined ? undefined : { id, bytes, ...parseCommit(bytes, id) };
    },
  };
}
