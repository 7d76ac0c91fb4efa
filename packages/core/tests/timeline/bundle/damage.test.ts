/** A bundle that is not byte for byte what was published is refused. `npm run slow:bundle` tries every byte. */
import { beforeAll, describe, expect, test } from 'vitest';
import { unnoticedCuts, unnoticedFlips } from './damage.js';
import { runMutations, sampleBundle } from './mutations.js';

let bundle: Buffer;
beforeAll(async () => {
  bundle = await sampleBundle();
});

describe('a bundle', () => {
  test('is refused with any of its bytes changed', async () => {
    expect(await unnoticedFlips(bundle, { stride: 41, seed: 7 }, [0x01, 0x80])).toEqual([]);
  });

  test('is refused wherever it is cut', async () => {
    expect(await unnoticedCuts(bundle, { stride: 97, seed: 5 })).toEqual([]);
  });

  test('that was changed by somebody who knows how it is made is refused, or is a bundle of less', async () => {
    const { refused, taken, codes } = await runMutations({ count: 300, seed: 1 });
    expect(refused).toBeGreaterThan(200);
    expect(taken).toBeGreaterThan(0);
    // Those that only leave something out are some of the mutations; all others have to be refused.
    expect(taken).toBeLessThan(60);
    expect(Object.keys(codes).length).toBeGreaterThan(4);
  });
});
