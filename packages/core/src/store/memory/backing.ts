/** What a memory store holds: objects and refs, shared by every store opened on it, and open to a test's tampering. */
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ObjectId, ObjectType } from '../../model/tree/tree.js';
import { objectId } from '../../model/tree/object-id.js';
import type { RefName } from '../store.js';

export interface MemoryObject {
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

export interface MemoryBacking {
  readonly objectFormat: ObjectFormat;
  readonly objects: Map<ObjectId, MemoryObject>;
  readonly refs: Map<RefName, ObjectId>;
}

export function memoryBacking(objectFormat: ObjectFormat = 'sha1'): MemoryBacking {
  return { objectFormat, objects: new Map(), refs: new Map() };
}

/** Puts an object in and returns its id; the bytes are copied, so that the caller may reuse them. */
export function putObject(backing: MemoryBacking, type: ObjectType, bytes: Uint8Array): ObjectId {
  const id = objectId(backing.objectFormat, type, bytes);
  if (!backing.objects.has(id)) backing.objects.set(id, { type, bytes: new Uint8Array(bytes) });
  return id;
}
