/** The Adapter port: what Savepoint must know about one agent's dialect. */
import type { LogDialect } from './log-reader.js';

/** A log of one session, found on disk. */
export interface TranscriptLocation {
  readonly agent: string;
  /** The agent's own session id. */
  readonly session: string;
  /** Absolute path of the log. */
  readonly file: string;
  /** When it was last written, milliseconds since 1970 UTC. */
  readonly modified: number;
  /** The session that began this one. */
  readonly parent?: string;
}

/** A log as it was when it was opened. */
export interface LogFile {
  readonly size: number;
  /** Yields the bytes from `from` up to `to` or the end. @throws file_not_found where the file became shorter */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** What a log says of its session's work, up to the last whole line. */
export interface SessionActivity {
  /** Milliseconds since 1970 UTC; absent where no line says when it was written. */
  readonly began?: number;
  /** True from a prompt until the answer is complete: the agent may write at any moment. */
  readonly inTurn: boolean;
  /** Absolute paths of files that its tools wrote since the time asked for; what its shell commands did is not known. */
  readonly written: ReadonlySet<string>;
}

/** What Savepoint asks of one agent. It is read only: no log is ever changed. */
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
  /** Returns the logs of the sessions that a session began, such as those of its subagents, in the order of their names. */
  childrenOf(location: TranscriptLocation): Promise<readonly TranscriptLocation[]>;
  /** Reads what a session does and did since `since` (milliseconds since 1970 UTC). A log that is gone says nothing. */
  activityOf(location: TranscriptLocation, since: number): Promise<SessionActivity>;
  /** Loads what reads this agent's logs; a capture without a log has no need of it. */
  dialect(): Promise<LogDialect>;
}
