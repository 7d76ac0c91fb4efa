/** Reads a time that a person typed: ISO, with or without a zone, or words such as "2 hours ago". */
import type { Clock } from '../../base/clock.js';
import { formatTime } from '../../base/clock.js';
import { contextError } from '../../base/errors.js';
import { localDay, localDaysBefore, localInstant, localYearsBefore, zoneName } from '../../base/local-time.js';

/** A time is as wide as its last stated unit: a day, a minute, a second. */
export interface ReadTime {
  readonly start: number;
  readonly end: number;
  /** What else has to be said about how it was read. */
  readonly note?: string;
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?[ ]?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;
const MINUTE = 60_000;

/** Tells whether a text has the form of an ISO date or time. */
export function looksLikeIsoTime(text: string): boolean {
  return ISO.test(text);
}

/** Reads a time. `now` is the clock's present. @throws selector_malformed */
export async function readTime(text: string, clock: Clock): Promise<ReadTime> {
  // As lists print it, too.
  if (/^(?:just )?now$/i.test(text)) return { start: clock.now(), end: clock.now() };
  return ISO.test(text) ? readIso(text) : readWords(text, clock.now());
}

function refuse(text: string, reason: string): Error {
  return contextError('selector_malformed', { selector: text, reason });
}

function readIso(text: string): ReadTime {
  const [, year, month, day, hour, minute, second, fraction, zone] = ISO.exec(text) ?? [];
  const wall = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    millisecond: Number((fraction ?? '0').slice(0, 3).padEnd(3, '0')),
  };
  const utc = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, wall.millisecond);
  if (formatTime(utc).slice(0, 16) !== `${text.slice(0, 10)}T${hour ?? '00'}:${minute ?? '00'}` || wall.second > 59) {
    throw refuse(text, 'there is no such day or time');
  }
  const width = fraction !== undefined ? unitOf(fraction) : second !== undefined ? 1000 : MINUTE;
  if (zone !== undefined) return wide(utc - zoneOffset(zone) * MINUTE, width);
  const local = localInstant(wall);
  if (local === undefined) throw refuse(text, 'there is no such day or time');
  if (hour === undefined)
    return { ...localDay(local.milliseconds), note: `local time, ${zoneName(local.milliseconds)}` };
  return { ...wide(local.milliseconds, width), note: noteOf(local.milliseconds, local.unclear) };
}

function noteOf(milliseconds: number, unclear: 'twice' | 'never' | undefined): string {
  const zone = `local time, ${zoneName(milliseconds)}`;
  if (unclear === 'twice') return `${zone}; the clocks went back over it, so it occurred twice: read as the later one`;
  if (unclear === 'never')
    return `${zone}; the clocks went forward over it, so it never occurred: read as shifted forward`;
  return zone;
}

// Tenths and hundredths of a second cover what follows them; anything finer is one millisecond.
function unitOf(fraction: string): number {
  return fraction.length === 1 ? 100 : fraction.length === 2 ? 10 : 1;
}

function wide(start: number, width: number): ReadTime {
  return { start, end: start + width - 1 };
}

/** Minutes east of UTC. */
function zoneOffset(zone: string): number {
  const found = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (found === null) return 0;
  return (found[1] === '-' ? -1 : 1) * (Number(found[2]) * 60 + Number(found[3] ?? 0));
}

interface WordComponents {
  isCertain(component: 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute' | 'second' | 'timezoneOffset'): boolean;
  date(): Date;
}

async function readWords(text: string, now: number): Promise<ReadTime> {
  // Only here, so that nothing else pays for loading it.
  const { parse } = await import('chrono-node/en');
  const results = parse(text, { instant: new Date(now) });
  const [result] = results;
  if (result === undefined) throw refuse(text, 'it is neither an id nor a form of selector nor a time');
  const rest = (text.slice(0, result.index) + text.slice(result.index + result.text.length)).trim();
  if (results.length > 1 || rest !== '') throw refuse(text, `only "${result.text}" in it could be read as a time`);
  if (result.end) throw refuse(text, 'it names a span of time, not one time');
  const start = intoThePast(result.start, now);
  if (start > now) throw refuse(text, 'it lies in the future');
  const note = result.start.isCertain('timezoneOffset') ? undefined : `local time, ${zoneName(start)}`;
  return { ...widthOf(text, result.start, start), ...(note !== undefined && { note }) };
}

// "friday" said on a Saturday, "18:00" said in the morning and "november 30" said on the 3rd all lie behind us.
function intoThePast(components: WordComponents, now: number): number {
  const at = components.date().getTime();
  if (at <= now || components.isCertain('year')) return at;
  if (components.isCertain('month')) return localYearsBefore(at, 1);
  if (components.isCertain('weekday')) return localDaysBefore(at, 7);
  return components.isCertain('day') ? at : localDaysBefore(at, 1);
}

const PART_OF_DAY = /\b(?:ago|earlier|morning|noon|afternoon|evening|night|tonight|midnight)\b/i;

function widthOf(text: string, components: WordComponents, start: number): ReadTime {
  if (components.isCertain('second')) return { start, end: start };
  if (components.isCertain('minute')) return wide(start, MINUTE);
  return components.isCertain('hour') || PART_OF_DAY.test(text) ? { start, end: start } : localDay(start);
}
