/** `redo`: repeats, with its options, the operation that was taken back last. */
import type { OperationRequest, OperationResult } from './perform.js';

export type RedoRequest = OperationRequest;

/** `of` is the operation that was repeated. */
export type RedoResult = OperationResult;
