/** What a random user, two agents and git do between and with snapshots, as data. */

export type FileStep =
  | { readonly do: 'write' | 'append'; readonly name: string; readonly text: string }
  | { readonly do: 'delete' | 'directory' | 'fifo' | 'nest'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  | { readonly do: 'chmod'; readonly name: string; readonly mode: number }
  | { readonly do: 'link'; readonly name: string; readonly target: string }
  | { readonly do: 'ignore'; readonly file: string; readonly patterns: readonly string[] };

/** Arguments of git; it may fail, as it does for people. */
export interface GitStep {
  readonly do: 'git';
  readonly args: readonly string[];
}

export interface CaptureStep {
  readonly do: 'capture';
}

interface Asked {
  /** The agent's session that asks; absent for a person. */
  readonly session?: string;
  /** Look at the plan first, and carry out exactly that. */
  readonly planned?: boolean;
}

export interface TargetStep extends Asked {
  readonly do: 'rewind' | 'restore';
  /** Which of the snapshots, counted from the newest and around. */
  readonly back: number;
  readonly paths?: readonly string[];
  readonly exact: boolean;
}

export interface ReturnStep extends Asked {
  readonly do: 'undo' | 'redo';
}

export type OperationStep = TargetStep | ReturnStep;
export type Step = FileStep | GitStep | CaptureStep | OperationStep;

/** Tells whether a step goes back over an operation, and names no snapshot. */
export function isReturn(step: OperationStep): step is ReturnStep {
  return step.do === 'undo' || step.do === 'redo';
}
