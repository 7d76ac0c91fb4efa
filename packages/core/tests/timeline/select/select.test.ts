import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { text, utf8 } from '../../../src/base/bytes.js';
import { ContextError } from '../../../src/base/errors.js';
import { list } from '../../../src/ops/read/list.js';
import { viewOf } from '../../../src/ops/repository/view-of.js';
import { CATALOGUE } from '../../../src/timeline/catalogue.js';
import { appendFact } from '../../../src/timeline/facts.js';
import { resolveSelector } from '../../../src/timeline/select/select.js';
import { parseSelector } from '../../../src/timeline/select/selector.js';
import { readTime } from '../../../src/timeline/select/times.js';
import {
  addChain,
  addSnapshot,
  headOf,
  makeKey,
  makeWorld,
  MANUAL,
  MINUTE,
  OTHER,
  REPOSITORY,
  setHead,
  START,
  type World,
} from '../world.js';

let zone: string | undefined;
beforeEach(() => {
  zone = process.env['TZ'];
  process.env['TZ'] = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

async function pick(world: World, selector: string): Promise<string> {
  return (await resolveSelector(viewOf(world.repository), selector)).snapshot.body.message;
}

async function refusal(world: World, selector: string): Promise<ContextError> {
  try {
    await resolveSelector(viewOf(world.repository), selector);
  } catch (error) {
    if (error instanceof ContextError) return error;
    throw error;
  }
  throw new Error(`${selector} was not refused`);
}

const linkOrName = async (world: World, content: Parameters<typeof appendFact>[1]) => {
  const { store, replica, clock } = world.repository;
  return appendFact({ store, key: world.keys.present ?? makeKey(), repository: REPOSITORY, replica, clock }, content);
};

describe('selectors', () => {
  test('head, head~3 and before:head walk back from the newest', async () => {
    const world = makeWorld();
    await addChain(world, 5);
    expect(await pick(world, 'head')).toBe('snapshot 5');
    expect(await pick(world, 'head~3')).toBe('snapshot 2');
    expect(await pick(world, 'before:head')).toBe('snapshot 4');
    expect(await pick(world, 'before:before:seq:4')).toBe('snapshot 2');
    for (const selector of ['head~5', 'before:head~4', 'seq:6', 'before:seq:1']) {
      expect((await refusal(world, selector)).code).toBe('snapshot_not_found');
    }
  });

  test('an id is found whole, by its first digits and behind @', async () => {
    const world = makeWorld();
    const [, second] = await addChain(world, 3);
    const id = second?.id ?? '';
    for (const selector of [id, id.slice(0, 12), `@${id.slice(0, 8)}`, id.slice(0, 10).toUpperCase()]) {
      expect(await pick(world, selector)).toBe('snapshot 2');
    }
  });

  test('digits that several ids begin with are refused with the candidates', async () => {
    const world = makeWorld();
    const seen = new Set<string>();
    let twice: string | undefined;
    // Four digits are 65,536 prefixes: two ids share one soon.
    while (twice === undefined) {
      const { id } = await addSnapshot(world, { body: { message: `snapshot ${String(seen.size)}` } });
      if (seen.has(id.slice(0, 4))) twice = id.slice(0, 4);
      seen.add(id.slice(0, 4));
    }
    const view = viewOf(world.repository);
    const error = await refusal(world, twice);
    expect(error.code).toBe('selector_ambiguous');
    const shown = error.data['snapshots'] as { id: string; shortId: string; message: string; createdAt: string }[];
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.every(({ id, message }) => id.startsWith(twice ?? '-') && message.startsWith('snapshot '))).toBe(true);
    expect((await resolveSelector(view, shown[0]?.shortId ?? '')).snapshot.id).toBe(shown[0]?.id);
  }, 60_000);

  test('seq: counts in the manual timeline, or in the one whose beginning is given', async () => {
    const world = makeWorld();
    await addChain(world, 3);
    await addChain(world, 2, { timeline: OTHER, body: { message: 'elsewhere' } });
    expect(await pick(world, 'seq:2')).toBe('snapshot 2');
    expect(await pick(world, `seq:${OTHER.slice(0, 8)}/2`)).toBe('elsewhere');
    await addSnapshot(world, { timeline: `${OTHER.slice(0, 8)}${'0'.repeat(24)}` });
    expect((await refusal(world, `seq:${OTHER.slice(0, 8)}/1`)).code).toBe('selector_ambiguous');
  });

  test('tag: is the newest with exactly this tag, in this worktree before others', async () => {
    const world = makeWorld();
    await addSnapshot(world, { body: { message: 'old', tags: ['good', 'über "x"'] } });
    await addSnapshot(world, { body: { message: 'new', tags: ['good'] } });
    await addSnapshot(world, { body: { message: 'other tag', tags: ['goodness'] } });
    await addSnapshot(world, { timeline: OTHER, body: { message: 'elsewhere', tags: ['good', 'only there'] } });
    expect(await pick(world, 'tag:good')).toBe('new');
    expect(await pick(world, 'tag:über "x"')).toBe('old');
    expect(await pick(world, 'tag:only there')).toBe('elsewhere');
    expect((await refusal(world, 'tag:goo')).code).toBe('snapshot_not_found');
  });

  test('name: is what a fact named last', async () => {
    const world = makeWorld();
    const [one, two] = await addChain(world, 2);
    await linkOrName(world, { kind: 'name', snapshot: two?.id ?? '', name: 'release' });
    world.now += MINUTE;
    await linkOrName(world, { kind: 'name', snapshot: one?.id ?? '', name: 'release' });
    expect(await pick(world, 'name:release')).toBe('snapshot 1');
  });

  test('commit: is the newest linked to it, else the newest anchored at it', async () => {
    const world = makeWorld();
    const [a, b] = ['abcdef0123'.repeat(4), 'abcdee9876'.repeat(4)];
    const anchor = (commit: string) =>
      ({ commit, dirty: false, objectFormat: 'sha1', headTree: '1'.repeat(40) }) as const;
    const first = await addSnapshot(world, { body: { message: 'a1', anchor: anchor(a) } });
    await addSnapshot(world, { body: { message: 'a2', anchor: anchor(a) } });
    await addSnapshot(world, { body: { message: 'b1', anchor: anchor(b) } });
    expect(await pick(world, `commit:${a}`)).toBe('a2');
    expect(await pick(world, `commit:${b.slice(0, 8)}`)).toBe('b1');
    expect((await refusal(world, 'commit:abcd')).code).toBe('selector_ambiguous');
    expect((await refusal(world, 'commit:1234')).code).toBe('snapshot_not_found');
    await linkOrName(world, { kind: 'link', commit: a, id: first.id, how: 'post-commit' });
    expect(await pick(world, `commit:${a.slice(0, 10)}`)).toBe('a1');
    const view = {
      ...viewOf(world.repository),
      revision: (name: string) => Promise.resolve(name === 'HEAD' ? b : undefined),
    };
    expect((await resolveSelector(view, 'commit:HEAD')).snapshot.body.message).toBe('b1');
    await expect(resolveSelector(view, 'commit:nothing')).rejects.toMatchObject({ code: 'snapshot_not_found' });
  });

  test('without snapshots every selector says so', async () => {
    const world = makeWorld();
    for (const selector of ['head', 'abcd', 'seq:1', '2 hours ago', 'tag:x']) {
      expect((await refusal(world, selector)).code).toBe('no_snapshots');
    }
  });

  test('what could be an option, a terminal escape or nothing is refused', async () => {
    const world = makeWorld();
    await addSnapshot(world);
    const hostile = [
      '',
      '  ',
      '--all',
      '-x',
      'tag:--all',
      'commit:-x',
      '\u001b[31mhead',
      'head\n',
      'tag:a\u0000b',
      '\u009bhead',
    ];
    for (const selector of [...hostile, 'abc', 'seq:', 'seq:x', 'foo:bar', '@xyz', 'a'.repeat(65), 'x'.repeat(2000)]) {
      const error = await refusal(world, selector);
      expect([selector, error.code]).toEqual([selector, 'selector_malformed']);
      expect(error.message).not.toMatch(/\p{Cc}/u);
    }
    expect(() => parseSelector(`${'before:'.repeat(60)}head`)).toThrow();
  });
});

describe('times', () => {
  test('ISO times with a zone, without one, and of coarser units', async () => {
    const world = makeWorld();
    await addChain(world, 3);
    expect(await pick(world, '2026-11-21T10:02:00.000Z')).toBe('snapshot 2');
    expect(await pick(world, '2026-11-21T10:01:59.999Z')).toBe('snapshot 1');
    expect(await pick(world, '2026-11-21T11:02:30+01:00')).toBe('snapshot 2');
    expect(await pick(world, '2026-11-21 11:02')).toBe('snapshot 2');
    expect(await pick(world, '2026-11-21')).toBe('snapshot 3');
    const early = await refusal(world, '2026-11-20');
    expect(early.code).toBe('snapshot_not_found');
    expect(early.message).toMatch(
      /read as 2026-11-20T22:59:59\.999Z; the oldest of this worktree is [0-9a-f]{12} of 2026-11-21T10:01:00\.000Z/,
    );
    expect((await refusal(world, '2026-02-30')).code).toBe('selector_malformed');
    const { reading } = await resolveSelector(viewOf(world.repository), '2026-11-21 11:02');
    expect(reading).toBe('the newest snapshot at or before 2026-11-21T10:02:59.999Z (local time, UTC+01:00)');
  });

  test('words count back from the clock', async () => {
    const world = makeWorld();
    await addChain(world, 3);
    world.now = START + 2 * 60 * MINUTE + MINUTE;
    expect(await pick(world, '2 hours ago')).toBe('snapshot 1');
    expect(await pick(world, 'an hour ago')).toBe('snapshot 3');
    expect(await pick(world, 'now')).toBe('snapshot 3');
    expect(await pick(world, 'just now')).toBe('snapshot 3');
    expect(await pick(world, 'today')).toBe('snapshot 3');
    expect(await pick(world, '11:02')).toBe('snapshot 2');
    expect((await refusal(world, 'yesterday')).code).toBe('snapshot_not_found');
    for (const words of ['tomorrow', 'gibberish', 'from 10 to 12', '2 hours ago or so']) {
      expect([words, (await refusal(world, words)).code]).toEqual([words, 'selector_malformed']);
    }
  });

  test('words lie in the past', async () => {
    const clock = { now: () => START };
    const iso = async (words: string) => new Date((await readTime(words, clock)).end).toISOString();
    expect(await iso('18:00')).toBe('2026-11-20T17:00:59.999Z');
    expect(await iso('friday')).toBe('2026-11-20T22:59:59.999Z');
    expect(await iso('monday')).toBe('2026-11-16T22:59:59.999Z');
    expect(await iso('november 30')).toBe('2025-11-30T22:59:59.999Z');
    expect(await iso('3 days ago')).toBe('2026-11-18T10:00:00.000Z');
  });

  test('a local time that occurred twice or never is read, and that is said', async () => {
    const clock = { now: () => START };
    const twice = await readTime('2026-10-25 02:30', clock);
    expect([new Date(twice.start).toISOString(), twice.note]).toEqual([
      '2026-10-25T01:30:00.000Z',
      expect.stringContaining('occurred twice'),
    ]);
    const never = await readTime('2026-03-29 02:30', clock);
    expect(never.note).toContain('never occurred');
  });

  test('T54: a clock that went back an hour changes no order and loses no snapshot', async () => {
    const world = makeWorld();
    await addSnapshot(world, { body: { message: 'first' } });
    await addSnapshot(world, { body: { message: 'late' }, after: 60 * MINUTE });
    await addSnapshot(world, { body: { message: 'back' }, after: -55 * MINUTE });
    await addSnapshot(world, { body: { message: 'same second' }, after: 0 });
    const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString();
    expect(await pick(world, 'head')).toBe('same second');
    expect(await pick(world, 'before:head')).toBe('back');
    expect(await pick(world, at(2))).toBe('first');
    expect(await pick(world, at(6))).toBe('same second');
    expect(await pick(world, at(90))).toBe('same second');
  });
});

describe('the catalogue', () => {
  const lines = (world: World) =>
    text(world.local.files.get(CATALOGUE) ?? utf8(''))
      .split('\n')
      .filter(Boolean).length;

  test('that is deleted, cut or garbage is made anew', async () => {
    const world = makeWorld();
    const built = await addChain(world, 6);
    const whole = world.local.files.get(CATALOGUE) ?? utf8('');
    const damages = [
      undefined,
      utf8('garbage\n\n{"commit":"x"}\n'),
      whole.subarray(0, whole.length - 100),
      whole.subarray(50),
    ];
    for (const damage of damages) {
      if (damage === undefined) world.local.files.delete(CATALOGUE);
      else world.local.files.set(CATALOGUE, new Uint8Array(damage));
      for (const [at, { id }] of built.entries())
        expect(await pick(world, id.slice(0, 16))).toBe(`snapshot ${String(at + 1)}`);
      expect(lines(world)).toBe(6);
    }
  });

  test('that lies about an id is found out and made anew', async () => {
    const world = makeWorld();
    const [one, two] = await addChain(world, 2);
    const forged = text(world.local.files.get(CATALOGUE) ?? utf8('')).replace(one?.id ?? '', two?.id ?? '');
    world.local.files.set(CATALOGUE, utf8(forged));
    const { snapshot } = await resolveSelector(viewOf(world.repository), two?.id ?? '');
    expect(snapshot.id).toBe(two?.id);
  });

  test('with a damaged line is made anew when that line is asked', async () => {
    const world = makeWorld();
    await addSnapshot(world, { body: { message: 'first', tags: ['good'] } });
    await addSnapshot(world, { body: { message: 'second' } });
    const damage = text(world.local.files.get(CATALOGUE) ?? utf8('')).replace('"tags":["good"]', '"tags":["good"}');
    for (const ask of ['tag:good', 'seq:1']) {
      world.local.files.set(CATALOGUE, utf8(damage));
      expect(await pick(world, ask)).toBe('first');
      expect(text(world.local.files.get(CATALOGUE) ?? utf8(''))).toContain('"tags":["good"]');
    }
    world.local.files.set(CATALOGUE, utf8(damage));
    const listed = await list({ repository: world.repository, tag: 'good' });
    expect(listed.snapshots.map(({ message }) => message)).toEqual(['first']);
  });

  test('is not written when it is up to date, and captures that could not append are added later', async () => {
    const world = makeWorld();
    await addChain(world, 3);
    const before = world.local.files.get(CATALOGUE);
    await pick(world, 'seq:1');
    expect(world.local.files.get(CATALOGUE)).toBe(before);
    world.local.append = () => Promise.reject(new ContextError('store_unwritable', {}));
    await addChain(world, 2);
    expect(await pick(world, 'seq:4')).toBe('snapshot 1');
    expect(lines(world)).toBe(3);
  });

  test('leaves out what no head reaches any more', async () => {
    const world = makeWorld();
    const built = await addChain(world, 4);
    setHead(world, built[1]?.commit.id ?? '');
    expect((await refusal(world, built[3]?.id ?? '')).code).toBe('snapshot_not_found');
    expect(await pick(world, 'head')).toBe('snapshot 2');
    expect(await headOf(world, MANUAL)).toBe(built[1]?.commit.id);
  });
});

describe('a snapshot that cannot be read', () => {
  /** Five snapshots, a minute from one to the next; of one its body is gone, and nothing is remembered of it. */
  async function without(sequence: number): Promise<World> {
    const world = makeWorld();
    const built = await addChain(world, 5);
    const root = await world.store.tree(built[sequence - 1]?.commit.tree ?? '');
    const body = root?.find(({ name }) => name === 'snapshot.json');
    expect(world.store.backing.objects.delete(body?.id ?? '')).toBe(true);
    await world.local.remove(CATALOGUE);
    return world;
  }
  const timeOf = (sequence: number): string => new Date(START + sequence * MINUTE).toISOString();

  test('is not passed over where it is the newest', async () => {
    const world = await without(5);
    for (const selector of ['head', 'head~1', timeOf(6), timeOf(5), timeOf(4), 'seq:5'])
      expect(await refusal(world, selector)).toMatchObject({ code: 'selector_uncertain', data: { selector } });
    expect(await pick(world, timeOf(3))).toBe('snapshot 3');
    expect(await pick(world, 'seq:4')).toBe('snapshot 4');
  });

  test('is not passed over where it may be the one of a time or a number', async () => {
    const world = await without(3);
    for (const selector of [timeOf(3), timeOf(2), 'seq:3'])
      expect(await refusal(world, selector)).toMatchObject({ code: 'selector_uncertain', data: { selector } });
    for (const sequence of [1, 4, 5]) expect(await pick(world, timeOf(sequence))).toBe(`snapshot ${String(sequence)}`);
    expect(await pick(world, 'head~1')).toBe('snapshot 4');
  });
});
