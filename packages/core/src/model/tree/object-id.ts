/** Git object ids: the hash of `<type> <size>\0<content>` (gitformat-pack(5), "object name"). */
import { createHash, type Hash } from 'node:crypto';
import type { ObjectFormat } from './anchor.js';
import type { ObjectId, ObjectType } from './tree.js';

/** Returns a running hash of an object whose content has `size` bytes. */
export function objectHash(format: ObjectFormat, type: ObjectType, size: number): Hash {
  return createHash(format).update(`${type} ${String(size)}\0`, 'latin1');
}

export function objectId(format: ObjectFormat, type: ObjectType, content: Uint8Array): ObjectId {
  return objectHash(format, type, content.length).update(content).digest('hex');
}

export function emptyTreeId(format: ObjectFormat): ObjectId {
  return objectId(format, 'tree', new Uint8Array());
}
