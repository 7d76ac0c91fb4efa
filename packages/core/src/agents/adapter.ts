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

/** A log as it was when it was opened. */
export interface LogFile {
  readonly size: number;
  /** Yields the bytes from `from` up to `to` or the end. @throws file_not_found where the file became shorter */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

export interface AgentAdapter {
  /** Such as `claude-code`. */
  readonly name: string;
  /**
   * Returns the logs of sessions that ran in this worktree (or below) and were written to since `since` (milliseconds
   * since 1970 UTC), newest first. Never another project's.
   */
  transcriptsOf(worktreeRoot: string, since: number): Promise<readonly TranscriptLocation[]>;
  /** Returns the session that a log file belongs to, or undefined if it is not a log of this agent. */
  identify(file: string): Promise<TranscriptLocation | undefined>;
}
