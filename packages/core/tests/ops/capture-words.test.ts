import { describe, expect, test } from 'vitest';
import { cleanEnvironment, timelineRefs, unbornRepository } from '@savepoint/testkit';
import { openRepository } from '../../src/open/open-repository.js';
import { checkWords, type SnapshotWords } from '../../src/ops/capture-step/capture-words.js';
import { capture } from '../../src/ops/capture.js';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oRx'}`;
const MESSAGE_LENGTH = 1_048_576;

const GOOD: readonly (readonly [string, SnapshotWords])[] = [
  ['the longest message', { message: 'a '.repeat(MESSAGE_LENGTH / 2) }],
  ['an empty message', { message: '' }],
  ['a message with control characters', { message: 'one\ntwo\u0000\u001b[31m' }],
  ['characters beyond the first plane', { message: '\u{1F600}', tags: ['\u{1F600}'] }],
  ['the longest tag', { tags: ['t '.repeat(128)] }],
  ['the most tags', { tags: Array.from({ length: 1024 }, (_, at) => `t${String(at)}`) }],
];

const BAD: readonly (readonly [string, SnapshotWords])[] = [
  ['a message that is too long', { message: 'a '.repeat(MESSAGE_LENGTH / 2) + 'a' }],
  ['half a character in a message', { message: 'a \ud800 b' }],
  ['half a character in a tag', { tags: ['\udc00'] }],
  ['half a character in the reason of a trigger', { trigger: { kind: 'automatic', reason: '\ud83d' } }],
  ['a reason that is too long', { trigger: { kind: 'automatic', reason: 'r '.repeat(2049) } }],
  ['an empty tag', { tags: [''] }],
  ['a tag that is too long', { tags: ['t '.repeat(128) + 't'] }],
  ['a tag with a line feed', { tags: ['a\nb'] }],
  ['a tag with an escape', { tags: ['\u001b[2J'] }],
  ['a tag with a control character of the upper half', { tags: ['a\u0085b'] }],
  ['too many tags', { tags: Array.from({ length: 1025 }, (_, at) => `t${String(at)}`) }],
];

describe('the words of a snapshot', () => {
  test.each(GOOD)('may be %s, and the snapshot has them', async (_, words) => {
    const { result } = await taken(words);
    expect(result).toMatchObject({ verdict: 'valid', message: words.message ?? '' });
    expect(new Set(result?.tags)).toEqual(new Set(words.tags ?? []));
  });

  test.each(BAD)('cannot be %s: it is said before anything is made', async (_, words) => {
    const { error, refs } = await taken(words);
    expect(error).toMatchObject({ code: 'argument_malformed', kind: 'usage' });
    expect((error as { readonly hint?: string }).hint).toMatch(/./);
    expect((error as Error).message).toMatch(/cannot be used as .*: .*\.$/s);
    expect((error as Error).message.length).toBeLessThan(250);
    expect((error as Error).message).not.toMatch(/\p{Cc}/u);
    expect(refs).toBe(0);
  });

  test('are refused where what stands for a secret makes them too long', () => {
    const short = 'https://u:p4s@h.example/';
    const filler = 'a '.repeat((MESSAGE_LENGTH - short.length) / 2);
    expect(() => {
      checkWords({ message: filler + short });
    }).toThrow(/without its secrets/);
  });

  test('do not repeat a secret when they are refused', () => {
    expect(() => {
      checkWords({ tags: [`${TOKEN}\n`] });
    }).toThrow(expect.objectContaining({ message: expect.not.stringContaining(TOKEN) as string }) as Error);
  });
});

interface Taken {
  readonly result?: Awaited<ReturnType<typeof capture>>;
  readonly error?: unknown;
  readonly refs: number;
}

async function taken(words: SnapshotWords): Promise<Taken> {
  const fixture = unbornRepository();
  const env = cleanEnvironment(fixture.home);
  const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    const result = await capture({ repository, ...words });
    return { result, refs: timelineRefs(fixture).size };
  } catch (error) {
    return { error, refs: timelineRefs(fixture).size };
  } finally {
    await repository.close();
  }
}
