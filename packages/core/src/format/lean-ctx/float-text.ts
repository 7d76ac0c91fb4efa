/** Doubles as the other program's serialiser prints them: the shortest digits, always with a point or an exponent. */
import { contextError } from '../../base/errors.js';

/**
 * Returns the digits of a number as serde_json prints an `f64`. `null` stands for what is no number.
 *
 * From 10^16 on its older releases write `1e16` and its newer ones `1e+16`, and below 10^-5 both write an exponent; such
 * large numbers are therefore only read, never written.
 * @throws invariant_broken from 10^16 on
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  // Without an argument, ECMAScript gives the shortest digits that are read back as the same double.
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  // Digits before the point.
  const whole = Number(exponent) + 1;
  if (whole > 16)
    throw contextError('invariant_broken', { reason: `the number ${String(value)} is printed in two ways` });
  if (whole >= digits.length) return `${sign}${digits.padEnd(whole, '0')}.0`;
  if (whole > 0) return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`;
  if (whole > -5) return `${sign}0.${'0'.repeat(-whole)}${digits}`;
  return `${sign}${mantissa}e${String(whole - 1)}`;
}

/**
 * Returns a share of a thousand as such a number. Its three digits are read back exactly also where the other program's
 * reader takes the quick way (one division of small integers), so that it computes the same id from them.
 */
export function thousandthsText(thousandths: number): string {
  return floatText(thousandths / 1000);
}
