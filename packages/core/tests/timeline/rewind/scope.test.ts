import { describe, expect, test } from 'vitest';
import { namedScope } from '../../../src/timeline/rewind/scope.js';

describe('the scope of an operation', () => {
  test('is everything only where nobody names a path, or a dot does', () => {
    const everything = [undefined, ['.'], ['a', './']].map((named) => namedScope(named).includes('other'));
    expect(everything).toEqual([true, true, true]);
    expect(namedScope(['a']).includes('other')).toBe(false);
  });

  // What a shell makes of `"$FILE"` where that is not set.
  test.each([[[]], [['']], [['a', '']]])('is never everything by accident: %j', (named) => {
    expect(() => namedScope(named)).toThrow(expect.objectContaining({ code: 'argument_malformed' }));
  });
});
