/** What an adapter hands in to be judged, and the tools with which its rules are written. */
import { readFileSync } from 'node:fs';
import type { AgentAdapter, LogDialect, LogEvent, LogObject } from '@savepoint/core';

export interface RecordedLog {
  readonly name: string;
  /** Absolute path of the recording. */
  readonly file: string;
  readonly session: string;
  /** Where the session ran, as the recording says. */
  readonly directory: string;
}

export interface AgentCase {
  /** The name that the adapter gives itself. */
  readonly name: string;
  /** Returns an adapter whose agent keeps its logs below this folder, which may not be there. */
  adapter(home: string): AgentAdapter;
  /** Where below that folder the agent writes the log of a session that runs in a directory. */
  fileOf(session: string, directory: string): string;
  /** Logs of whole sessions, each with prompts, calls and requests. */
  readonly logs: readonly [RecordedLog, ...RecordedLog[]];
  /** Logs of other agents, which are none of this one's. */
  readonly strangers: readonly string[];
  /** The redactor, line by line, and whether it leaves what stands under a key alone. */
  readonly redact: (line: Uint8Array) => Uint8Array;
  readonly isOpaque: (key: string) => boolean;
}

export function linesOf({ file }: RecordedLog): readonly LogObject[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LogObject);
}

/** Reads lines; at each cut another reader goes on from plain data. */
export function eventsOf(dialect: LogDialect, lines: readonly LogObject[], cuts = new Set<number>()): Told[] {
  let reader = dialect.reader();
  return lines.map((line, index) => {
    if (cuts.has(index)) reader = dialect.reader(JSON.parse(JSON.stringify(reader.state())) as never);
    return { line, events: reader.read(line) };
  });
}

/** What was said of a line. */
export interface Told {
  readonly line: LogObject;
  readonly events: readonly LogEvent[];
}

/** The value at a pointer (RFC 6901), found here so that a reader is not judged by core's own code. */
export function valueAt(line: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (at, step) =>
        typeof at === 'object' && at !== null && Object.hasOwn(at, step)
          ? (at as Record<string, unknown>)[step]
          : undefined,
      line,
    );
}

/** Numbers that look like chance and are the same in every run. */
export function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
