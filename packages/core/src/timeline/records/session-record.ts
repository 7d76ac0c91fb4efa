/** The session of the fold. */
import { formatTime, parseTime } from '../../base/clock.js';
import { compareUtf8 } from '../../base/bytes.js';
import type { SessionEvent } from '../../model/log-event.js';
import type { SessionRecord } from '../../model/session.js';
import type { FoldState } from './fold-state.js';
import { LONGEST_PATH, wording } from './wording.js';

const MOST_TODOS = 100;

export function describe(state: FoldState, event: SessionEvent): void {
  const { session } = state;
  const at = event.at === undefined ? undefined : parseTime(event.at);
  const time = at === undefined ? undefined : formatTime(at);
  const earlier = time !== undefined && (session.startedAt === undefined || time < session.startedAt);
  const later = time !== undefined && (session.endedAt === undefined || time > session.endedAt);
  const { directory = event.directory } = session;
  state.session = {
    ...session,
    ...(event.agentVersion !== undefined && { agentVersion: wording(event.agentVersion) }),
    ...(event.title !== undefined && { title: wording(event.title) }),
    ...(event.model !== undefined && { model: wording(event.model) }),
    ...(event.branch !== undefined && { branch: wording(event.branch) }),
    // The first one: an agent may go into other directories later.
    ...(directory !== undefined && { directory: wording(directory, LONGEST_PATH) }),
    ...(event.state !== undefined && { state: event.state }),
    ...(earlier && { startedAt: time }),
    ...(later && { endedAt: time }),
  };
  if (event.progress !== undefined)
    state.progress = event.progress
      .slice(0, MOST_TODOS)
      .map((todo) => ({ text: wording(todo.text), status: wording(todo.status) }));
}

export function sessionOf(state: FoldState): SessionRecord {
  const { session, totals, progress, touched, children } = state;
  return {
    ...session,
    ...(children.length > 0 && { children: [...children] }),
    touched: [...touched.values()].sort((a, b) => compareUtf8(a.path, b.path)),
    ...(progress !== undefined && { progress }),
    totals: { ...totals },
  };
}
