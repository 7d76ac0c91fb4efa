/** What the model looks at: the verbs, by the library or by the program. */
import type { OperationResult, RecoverResult, RestoreResult } from '@savepoint/core';
import type { ElsewhereStep, OperationStep } from '../script/steps.js';

export interface OperationDetail {
  /** Id of the snapshot for steps that name one. */
  readonly target: string;
  readonly dryRun?: boolean;
  readonly plan?: string;
}

export interface Subject {
  capture(): Promise<{ readonly id: string; readonly unchanged: boolean }>;
  /** @throws Refusal */
  operate(step: OperationStep, detail: OperationDetail): Promise<OperationResult>;
  /** @throws Refusal */
  elsewhere(step: ElsewhereStep, target: string, directory: string): Promise<RestoreResult>;
  recover(rollBack: boolean): Promise<RecoverResult>;
  /** Of the operations, newest first. */
  operations(): Promise<readonly { readonly id: string; readonly kind: string; readonly safety: string }[]>;
}

/** The subject said no, and why. */
export class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
