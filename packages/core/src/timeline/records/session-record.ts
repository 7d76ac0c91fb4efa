/** The session of the fold. */
import { compareUtf8 } from '../../base/bytes.js';
import type { SessionEvent } from '../../model/context/log-event.js';
import type { SessionRecord } from '../../model/context/session.js';
import type { FoldState } from './fold-state.js';
import { LONGEST_PATH, timeIn, worded, wording } from './wording.js';

const MOST_TODOS = 100;

export function describe(state: FoldState, event: SessionEvent): void {
  const { session } = state;
  // Most lines come in order: the form of a time is looked at only where it says something new.
  const first = session.startedAt === undefined || (event.at !== undefined && event.at < session.startedAt);
  const last = session.endedAt === undefined || (event.at !== undefined && event.at > session.endedAt);
  const time = first || last ? timeIn(event.at) : undefined;
  const { directory = event.directory } = session;
  state.session = {
    ...session,
    ...(event.agentVersion !== undefined && { agentVersion: wording(event.agentVersion) }),
    ...(event.title !== undefined && { title: wording(event.title) }),
    ...(event.model !== undefined && { model: wording(event.model) }),
    ...(event.branch !== undefined && { branch: wording(event.branch) }),
    // The first one: an agent may go into other directories later.
    ...worded('directory', directory, LONGEST_PATH),
    ...(event.state !== undefined && { state: event.state }),
    ...(first && time !== undefined && { startedAt: time }),
    ...(last && time !== undefined && { endedAt: time }),
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
