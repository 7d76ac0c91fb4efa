/** Looks at the present worktree without leaving anything behind: new content is hashed, and kept in memory if small. */
import { contextError } from '../../base/errors.js';
import { objectHash, objectId } from '../../model/tree/object-id.js';
import type { Anchor } from '../../model/tree/anchor.js';
import type { Settings } from '../../model/settings.js';
import type { BlobSink, ObjectId, TreeEntry } from '../../model/tree/tree.js';
import { WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { applyFolderEdit } from '../../store/folder-edit.js';
import { encodeTree } from '../../store/git-objects.js';
import type { Store } from '../../store/store.js';
import type { Worktree } from '../../worktree/worktree.js';
import { TEXT_LIMIT, type ContentSource } from './content.js';
import type { WorktreeState } from './worktree-files.js';

export interface PresentWorktree extends WorktreeState {
  readonly anchor: Anchor;
  readonly content: ContentSource;
}

/** Content of all new files together that is kept for patches. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** @throws worktree_changing; object_missing */
export async function presentWorktree(store: Store, worktree: Worktree, settings: Settings): Promise<PresentWorktree> {
  const sink = hashingSink(store);
  const scan = await worktree.scan({
    sink,
    objects: store,
    maxFileBytes: settings['capture.maxFileBytes'],
    maxNewBytes: settings['capture.maxNewBytes'],
    directoryCache: settings['capture.directoryCache'],
  });
  for (const bytes of scan.content.values()) if (bytes !== undefined) await sink.blob(bytes);
  if (scan.files.folder !== WORKTREE_FOLDER)
    throw contextError('invariant_broken', { reason: 'a scan of no worktree' });
  const trees = new Map<ObjectId, readonly TreeEntry[]>();
  const read = async (id: ObjectId) => trees.get(id) ?? store.tree(id);
  const write = (entries: readonly TreeEntry[]): ObjectId => {
    const id = objectId(store.objectFormat, 'tree', encodeTree(entries));
    trees.set(id, entries);
    return id;
  };
  const tree = await applyFolderEdit({ read, write }, scan.files);
  return { tree, filesystem: scan.filesystem, read, anchor: scan.anchor, content: sink.content };
}

/** A sink that stores nothing. */
function hashingSink(store: Store): BlobSink & { readonly content: ContentSource } {
  const sizes = new Map<ObjectId, number>();
  const kept = new Map<ObjectId, Uint8Array>();
  let room = KEPT_BYTES;
  const take = (id: ObjectId, bytes: Uint8Array): ObjectId => {
    sizes.set(id, bytes.length);
    if (!kept.has(id) && bytes.length <= Math.min(TEXT_LIMIT, room)) {
      kept.set(id, new Uint8Array(bytes));
      room -= bytes.length;
    }
    return id;
  };
  return {
    blob: (bytes) => Promise.resolve(take(objectId(store.objectFormat, 'blob', bytes), bytes)),
    async blobFrom(size, chunks) {
      const hash = objectHash(store.objectFormat, 'blob', size);
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const chunk of chunks) {
        length += chunk.length;
        hash.update(chunk);
        if (size <= TEXT_LIMIT) pieces.push(new Uint8Array(chunk));
      }
      if (length !== size) {
        throw contextError('worktree_changing', { reason: `a file of ${String(size)} bytes gave ${String(length)}` });
      }
      const id = hash.digest('hex');
      if (size <= TEXT_LIMIT) return take(id, Buffer.concat(pieces));
      sizes.set(id, size);
      return id;
    },
    content: {
      size: async (blob) => sizes.get(blob) ?? (await store.info([blob]))[0]?.size,
      read: async (blob) => kept.get(blob) ?? store.read(blob, 'blob'),
    },
  };
}

/** Content that is in the store. */
export function storedContent(store: Store): ContentSource {
  return {
    size: async (blob) => (await store.info([blob]))[0]?.size,
    read: (blob) => store.read(blob, 'blob'),
  };
}
