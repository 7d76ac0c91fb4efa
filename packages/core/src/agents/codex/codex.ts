/** Finds the logs of Codex: `<home>/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`. */
import path from 'node:path';
import type { AgentAdapter, TranscriptLocation } from '../adapter.js';
import { asObject, findInHead, type LogLine } from '../log-lines.js';
import { liesWithin, look, namesIn } from '../places.js';
import { readActivity } from './activity.js';

const AGENT = 'codex';
/** A session that goes on is written to the folder of the day on which it began; older days than these are not looked at. */
const MOST_DAYS = 31;

export interface CodexPlace {
  /** `CODEX_HOME`, or `.codex` in the home folder; undefined where there is neither. */
  readonly home: string | undefined;
}

export function codex({ home }: CodexPlace): AgentAdapter {
  return {
    name: AGENT,
    transcriptsOf: async (worktreeRoot, since) => {
      const logs = home === undefined ? [] : logsIn(path.join(home, 'sessions'));
      const ours: TranscriptLocation[] = [];
      for (const log of logs.filter(({ modified }) => modified >= since)) {
        const meta = metaOf(log.file);
        const directory = meta?.['cwd'];
        if (typeof directory !== 'string' || !liesWithin(directory, worktreeRoot)) continue;
        ours.push({ agent: AGENT, session: sessionIn(meta) ?? path.basename(log.file, '.jsonl'), ...log });
      }
      return ours.sort((a, b) => b.modified - a.modified);
    },
    identify: async (file) => {
      const session = sessionIn(metaOf(file)) ?? stubIn(home, file);
      const modified = look(file)?.mtimeMs;
      return session === undefined || modified === undefined ? undefined : { agent: AGENT, session, file, modified };
    },
    // Their logs lie beside those of all other sessions, and are found as such.
    childrenOf: () => Promise.resolve([]),
    activityOf: async (location, since) => readActivity(location, since),
    dialect: async () => (await import('./log/codex-log.js')).codexLog,
  };
}

const ROLLOUT = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl$/;

/** A log that was cut to nothing says no more whose it is; its name does, where the agent keeps its logs. */
function stubIn(home: string | undefined, file: string): string | undefined {
  const sessions = home === undefined ? undefined : `${path.resolve(home, 'sessions')}${path.sep}`;
  const isThere = sessions !== undefined && path.resolve(file).startsWith(sessions) && look(file)?.isFile() === true;
  return isThere ? ROLLOUT.exec(path.basename(file))?.[1] : undefined;
}

interface FoundLog {
  readonly file: string;
  readonly modified: number;
}

function logsIn(sessions: string): readonly FoundLog[] {
  return daysIn(sessions)
    .flatMap((day) => namesIn(day).map((name) => path.join(day, name)))
    .filter((file) => /\/rollout-[^/]*\.jsonl$/.test(file))
    .flatMap((file) => {
      const found = look(file);
      return found?.isFile() === true ? [{ file, modified: found.mtimeMs }] : [];
    });
}

/** The newest days, `YYYY/MM/DD`. */
function daysIn(sessions: string): readonly string[] {
  const below = (folder: string, digits: RegExp): readonly string[] =>
    namesIn(folder)
      .filter((name) => digits.test(name))
      .sort()
      .reverse()
      .map((name) => path.join(folder, name));
  const days: string[] = [];
  for (const year of below(sessions, /^\d{4}$/)) {
    for (const month of below(year, /^\d\d$/)) {
      days.push(...below(month, /^\d\d$/));
      if (days.length >= MOST_DAYS) return days.slice(0, MOST_DAYS);
    }
  }
  return days;
}

/** The first line says whose log it is; where it goes on from another one, that one's line comes later. */
function metaOf(file: string): LogLine | undefined {
  return findInHead(file, ({ type, payload }) => (type === 'session_meta' ? (asObject(payload) ?? {}) : undefined));
}

function sessionIn(meta: LogLine | undefined): string | undefined {
  return [meta?.['id'], meta?.['session_id']].find((id) => typeof id === 'string' && id !== '') as string | undefined;
}
