/** Time and chance come in through these ports, so that a test can fix them. */
import { randomBytes } from 'node:crypto';

export interface Clock {
  /** Returns the present, in milliseconds since 1970 UTC. */
  now(): number;
}

export interface Random {
  /** Returns that many lower hex digits of cryptographic randomness. */
  hex(digits: number): string;
}

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The machine's own randomness. */
export const systemRandom: Random = {
  hex: (digits) =>
    randomBytes(Math.ceil(digits / 2))
      .toString('hex')
      .slice(0, digits),
};

/** Formats as `YYYY-MM-DDTHH:MM:SS.mmmZ` (format section "Canonical bytes"). */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns milliseconds since 1970 UTC, or undefined if `value` is not of the exact form that `formatTime` gives. */
export function parseTime(value: string): number | undefined {
  if (!TIME.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) return undefined;
  // Only the ends of months and of days can mean another time than they say.
  const isPlain = Number(value.slice(8, 10)) <= 28 && Number(value.slice(11, 13)) < 24;
  return isPlain || formatTime(milliseconds) === value ? milliseconds : undefined;
}
