/** Reads the snapshot of another program that one of ours holds. */
import { text } from '../../base/bytes.js';
import type { JsonValue } from '../../base/json.js';
import { readLeanCtx } from '../../format/lean-ctx/codec.js';
import type { Store } from '../../store/store.js';
import type { LoadedSnapshot } from './load.js';
import { rootFile } from './slices.js';

/** Returns its file, byte for byte, if `path` names it. @throws object_missing */
export async function readOriginal(
  store: Store,
  snapshot: LoadedSnapshot,
  path: string,
): Promise<Uint8Array | undefined> {
  const [program = ''] = snapshot.body.original?.format.split('/') ?? [];
  return program !== '' && path === `${program}.json` ? rootFile(store, snapshot, path) : undefined;
}

/**
 * Returns the file as any reader of JSON has it, which changes long numbers: their digits are in the bytes alone.
 * @throws format_unreadable
 */
export function originalJson(bytes: Uint8Array): JsonValue {
  // It is read strictly first, so that nothing hostile reaches the other reader.
  readLeanCtx(bytes);
  return JSON.parse(text(bytes)) as JsonValue;
}
