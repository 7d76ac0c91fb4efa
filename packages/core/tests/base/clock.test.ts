/** Times: only the one form that is written is read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatTime, parseTime } from '../../src/base/clock.js';

const two = (max: number) => fc.nat({ max }).map((value) => String(value).padStart(2, '0'));
const year = fc.nat({ max: 9999 }).map((value) => String(value).padStart(4, '0'));

test('a time is read if it means what it says, at the ends of months and days as well', () => {
  const times = fc.tuple(year, two(14), two(33), two(26), two(62), two(62));
  fc.assert(
    fc.property(times, ([y, month, day, hour, minute, second]) => {
      const text = `${y}-${month}-${day}T${hour}:${minute}:${second}.123Z`;
      const milliseconds = Date.parse(text);
      const means = Number.isNaN(milliseconds) ? undefined : formatTime(milliseconds);
      expect(parseTime(text)).toBe(means === text ? milliseconds : undefined);
    }),
    { numRuns: 3000 },
  );
  for (const text of [
    '2026-02-29T00:00:00.000Z',
    '2026-11-21T24:00:00.000Z',
    '2026-11-21T10:20:30Z',
    '2026-11-31T00:00:00.000Z',
  ])
    expect(parseTime(text)).toBeUndefined();
  expect(parseTime('2024-02-29T23:59:59.999Z')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59, 999));
});
