/** A fake agent: plays a recorded Claude Code transcript into the folder where the real one would write it. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RECORDINGS = fileURLToPath(new URL('../../core/tests/fixtures/agents/claude/', import.meta.url));

export interface FakeAgentOptions {
  /** The agent's configuration folder, `CLAUDE_CONFIG_DIR`. */
  readonly configDirectory: string;
  /** Where the agent runs. */
  readonly cwd: string;
  readonly session?: string;
  /** Lines to play; default: a short session. */
  readonly lines?: readonly string[];
}

export interface FakeAgent {
  readonly session: string;
  /** The log. */
  readonly file: string;
  /** Writes the next lines; returns how many were left to write. */
  play(count?: number): number;
  /** Appends bytes as they are, for torn and broken lines. */
  append(bytes: string | Uint8Array): void;
  /** Says that the log was last written so many minutes ago. */
  age(minutes: number): void;
}

export function fakeAgent(options: FakeAgentOptions): FakeAgent {
  const { configDirectory, cwd, session = '11111111-2222-4333-8444-555555555555' } = options;
  const file = join(configDirectory, 'projects', mangledPath(cwd), `${session}.jsonl`);
  const left = (options.lines ?? shortSession(session)).map((line) => relocated(line, cwd));
  const append = (bytes: string | Uint8Array): void => {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, bytes);
  };
  return {
    session,
    file,
    append,
    play(count = left.length) {
      const lines = left.splice(0, count);
      append(lines.map((line) => `${line}\n`).join(''));
      return left.length;
    },
    age(minutes) {
      const then = Date.now() / 1000 - minutes * 60;
      utimesSync(file, then, then);
    },
  };
}

/** Claude Code's name for the project of a directory. */
export function mangledPath(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, '-');
  if (name.length <= 200) return name;
  let hash = 0;
  for (let at = 0; at < cwd.length; at += 1) hash = (Math.imul(hash, 31) + cwd.charCodeAt(at)) | 0;
  return `${name.slice(0, 200)}-${Math.abs(hash).toString(36)}`;
}

/** Returns the lines of a recorded session, or undefined where the recording is not there. */
export function recordedSession(name: string): readonly string[] | undefined {
  const file = join(RECORDINGS, name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : undefined;
}

function relocated(line: string, cwd: string): string {
  return line.replace(/"cwd":"(?:[^"\\]|\\.)*"/g, () => `"cwd":${JSON.stringify(cwd)}`);
}

const START = Date.parse('2026-11-21T01:00:00.000Z');

/** Returns a session of two turns with a tool call each, in the shape that Claude Code 2.1 writes. */
export function shortSession(session: string): readonly string[] {
  let parent: string | undefined;
  let count = 0;
  const line = (type: string, message: unknown): string => {
    count += 1;
    const uuid = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    const text = JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: 'external',
      cwd: '/home/dev/repo',
      sessionId: session,
      version: '2.1.329',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp: new Date(START + count * 1000).toISOString(),
    });
    parent = uuid;
    return text;
  };
  return [1, 2].flatMap((turn) => [
    line('user', { role: 'user', content: `Please do step ${String(turn)}` }),
    line('assistant', assistant(turn, { type: 'text', text: `I will do step ${String(turn)}.` })),
    line(
      'assistant',
      assistant(turn, {
        type: 'tool_use',
        id: `toolu_${String(turn)}`,
        name: 'Read',
        input: { file_path: 'src/one.txt' },
      }),
    ),
    line('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `toolu_${String(turn)}`, content: 'one\none\n' }],
    }),
    line('assistant', assistant(turn + 10, { type: 'text', text: `Step ${String(turn)} is done.` })),
  ]);
}

function assistant(turn: number, block: unknown): unknown {
  return {
    id: `msg_${String(turn)}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [block],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  };
}
