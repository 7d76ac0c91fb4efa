/** The token of a plan: a digest of all that it would do, so that exactly what was shown is what is done. */
import { utf8 } from '../../base/bytes.js';
import { blake3 } from '../../format/digest.js';
import type { FileReason, OperationOptions } from '../../model/operation.js';
import type { SnapshotId } from '../../model/snapshot.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Plan } from './plan.js';

export interface PlanSubject {
  readonly kind: string;
  readonly target: SnapshotId;
  readonly options: OperationOptions;
  /** The staged tree that is to be restored, where one is. */
  readonly staged?: ObjectId;
  /** What would be added to the context, or taken back. */
  readonly context?: readonly object[];
}

/** What is kept by design, whatever is asked for: it leaves an operation whole. */
const BY_DESIGN: ReadonlySet<FileReason> = new Set(['ignored', 'submodule', 'repository', 'special', 'sparse']);

export function isByDesign(reason: FileReason | undefined): boolean {
  return reason !== undefined && BY_DESIGN.has(reason);
}

/** What is kept by design may come and go (build output): the token does not hang on it. */
export function planToken(subject: PlanSubject, { changes, files }: Plan): string {
  const kept = files.filter(({ reason }) => reason !== undefined && !isByDesign(reason));
  const told = { ...subject, changes, kept: kept.map(({ bytePath, action, reason }) => [bytePath, action, reason]) };
  return blake3(utf8(JSON.stringify(told)));
}
