/** `undo`: takes the newest operation back that was not taken back yet. */
import type { OperationRequest, OperationResult } from './perform.js';

/** With `session`, the operations of that session; without, those that a person asked for. Others are not touched. */
export type UndoRequest = OperationRequest;

/** `of` is the operation that was taken back. */
export type UndoResult = OperationResult;
