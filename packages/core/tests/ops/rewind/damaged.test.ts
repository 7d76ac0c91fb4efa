/** Snapshots that are damaged: captures and rewinds say so, and there is a way on. */
import { rmSync } from 'node:fs';
import { recordedSession } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { capture } from '../../../src/ops/capture.js';
import { list } from '../../../src/ops/read/list.js';
import { timeline } from '../../../src/ops/read/timeline.js';
import { rewind, rewindPoints } from '../../../src/ops/rewind/rewind.js';
import { loosen, place, type Place } from './place.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const RECORDED = (recordedSession(`projects/-home-dev-repo/${SESSION}.jsonl`) ?? []).map(
  (line) => JSON.parse(line) as object,
);

const headOf = ({ fixture }: Place): string =>
  fixture.git('for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/timelines');

/** Takes one object out of the store. */
function lose(at: Place, name: string): void {
  const id = at.fixture.git('rev-parse', name);
  loosen(at);
  rmSync(at.fixture.path(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));
}

test.each(['session.json', `transcript/${SESSION}/source.json`])(
  'without its %s nothing is added to it until everything is asked for anew',
  async (file) => {
    const at = place();
    at.agent(SESSION, RECORDED);
    const take = (fresh = false) =>
      at.with((repository) => capture({ repository, message: 'a moment', fresh }).catch((error: unknown) => error));
    const first = (await take()) as { readonly id: string };
    const commit = headOf(at);
    lose(at, `${commit}:${file}`);
    rmSync(at.fixture.path('.git/savepoint/cache'), { recursive: true });
    at.fixture.write('a.txt', 'today\n');
    const files = { selector: first.id, part: 'files' } as const;
    const refused: unknown = await at.with((repository) =>
      rewind({ repository, ...files }).catch((error: unknown) => error),
    );
    for (const error of [await take(), refused])
      expect(error).toMatchObject({ code: 'head_damaged', data: { snapshot: first.id.slice(0, 12) } });
    expect(await take(true)).toMatchObject({
      complete: true,
      parents: [first.id],
      session: { id: SESSION },
      notes: expect.arrayContaining([expect.stringContaining('begins anew')]) as unknown,
    });
    expect(await take()).toMatchObject({ complete: true });
    expect(await at.with((repository) => rewind({ repository, ...files }))).toMatchObject({
      files: [{ path: 'a.txt', action: 'write' }],
    });
  },
);

test.each(['snapshot.json', '', 'commit'])(
  'without its %j it cannot be read, and a new timeline begins beside the old one when that is asked for',
  async (file) => {
    const at = place();
    const take = (message: string, fresh = false) =>
      at.with((repository) =>
        capture({ repository, message, fresh, transcript: false }).catch((error: unknown) => error),
      );
    const first = (await take('first')) as { readonly id: string; readonly timeline: string };
    at.fixture.write('a.txt', 'today\n');
    await take('second');
    const commit = headOf(at);
    lose(at, file === 'commit' ? commit : `${commit}:${file}`);
    rmSync(at.fixture.path('.git/savepoint/cache'), { recursive: true });
    at.fixture.write('a.txt', 'tomorrow\n');
    const files = { selector: first.id, part: 'files' } as const;
    const refused: unknown = await at.with((repository) =>
      rewind({ repository, ...files }).catch((error: unknown) => error),
    );
    expect(await take('third')).toMatchObject({ code: 'head_unreadable', data: { commit } });
    // Where even the commit is gone, nothing leads to the ones before.
    expect(refused).toMatchObject({ code: file === 'commit' ? 'no_snapshots' : 'head_unreadable' });
    const anew = (await take('third', true)) as { readonly timeline: string };
    expect(anew).toMatchObject({
      complete: true,
      sequence: 1,
      parents: [],
      notes: [expect.stringContaining('begins a new timeline')],
    });
    expect(anew.timeline).not.toBe(first.timeline);
    expect(await take('fourth')).toMatchObject({ complete: true, sequence: 2, timeline: anew.timeline, notes: [] });
    const { snapshots } = await at.with((repository) => list({ repository }));
    expect(snapshots.map(({ message }) => message)).toEqual(
      file === 'commit' ? ['fourth', 'third'] : ['fourth', 'third', 'first'],
    );
    const drawn = await at.with((repository) => timeline({ repository }));
    expect(drawn.timelines).toHaveLength(file === 'commit' ? 1 : 2);
    if (file !== 'commit')
      expect(await at.with((repository) => rewind({ repository, ...files }))).toMatchObject({
        files: [{ path: 'a.txt', action: 'write' }],
      });
  },
);

test.each(['snapshot.json', 'worktree/a.txt'])(
  'without its %s an older one is no point to go back to, and is named',
  async (file) => {
    const at = place();
    await at.snapshot('first');
    at.fixture.write('a.txt', 'today\n');
    await at.snapshot('second');
    const commit = headOf(at);
    at.fixture.write('a.txt', 'tomorrow\n');
    await at.snapshot('third');
    lose(at, `${commit}:${file}`);
    const { points, unreadable } = await at.with((repository) => rewindPoints({ repository }));
    expect(points.map(({ message }) => message)).toEqual(['third', 'first']);
    expect(unreadable).toMatchObject([{ commit, code: 'object_missing' }]);
  },
);
