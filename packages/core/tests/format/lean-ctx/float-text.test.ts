import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { floatText, thousandthsText } from '../../../src/format/lean-ctx/float-text.js';
import { failure } from '../failure.js';
import { FLOATS } from './vectors.js';

describe('floatText', () => {
  const small = FLOATS.filter(([value]) => !value.startsWith('1e16') && value !== 'NaN/Inf');

  it.each(small)('prints %s as the other program does', (value, expected) => {
    expect(floatText(Number(value))).toBe(expected);
  });

  it('prints what is no number as null', () => {
    expect(FLOATS).toContainEqual(['NaN/Inf', 'null']);
    expect([NaN, Infinity, -Infinity].map(floatText)).toEqual(['null', 'null', 'null']);
  });

  it('does not print what releases of the other program print differently', () => {
    expect(FLOATS.filter(([value]) => value.startsWith('1e16')).map(([, printed]) => printed)).toEqual([
      '1e+16',
      '1e16',
    ]);
    expect(failure(() => floatText(1e16)).code).toBe('invariant_broken');
    expect(floatText(9_999_999_999_999_998)).toBe('9999999999999998.0');
  });

  it('prints digits that are read back as the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, max: 1e15, min: -1e15 }), (value) => {
        const printed = floatText(value);
        expect(Object.is(Number(printed), value)).toBe(true);
        expect(printed).toMatch(/^-?(?:\d+\.\d+|\d(?:\.\d+)?e-\d+)$/);
      }),
    );
  });
});

describe('thousandthsText', () => {
  it('prints shares of a thousand', () => {
    expect([0, 1, 12, 500, 910, 1000].map(thousandthsText)).toEqual(['0.0', '0.001', '0.012', '0.5', '0.91', '1.0']);
  });
});
