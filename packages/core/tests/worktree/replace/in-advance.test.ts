/** Content that is asked for in advance of a store which answers in order: whoever fails half-way leaves nobody waiting. */
import { expect, test } from 'vitest';
import { inAdvance, type WantedBlob } from '../../../src/worktree/replace/slots/in-advance.js';
import { storeInGit, type StoreInGit } from '../../store/git/fixture.js';

async function withBlobs(work: (bench: StoreInGit, wanted: readonly WantedBlob[]) => Promise<void>): Promise<void> {
  const bench = storeInGit();
  const wanted = Array.from({ length: 12 }, (_, at) => {
    // Some come in several pieces.
    const input = `${String(at)}\n`.repeat(at % 3 === 0 ? 200_000 : 3);
    const { stdout } = bench.fixture.run({ args: ['hash-object', '-w', '--stdin'], input });
    return { id: stdout.toString().trim(), size: input.length };
  });
  try {
    await work(bench, wanted);
  } finally {
    await bench.dispose();
  }
}

test('all is handed out in its order', async () => {
  await withBlobs(async ({ store }, wanted) => {
    const found: number[] = [];
    for await (const { pieces } of inAdvance(store, wanted)) {
      let size = 0;
      for await (const piece of pieces) size += piece.length;
      found.push(size);
    }
    expect(found).toEqual(wanted.map(({ size }) => size));
  });
});

test.each([0, 1, 6, 11])(
  'a reader that fails at the first piece of number %i ends it, and the store answers on',
  async (at) => {
    await withBlobs(async ({ store }, wanted) => {
      const coming = inAdvance(store, wanted);
      const reading = (async () => {
        let index = 0;
        for await (const { pieces } of coming) {
          for await (const piece of pieces) if (index === at && piece.length > 0) throw new Error('the disk is full');
          index += 1;
        }
      })();
      await expect(reading).rejects.toThrow('the disk is full');
      const [last] = wanted.slice(-1);
      expect((await store.read(last?.id ?? '', 'blob'))?.length).toBe(last?.size);
    });
  },
);
