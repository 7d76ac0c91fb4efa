/** Lines of a log, read tolerantly: logs are hostile, torn and huge. */
import * as fs from 'node:fs';
import { look, openToRead } from './places.js';

export type LogLine = Readonly<Record<string, unknown>>;

interface LogPart {
  readonly from: number;
  readonly bytes: number;
}

/** Most logs say who they are in their first line; before what says it, something else may come. */
const HEAD_STEPS = [8 * 1024, 64 * 1024, 1024 * 1024] as const;
const TAIL_BYTES = 1024 * 1024;

/** Returns what `find` makes of the first line of a log's beginning of which it makes something. */
export function findInHead<T>(file: string, find: (line: LogLine) => T | undefined): T | undefined {
  let done = 0;
  for (const bytes of HEAD_STEPS) {
    const texts = readPart(file, { from: 0, bytes })?.split('\n') ?? [];
    // The last one may be cut, and is no object then: it is read again with what follows.
    for (const text of texts.slice(done)) {
      const line = parseLine(text);
      const found = line === undefined ? undefined : find(line);
      if (found !== undefined) return found;
    }
    done = Math.max(0, texts.length - 1);
  }
  return undefined;
}

function linesIn(text: string): readonly LogLine[] {
  return text
    .split('\n')
    .map(parseLine)
    .filter((line) => line !== undefined);
}

/**
 * Returns the objects from the last line before `since` on that says what is asked for; what stands further up need not be
 * read. A log that is gone has none.
 */
export function linesSince(file: string, since: number, tells: (line: LogLine) => boolean): readonly LogLine[] {
  const size = look(file)?.size ?? 0;
  for (let bytes = TAIL_BYTES; ; bytes *= 4) {
    const from = Math.max(0, size - bytes);
    const part = readPart(file, { from, bytes: size - from });
    if (part === undefined) return [];
    const lines = linesIn(from === 0 ? part : part.slice(part.indexOf('\n') + 1));
    const first = lines.map(timeOf).find((time) => time !== undefined);
    if (from === 0 || (first !== undefined && first < since && lines.some(tells))) return lines;
  }
}

/** Returns a part of a file as text, or undefined where the file cannot be read. */
function readPart(file: string, { from, bytes }: LogPart): string | undefined {
  const descriptor = opened(file);
  if (descriptor === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.toString('utf8', 0, fs.readSync(descriptor, buffer, 0, bytes, from));
  } catch {
    // A folder can be opened, and not read.
    return undefined;
  } finally {
    fs.closeSync(descriptor);
  }
}

// Loading `fs.promises` takes some milliseconds of every capture.
function opened(file: string): number | undefined {
  try {
    return openToRead(file);
  } catch {
    return undefined;
  }
}

/** Returns the object of a line, or undefined for anything else. */
export function parseLine(line: string): LogLine | undefined {
  try {
    return asObject(JSON.parse(line));
  } catch {
    return undefined;
  }
}

export function asObject(value: unknown): LogLine | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogLine) : undefined;
}

/** Returns when a line says that it was written, in milliseconds since 1970 UTC. */
export function timeOf({ timestamp }: LogLine): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
