/** Fields of a hostile line: what has another type than expected is not there. */
import { createHash } from 'node:crypto';
import { asLogObject, type LogObject, type LogValue } from '../model/context/log-value.js';

export function textOf(from: LogObject | undefined, name: string): string | undefined {
  const value = from?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a text that is there and not empty. */
export function wordOf(from: LogObject | undefined, name: string): string | undefined {
  const value = textOf(from, name);
  return value === '' ? undefined : value;
}

export function countOf(from: LogObject | undefined, name: string): number | undefined {
  const value = from?.[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function objectOf(from: LogObject | undefined, name: string): LogObject | undefined {
  return asLogObject(from?.[name]);
}

export function listOf(from: LogObject | undefined, name: string): readonly LogValue[] {
  const value = from?.[name];
  return Array.isArray(value) ? (value as readonly LogValue[]) : [];
}

/** Returns a table to look names up in that stand in a log: what an object inherits is none of them. */
export function byName<T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> {
  return Object.assign(Object.create(null), table) as Record<string, T>;
}

/** Returns a short name of a text that stands alike in a conversation and in a request, where only white space around it differs. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex').slice(0, 16);
}
