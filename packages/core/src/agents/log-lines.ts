/** Lines of a log, read tolerantly: logs are hostile, torn and huge. */
import * as fs from 'node:fs';

export type LogLine = Readonly<Record<string, unknown>>;

export interface LogPart {
  readonly from: number;
  readonly bytes: number;
}

/** Returns a part of a file as text, or undefined where the file cannot be read. */
export async function readPart(file: string, { from, bytes }: LogPart): Promise<string | undefined> {
  const handle = await fs.promises.open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(bytes);
    const { bytesRead } = await handle.read(buffer, 0, bytes, from);
    return buffer.toString('utf8', 0, bytesRead);
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
