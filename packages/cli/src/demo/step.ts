/** What the demo tells, step by step. */
export type Step =
  | { readonly kind: 'chapter'; readonly title: string }
  | { readonly kind: 'text' | 'user'; readonly text: string }
  /** What the agent did or said. */
  | { readonly kind: 'agent'; readonly text: string; readonly failed?: boolean }
  | CommandStep
  | { readonly kind: 'suggestions'; readonly commands: readonly Suggestion[] };

export interface Suggestion {
  readonly command: string;
  readonly does: string;
}

/** A command that was run, as one types it, with all that it printed. */
export interface CommandStep {
  readonly kind: 'command';
  readonly command: string;
  readonly exitCode: number;
  readonly output: string;
  /** What it wrote to standard error. */
  readonly remarks: string;
}
