/** Finds the transcripts of Claude Code: `<config>/projects/<folder of the directory>/<session>.jsonl`. */
import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { AgentAdapter, TranscriptLocation } from '../adapter.js';

const AGENT = 'claude-code';
/** Where the session was run stands in the first lines; a summary or a queue entry may come before. */
const HEAD_BYTES = 1024 * 1024;
const LONGEST_FOLDER = 200;

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
      const folders = await foldersOf(projects, worktreeRoot);
      const found = await Promise.all(folders.map((folder) => logsIn(path.join(projects, folder))));
      const ours = await Promise.all(
        found
          .flat()
          .filter(({ modified }) => modified >= since)
          .map(async (log) => ((await ranWithin(log.file, worktreeRoot)) ? [log] : [])),
      );
      return ours.flat().sort((a, b) => b.modified - a.modified);
    },
    identify: async (file) => {
      const session = await sessionOf(file);
      if (session === undefined) return undefined;
      const { mtimeMs } = await stat(file);
      return { agent: AGENT, session, file, modified: mtimeMs };
    },
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
async function foldersOf(projects: string, root: string): Promise<readonly string[]> {
  const own = projectFolder(root);
  const prefix = own.slice(0, LONGEST_FOLDER);
  const names = await readdir(projects).catch(() => []);
  return names.filter((name) => name === own || name.startsWith(prefix));
}

async function logsIn(folder: string): Promise<readonly TranscriptLocation[]> {
  const names = await readdir(folder).catch(() => []);
  const logs = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => {
        const file = path.join(folder, name);
        const found = await stat(file).catch(() => undefined);
        if (found?.isFile() !== true) return [];
        return [{ agent: AGENT, session: name.slice(0, -'.jsonl'.length), file, modified: found.mtimeMs }];
      }),
  );
  return logs.flat();
}

async function headLines(file: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const buffer = Buffer.allocUnsafe(HEAD_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .flatMap((line) => {
        const value = parse(line);
        return value === undefined ? [] : [value];
      });
  } finally {
    await handle.close();
  }
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

async function ranWithin(file: string, root: string): Promise<boolean> {
  const directories = (await headLines(file)).map(({ cwd }) => cwd).filter((cwd) => typeof cwd === 'string');
  const first = directories[0];
  if (first === undefined || !(first === root || first.startsWith(`${root}/`))) return false;
  // A repository or worktree inside this one is another project.
  for (let at = first; at.length > root.length; at = path.dirname(at)) {
    if ((await stat(path.join(at, '.git')).catch(() => undefined)) !== undefined) return false;
  }
  return true;
}

// A log that goes on from another one may repeat its lines; the file is named after its own session.
async function sessionOf(file: string): Promise<string | undefined> {
  const sessions = (await headLines(file)).map(({ sessionId }) => sessionId).filter((id) => typeof id === 'string');
  const own = path.basename(file, '.jsonl');
  return sessions.includes(own) ? own : sessions.find((id) => id !== '');
}
