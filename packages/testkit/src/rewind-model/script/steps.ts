/** What a random user, two agents and git do between and with snapshots, as data. */

export type AgentName = 'one' | 'two';

export type FileStep =
  | { readonly do: 'write' | 'append'; readonly name: string; readonly text: string }
  | { readonly do: 'delete' | 'directory' | 'fifo' | 'nest'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  | { readonly do: 'chmod'; readonly name: string; readonly mode: number }
  | { readonly do: 'link'; readonly name: string; readonly target: string }
  | { readonly do: 'ignore'; readonly file: string; readonly patterns: readonly string[] };

/** An agent writes a file with its tool, and says so in its log; its turn goes on or has ended. */
export interface TurnStep {
  readonly do: 'turn';
  readonly agent: AgentName;
  readonly name: string;
  readonly text: string;
  readonly ended: boolean;
}

/** Arguments of git; it may fail, as it does for people. */
export interface GitStep {
  readonly do: 'git';
  readonly args: readonly string[];
}

export interface CaptureStep {
  readonly do: 'capture';
}

/** The real program, killed at its n-th call that changes the disk or starts git; then `recover`. */
export interface Torn {
  readonly at: number;
  readonly rollBack: boolean;
}

interface Asked {
  /** The agent's session that asks; absent for a person. */
  readonly session?: AgentName;
  /** Look at the plan first, and carry out exactly that. */
  readonly planned?: boolean;
  readonly force?: boolean;
  readonly torn?: Torn;
}

export interface TargetStep extends Asked {
  readonly do: 'rewind' | 'restore';
  /** Which of the snapshots, counted from the newest and around. */
  readonly back: number;
  readonly paths?: readonly string[];
  readonly exact: boolean;
  /** Also what was staged; of `rewind` only. */
  readonly index?: boolean;
}

export interface ReturnStep extends Asked {
  readonly do: 'undo' | 'redo';
}

/** Restores into a directory of its own. */
export interface ElsewhereStep {
  readonly do: 'elsewhere';
  readonly back: number;
  readonly paths?: readonly string[];
}

export type OperationStep = TargetStep | ReturnStep;
export type Step = FileStep | TurnStep | GitStep | CaptureStep | OperationStep | ElsewhereStep;

/** Tells whether a step goes back over an operation, and names no snapshot. */
export function isReturn(step: OperationStep): step is ReturnStep {
  return step.do === 'undo' || step.do === 'redo';
}
