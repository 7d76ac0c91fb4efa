/** What folds one log: the reader of its agent, and where to begin. */
import type { JsonValue } from '../../../base/json.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import type { SessionRecord } from '../../../model/context/session.js';
import type { LogDialect } from '../../../agents/log-reader.js';
import { FOLD_VERSION, recordFold, type RecordFold } from '../../records/fold.js';

/** A log that is to be folded. */
export interface FoldedLog {
  readonly format: ObjectFormat;
  readonly session: Pick<SessionRecord, 'id' | 'agent' | 'agentSessionId' | 'parent'>;
  /** Absolute path of the worktree. */
  readonly directory: string;
  readonly dialect: LogDialect;
}

/** Another version of the fold or of the reader has the whole log folded again. */
export function foldVersion({ dialect }: FoldedLog): string {
  return `${String(FOLD_VERSION)} ${dialect.version}`;
}

/** Begins with the first line, or where the state of the same version ended. */
export function beginFold({ dialect, ...log }: FoldedLog, state?: JsonValue): RecordFold {
  return recordFold({ ...log, reader: (from) => dialect.reader(from), ...(state === undefined ? {} : { state }) });
}
