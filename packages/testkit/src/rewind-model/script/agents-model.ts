/** Two agents with logs of their own, and what the model knows of them: since when, in a turn or not, what they wrote. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeAgent } from '../../agents.js';
import type { FixtureRepository } from '../../repositories/repository.js';
import type { AgentName, TurnStep } from './steps.js';

const SESSIONS: Readonly<Record<AgentName, string>> = {
  one: '11111111-aaaa-4333-8444-555555555555',
  two: '22222222-bbbb-4333-8444-555555555555',
};

/** The agent's own id of its session. */
export function sessionOf(agent: AgentName): string {
  return SESSIONS[agent];
}

interface Live {
  inTurn: boolean;
  readonly written: { readonly path: string; readonly at: number }[];
}

export interface Asking {
  /** The session that asks; absent for a person. */
  readonly session: AgentName | undefined;
  /** The session that the target belongs to. */
  readonly ofTarget: string | undefined;
  /** Since when others' changes count. */
  readonly since: number;
}

export class AgentsModel {
  readonly #fixture: FixtureRepository;
  readonly #live = new Map<string, Live>();

  constructor(fixture: FixtureRepository) {
    this.#fixture = fixture;
  }

  /** Writes into the log that the agent writes a file; whether it does is the caller's. */
  async play({ agent, name, ended }: TurnStep): Promise<void> {
    const { home, root } = this.#fixture;
    const session = sessionOf(agent);
    const log = fakeAgent({ configDirectory: join(home, '.claude'), cwd: root, session, lines: [] });
    const live = this.#live.get(session) ?? { inTurn: false, written: [] };
    this.#live.set(session, live);
    // No two things that the model tells apart happen in one millisecond.
    await sleep(3);
    const at = Date.now();
    const say = (type: string, message: unknown): void => {
      const about = { sessionId: session, cwd: root, timestamp: new Date(at).toISOString() };
      log.append(`${JSON.stringify({ type, message, isSidechain: false, ...about })}\n`);
    };
    const id = `toolu_${String(live.written.length)}`;
    const use = { type: 'tool_use', id, name: 'Write', input: { file_path: this.#fixture.path(name) } };
    say('user', { role: 'user', content: `Please write ${name}` });
    say('assistant', { role: 'assistant', content: [use], stop_reason: 'tool_use' });
    say('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] });
    if (ended)
      say('assistant', { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' });
    live.inTurn = !ended;
    live.written.push({ path: Buffer.from(name).toString('latin1'), at });
    await sleep(3);
  }

  /** Tells whether a session that does not ask is in the middle of a turn. */
  isBusyFor(session: AgentName | undefined): boolean {
    const asking = session === undefined ? undefined : sessionOf(session);
    return [...this.#live].some(([id, { inTurn }]) => inTurn && id !== asking);
  }

  /** Paths that are somebody else's to change. */
  foreignTo({ session, ofTarget, since }: Asking): ReadonlySet<string> {
    const ids = [...this.#live.keys()];
    const only = ids.length === 1 ? ids[0] : undefined;
    const ofThatSession = ids.find((id) => id === ofTarget);
    const meant = session === undefined ? (ofThatSession ?? only) : sessionOf(session);
    const others = [...this.#live].filter(([id]) => id !== meant);
    return new Set(
      others.flatMap(([, { written }]) => written.filter(({ at }) => at >= since).map(({ path }) => path)),
    );
  }
}
