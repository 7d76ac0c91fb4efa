/** The Adapter port: what Savepoint must know about one agent's dialect. */

/** A log of one session, found on disk. */
export interface TranscriptLocation {
  readonly agent: string;
  /** The agent's own session id. */
  readonly session: string;
  /** Absolute path of the log. */
  readonly file: string;
  /** When it was last written, milliseconds since 1970 UTC. */
  readonly modified: number;
}

export interface AgentAdapter {
  /** Such as `claude-code`. */
  readonly name: string;
  /** Returns the logs of sessions that ran in this worktree (or below), newest first. Never another project's. */
  transcriptsOf(worktreeRoot: string): Promise<readonly TranscriptLocation[]>;
  /** Returns the session that a log file belongs to, or undefined if it is not a log of this agent. */
  identify(file: string): Promise<TranscriptLocation | undefined>;
}
