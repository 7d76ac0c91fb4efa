import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  cleanEnvironment,
  fakeAgent,
  fixtureAt,
  fsckComplaints,
  storedSnapshots,
  unbornRepository,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { capture, type CaptureRequest, type CaptureResult } from '../../src/ops/capture.js';
import { openRepository } from '../../src/open/open-repository.js';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0iL3oRx'}`;

function repository(): FixtureRepository {
  const fixture = unbornRepository();
  fixture.write('a.txt', 'one\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'First');
  return fixture;
}

async function take(
  fixture: FixtureRepository,
  request: Omit<CaptureRequest, 'repository'> = {},
): Promise<CaptureResult> {
  const env = cleanEnvironment(fixture.home);
  const { repository: opened } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    return await capture({ repository: opened, ...request });
  } finally {
    await opened.close();
  }
}

describe('a capture of what did not change', () => {
  test('is the head, unless somebody wants a snapshot of his own', async () => {
    const fixture = repository();
    const first = await take(fixture);
    expect(first).toMatchObject({ sequence: 1, unchanged: false, verdict: 'valid' });
    expect(await take(fixture)).toMatchObject({ id: first.id, unchanged: true });
    expect(await take(fixture, { fresh: true })).toMatchObject({ id: first.id, unchanged: true });
    let before = first;
    for (const wish of [
      { message: '' },
      { message: 'again' },
      { tags: ['t'] },
      { trigger: { kind: 'automatic', reason: 'Stop' } as const },
    ]) {
      const next = await take(fixture, wish);
      expect(next).toMatchObject({ unchanged: false, sequence: before.sequence + 1, parents: [before.id] });
      before = next;
    }
    expect(await take(fixture)).toMatchObject({ id: before.id, unchanged: true });
  });

  const changes: readonly (readonly [string, (fixture: FixtureRepository) => void])[] = [
    [
      'a file',
      (fixture) => {
        fixture.write('a.txt', 'two\n');
      },
    ],
    [
      'a mode',
      (fixture) => {
        fixture.write('a.txt', 'one\n', 0o600);
      },
    ],
    [
      'an empty directory',
      (fixture) => {
        mkdirSync(fixture.path('empty'));
      },
    ],
    [
      'what is staged',
      (fixture) => {
        fixture.write('b', 'b');
        fixture.git('add', 'b');
        rmSync(fixture.path('b'));
      },
    ],
    [
      'a flag in the index',
      (fixture) => {
        fixture.git('update-index', '--assume-unchanged', 'a.txt');
      },
    ],
    [
      'the commit',
      (fixture) => {
        fixture.git('commit', '-q', '--allow-empty', '-m', 'x');
      },
    ],
    [
      'the branch',
      (fixture) => {
        fixture.git('checkout', '-q', '-b', 'other');
      },
    ],
    [
      'what is ignored',
      (fixture) => {
        fixture.write('.git/info/exclude', 'a.txt\nz\n');
        fixture.write('z', 'z');
      },
    ],
  ];
  test.each(changes)('does not overlook a change of %s', async (_, change) => {
    const fixture = repository();
    const first = await take(fixture);
    change(fixture);
    const second = await take(fixture);
    expect(second).toMatchObject({ unchanged: false, parents: [first.id] });
    expect(await take(fixture)).toMatchObject({ id: second.id, unchanged: true });
  });

  test('holds when the only thing new is that the session grew old', async () => {
    const fixture = repository();
    const agent = fakeAgent({ configDirectory: path.join(fixture.home, '.claude'), cwd: fixture.root });
    agent.play();
    const first = await take(fixture);
    expect(first.session).toMatchObject({ id: agent.session, guessed: true });
    agent.age(11);
    expect(await take(fixture)).toMatchObject({ id: first.id, unchanged: true });
    agent.append('{"type":"user","message":{"role":"user","content":"more"}}\n');
    expect(await take(fixture)).toMatchObject({ unchanged: false, session: { id: agent.session } });
    const other = fakeAgent({
      configDirectory: path.join(fixture.home, '.claude'),
      cwd: fixture.root,
      session: '99999999-2222-4333-8444-555555555555',
    });
    other.play();
    const both = await take(fixture);
    expect(both.unchanged).toBe(true);
    expect(both.notes).toEqual([expect.stringMatching(/^2 transcripts/)]);
  });
});

describe('a snapshot', () => {
  test('has no secret in its message, tags and branch, and counts them', async () => {
    const fixture = repository();
    fixture.git('checkout', '-q', '-b', `fix/${TOKEN}`);
    const taken = await take(fixture, { message: `uses ${TOKEN}`, tags: [`t-${TOKEN}`, 'plain', 'plain'] });
    expect(JSON.stringify(taken)).not.toContain(TOKEN.slice(4));
    expect(taken.redactions.count).toBe(3);
    expect(taken.tags).toHaveLength(2);
  });

  test('has seen at most sixteen other heads, and in time all of them', async () => {
    const fixture = repository();
    const others = new Set<string>();
    for (let at = 0; at < 18; at += 1) {
      const root = path.join(fixture.base, `tree ${String(at)}`);
      fixture.git('worktree', 'add', '-q', '--detach', root);
      others.add((await take(fixtureAt(fixture.base, root))).id);
    }
    const seen = new Set<string>();
    for (let round = 0; seen.size < others.size && round < 60; round += 1) {
      const taken = await take(fixture, { message: String(round) });
      expect(taken.seen).toHaveLength(16);
      const names = taken.seen.map(({ timeline }) => timeline);
      expect([...new Set(names)].sort()).toEqual(names);
      expect(names).not.toContain(taken.timeline);
      for (const { id } of taken.seen) seen.add(id);
    }
    expect(seen).toEqual(others);
  });

  test('stands though the caches beside it cannot be written', async () => {
    const fixture = repository();
    await take(fixture);
    rmSync(fixture.path('.git/savepoint/cache'), { recursive: true, force: true });
    writeFileSync(fixture.path('.git/savepoint/cache'), 'in the way');
    // Old enough for what git said of the repository to be kept.
    utimesSync(fixture.path('.git/config'), 1, 1);
    const taken = await take(fixture, { message: 'stands' });
    expect(storedSnapshots(fixture)[0]).toMatchObject({ id: taken.id });
    expect(await take(fixture)).toMatchObject({ id: taken.id, unchanged: true });
  });

  test('of each of many captures at once is kept, in one chain', async () => {
    const fixture = repository();
    const all = await Promise.all(Array.from({ length: 8 }, (_, at) => take(fixture, { message: String(at) })));
    const stored = storedSnapshots(fixture);
    expect(stored.map(({ body }) => body.sequence)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(stored.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    expect(fsckComplaints(fixture)).toEqual([]);
  });

  test('holds what no tree may, every time again, and git fsck has nothing to say', async () => {
    const fixture = repository();
    fixture.link('.gitmodules', 'elsewhere');
    fixture.link('d/.gitattributes', '../a.txt');
    fixture.write('e/.gitmodules', '[submodule "../x"]\n\tpath = y\n');
    const first = await take(fixture);
    expect(first.slices.map(({ name }) => name)).toContain('content');
    fixture.write('a.txt', 'two\n');
    const second = await take(fixture);
    const content = (one: CaptureResult): unknown => one.slices.find(({ name }) => name === 'content');
    expect(content(second)).toEqual(content(first));
    expect(second.complete).toBe(true);
    expect(fsckComplaints(fixture)).toEqual([]);
    fixture.git('gc', '-q', '--prune=now');
    expect(await take(fixture, { fresh: true })).toMatchObject({ id: second.id, unchanged: true });
  });
});
