/** Which agents' sessions are at work in the worktree, as far as their logs tell. */
import type { AgentAdapter } from '../../agents/adapter.js';
import type { Clock } from '../../base/clock.js';
import { bytePath, type BytePath } from '../../base/path.js';

/** A session whose log was not written to for so long is not at work any more. */
const LIVE_MILLISECONDS = 10 * 60 * 1000;

export interface LiveSession {
  readonly agent: string;
  /** The agent's own id. */
  readonly id: string;
  /**
   * Milliseconds since 1970 UTC. Where the log does not say, when it was last written to: then all that was there by that
   * time may be from before, and is kept rather than removed.
   */
  readonly began: number;
  /** True while a prompt is being worked on. */
  readonly inTurn: boolean;
  /** Files of the worktree that its tools wrote since the time asked for. */
  readonly written: ReadonlySet<BytePath>;
}

export interface SessionPlace {
  readonly agents: readonly AgentAdapter[];
  readonly clock: Clock;
  /** Absolute path of the worktree's root. */
  readonly root: string;
}

/** Returns the live sessions, and what each wrote since `since` (milliseconds since 1970 UTC). */
export async function liveSessions(
  { agents, clock, root }: SessionPlace,
  since: number,
): Promise<readonly LiveSession[]> {
  const recent = clock.now() - LIVE_MILLISECONDS;
  const found = await Promise.all(
    agents.map(async (agent) => {
      const logs = await agent.transcriptsOf(root, recent);
      return Promise.all(
        logs.map(async (log) => {
          const { began = log.modified, inTurn, written } = await agent.activityOf(log, since);
          const inside = [...written].filter((file) => file.startsWith(`${root}/`));
          const paths = inside.map((file) => bytePath(file.slice(root.length + 1)));
          return { agent: log.agent, id: log.session, began, inTurn, written: new Set(paths) };
        }),
      );
    }),
  );
  return found.flat();
}

/**
 * Returns the sessions that are somebody else's: not the one that asks. Where a person asks, the session that the target
 * belongs to is meant, or the only one there is; with several and no such sign, all are somebody else's.
 */
export function otherSessions(
  live: readonly LiveSession[],
  own: { readonly asking?: string; readonly ofTarget?: string },
): readonly LiveSession[] {
  const meant =
    own.asking ?? live.find(({ id }) => id === own.ofTarget)?.id ?? (live.length === 1 ? live[0]?.id : undefined);
  return live.filter(({ id }) => id !== meant);
}
