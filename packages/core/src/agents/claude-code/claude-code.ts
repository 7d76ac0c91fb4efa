/** Finds the transcripts of Claude Code: `<config>/projects/<folder of the directory>/<session>.jsonl`. */
import path from 'node:path';
import type { AgentAdapter, TranscriptLocation } from '../adapter.js';
import { readActivity } from './activity.js';
import { findInHead, type LogLine } from '../log-lines.js';
import { liesWithin, look, namesIn } from '../places.js';

const AGENT = 'claude-code';
const LONGEST_FOLDER = 200;
/** More logs than this are no session's. */
const MOST_SUBAGENTS = 1000;

export interface ClaudeCodePlace {
  /** `CLAUDE_CONFIG_DIR`, or `.claude` in the home folder; undefined where there is neither. */
  readonly configDirectory: string | undefined;
}

export function claudeCode({ configDirectory }: ClaudeCodePlace): AgentAdapter {
  const projects = configDirectory === undefined ? undefined : path.join(configDirectory, 'projects');
  return {
    name: AGENT,
    transcriptsOf: async (worktreeRoot, since) => {
      if (projects === undefined) return [];
      const found = foldersOf(projects, worktreeRoot).flatMap((folder) => logsIn(path.join(projects, folder)));
      const recent = found.filter(({ modified }) => modified >= since);
      return recent.filter(({ file }) => ranWithin(file, worktreeRoot)).sort((a, b) => b.modified - a.modified);
    },
    identify: async (file) => {
      const session = sessionOf(file) ?? stubIn(projects, file);
      const modified = look(file)?.mtimeMs;
      return session === undefined || modified === undefined ? undefined : { agent: AGENT, session, file, modified };
    },
    childrenOf: async (location) => subagentsOf(location),
    activityOf: async (location, since) => readActivity(location, since),
    dialect: async () => (await import('./log/claude-log.js')).claudeLog,
  };
}

/** Returns the folder name that Claude Code gives a directory; long names end in a hash of the whole (base 36). */
export function projectFolder(directory: string): string {
  const plain = directory.replace(/[^A-Za-z0-9]/g, '-');
  if (plain.length <= LONGEST_FOLDER) return plain;
  let hash = 0;
  for (let at = 0; at < directory.length; at += 1) hash = (Math.imul(hash, 31) + directory.charCodeAt(at)) | 0;
  return `${plain.slice(0, LONGEST_FOLDER)}-${Math.abs(hash).toString(36)}`;
}

// Different directories can have the same folder, and a session may have begun below the root: what the log itself says
// decides in the end.
function foldersOf(projects: string, root: string): readonly string[] {
  const prefix = projectFolder(root).slice(0, LONGEST_FOLDER);
  return namesIn(projects).filter((name) => name.startsWith(prefix));
}

function logsIn(folder: string): readonly TranscriptLocation[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      const file = path.join(folder, name);
      const found = look(file);
      if (found?.isFile() !== true) return [];
      return [{ agent: AGENT, session: name.slice(0, -'.jsonl'.length), file, modified: found.mtimeMs }];
    });
}

/** `<session>/subagents/agent-<id>.jsonl` beside the session's own log. */
function subagentsOf({ file, session }: TranscriptLocation): readonly TranscriptLocation[] {
  const folder = path.join(file.replace(/\.jsonl$/, ''), 'subagents');
  return logsIn(folder)
    .filter((log) => log.session.startsWith('agent-'))
    .sort((a, b) => (a.session < b.session ? -1 : 1))
    .slice(0, MOST_SUBAGENTS)
    .map((log) => ({ ...log, parent: session }));
}

function ranWithin(file: string, root: string): boolean {
  const first = findInHead(file, ({ cwd }) => (typeof cwd === 'string' ? cwd : undefined));
  return first !== undefined && liesWithin(first, root);
}

/** A log that was cut to nothing says no more whose it is; that it lies where the agent keeps its logs does. */
function stubIn(projects: string | undefined, file: string): string | undefined {
  const isThere = projects !== undefined && path.dirname(path.dirname(path.resolve(file))) === path.resolve(projects);
  return isThere && file.endsWith('.jsonl') && look(file)?.isFile() === true
    ? path.basename(file, '.jsonl')
    : undefined;
}

// A log that goes on from another one may repeat its lines; the file is named after its own session. Other agents name
// sessions by the same word, in lines of no type.
function sessionOf(file: string): string | undefined {
  const own = path.basename(file, '.jsonl');
  let first: string | undefined;
  const named = findInHead(file, (line) => {
    const session = sessionIn(line);
    first ??= session;
    return session === own ? own : undefined;
  });
  return named ?? first;
}

function sessionIn({ type, sessionId }: LogLine): string | undefined {
  return typeof type === 'string' && typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
}
