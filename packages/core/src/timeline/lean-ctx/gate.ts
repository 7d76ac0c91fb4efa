/** The gate for a file of lean-ctx: nothing of it is edited, a secret in it refuses all of it. */
import { contextError } from '../../base/errors.js';
import { leanCtxBody } from '../../format/lean-ctx/codec.js';
import type { LeanCtxSnapshot } from '../../format/lean-ctx/snapshot.js';
import { sliceGate, type Search } from '../publish/gate.js';

/** @throws secret_found; gate_failed */
export function gateLeanCtx(snapshot: LeanCtxSnapshot, name: string, search?: Search): void {
  const gate = sliceGate(search);
  // One line of JSON, as it is signed: id and signature, which are not in it, come from it.
  gate.begin('ctxsnapshot.json');
  gate.push(leanCtxBody(snapshot));
  const [found] = gate.end();
  if (found !== undefined)
    throw contextError('secret_found', { snapshot: name, secret: found.kind, place: 'what lean-ctx would read' });
}
