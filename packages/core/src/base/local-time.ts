/** Times without a zone are local time: which instants they mean, and where a change of the clocks makes that unclear. */

export interface WallTime {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

export interface LocalInstant {
  /** Milliseconds since 1970 UTC. Of a time that occurred twice, the later one. */
  readonly milliseconds: number;
  /** `twice`: the clocks went back over it; `never`: they went forward over it. */
  readonly unclear?: 'twice' | 'never';
}

const MINUTE = 60_000;
// Clocks change by half an hour, an hour or two (the tz database has no other change since 1970 but whole days).
const CHANGES = [30, 60, 120].map((minutes) => minutes * MINUTE);

/** Returns the instant of a local time, or undefined if there is no such day or hour in any calendar. */
export function localInstant(wall: WallTime): LocalInstant | undefined {
  const date = new Date(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second, wall.millisecond);
  const milliseconds = date.getTime();
  if (wall.hour > 23 || wall.minute > 59 || wall.second > 59) return undefined;
  if (!isSame(milliseconds, wall)) {
    const rolled = date.getMonth() + 1 !== wall.month || date.getDate() !== wall.day;
    return rolled ? undefined : { milliseconds, unclear: 'never' };
  }
  const other = CHANGES.flatMap((change) => [milliseconds + change, milliseconds - change]).find((at) =>
    isSame(at, wall),
  );
  return other === undefined ? { milliseconds } : { milliseconds: Math.max(other, milliseconds), unclear: 'twice' };
}

function isSame(milliseconds: number, wall: WallTime): boolean {
  const date = new Date(milliseconds);
  return (
    date.getFullYear() === wall.year &&
    date.getMonth() + 1 === wall.month &&
    date.getDate() === wall.day &&
    date.getHours() === wall.hour &&
    date.getMinutes() === wall.minute
  );
}

/** Returns the first millisecond of the local day that holds an instant, and the last. */
export function localDay(milliseconds: number): { readonly start: number; readonly end: number } {
  const date = new Date(milliseconds);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return { start: new Date(year, month, day).getTime(), end: new Date(year, month, day + 1).getTime() - 1 };
}

/** Returns the distance of local time from UTC at an instant, such as `UTC+01:00`. */
export function zoneName(milliseconds: number): string {
  const minutes = -new Date(milliseconds).getTimezoneOffset();
  const digits = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  return `UTC${minutes < 0 ? '-' : '+'}${digits(minutes / 60)}:${digits(minutes % 60)}`;
}

/** Returns the same local time that many days earlier. */
export function localDaysBefore(milliseconds: number, days: number): number {
  const date = new Date(milliseconds);
  return date.setDate(date.getDate() - days);
}

/** Returns the same local day and time that many years earlier. */
export function localYearsBefore(milliseconds: number, years: number): number {
  const date = new Date(milliseconds);
  return date.setFullYear(date.getFullYear() - years);
}
