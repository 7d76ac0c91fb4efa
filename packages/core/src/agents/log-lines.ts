/** Lines of a log, read tolerantly: logs are hostile, torn and huge. */
import * as fs from 'node:fs';

export type LogLine = Readonly<Record<string, unknown>>;

export interface LogPart {
  readonly from: number;
  readonly bytes: number;
}

/** Where a session was run stands in the first lines; something else may come before. */
const HEAD_BYTES = 1024 * 1024;
const TAIL_BYTES = 1024 * 1024;

/** Returns the objects among the first lines of a log. */
export async function headLines(file: string): Promise<readonly LogLine[]> {
  return linesIn((await readPart(file, { from: 0, bytes: HEAD_BYTES })) ?? '');
}

/** Most logs say who they are in their first lines: so much is looked at before the rest of the beginning. */
const FIRST_BYTES = 64 * 1024;

/** Returns what `find` finds in the first lines of a log, in as few of them as it takes. */
export async function findInHead<T>(
  file: string,
  find: (lines: readonly LogLine[]) => T | undefined,
): Promise<T | undefined> {
  const first = (await readPart(file, { from: 0, bytes: FIRST_BYTES })) ?? '';
  // The last line may be cut, and is then no object.
  return find(linesIn(first)) ?? find(await headLines(file));
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
export async function linesSince(
  file: string,
  since: number,
  tells: (line: LogLine) => boolean,
): Promise<readonly LogLine[]> {
  const size = (await fs.promises.stat(file).catch(() => undefined))?.size ?? 0;
  for (let bytes = TAIL_BYTES; ; bytes *= 4) {
    const from = Math.max(0, size - bytes);
    const part = await readPart(file, { from, bytes: size - from });
    if (part === undefined) return [];
    const lines = linesIn(from === 0 ? part : part.slice(part.indexOf('\n') + 1));
    const first = lines.map(timeOf).find((time) => time !== undefined);
    if (from === 0 || (first !== undefined && first < since && lines.some(tells))) return lines;
  }
}

/** Returns a part of a file as text, or undefined where the file cannot be read. */
export async function readPart(file: string, { from, bytes }: LogPart): Promise<string | undefined> {
  const handle = await fs.promises.open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, from);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    // A folder can be opened, and not read.
    return undefined;
  } finally {
    await handle.close();
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
