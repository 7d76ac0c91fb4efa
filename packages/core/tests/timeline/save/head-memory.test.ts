import { appendFileSync, writeFileSync } from 'node:fs';
import { cleanEnvironment, plainRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { capture, openRepository, type OpenedRepository } from '../../../src/index.js';
import { recallHead } from '../../../src/timeline/save/head-memory.js';
import { walkNewest } from '../../../src/timeline/newest-first.js';

interface Captured extends OpenedRepository {
  readonly fixture: FixtureRepository;
  readonly timeline: string;
  /** Oldest first. */
  readonly commits: readonly string[];
}

async function captured(): Promise<Captured> {
  const fixture = plainRepository();
  const opened = await openRepository({ directory: fixture.root, env: cleanEnvironment(fixture.home) });
  const repository = await opened.repository.enrol();
  const { timeline } = repository.self;
  const commits: string[] = [];
  for (const content of ['one', 'two', 'three']) {
    fixture.write('file', content);
    await capture({ repository, transcript: false });
    commits.push((await repository.store.resolve(`timelines/${timeline}`)) ?? 'none');
  }
  return { ...opened, repository, fixture, timeline, commits };
}

describe('the head that is remembered', () => {
  test('is the one that was asked for, or none', async () => {
    const { repository, fixture, timeline, commits } = await captured();
    const { local } = repository;
    const recalled = commits.map((commit) => recallHead(local, 'sha1', { timeline, commit }));
    const sequences = (await Promise.all(recalled)).map((snapshot) => snapshot?.body.sequence);
    expect(sequences).toEqual([undefined, undefined, 3]);
    const head = { timeline, commit: commits[2] ?? '' };
    const cache = fixture.path('.git/savepoint/cache/heads', timeline);
    appendFileSync(cache, 'x');
    expect(await recallHead(local, 'sha1', head)).toBeUndefined();
    writeFileSync(cache, JSON.stringify([['commit', Buffer.from('tree of another').toString('base64')]]));
    expect(await recallHead(local, 'sha1', head)).toBeUndefined();
    await repository.close();
  });
});

describe('a walk with guesses', () => {
  test('finds what the chain says, whatever was guessed', async () => {
    const { repository, timeline, commits } = await captured();
    const [first = '', second = '', third = ''] = commits;
    const nothing = 'e'.repeat(40);
    for (const guessed of [
      [third, second, first],
      [third, first, second],
      [third, first],
      [third, nothing],
      [nothing],
    ]) {
      const unreadable: [] = [];
      const guess = { ancestors: () => guessed, newest: () => guessed };
      const reading = { wanted: 3, unreadable, guess };
      const walked: string[] = [];
      const walk = walkNewest(repository.store, [{ timeline, commit: third }], reading);
      for await (const { snapshot } of walk) walked.push(snapshot.commit.id);
      expect(walked).toEqual([third, second, first]);
      expect(unreadable).toEqual([]);
      const later: string[] = [];
      for await (const { snapshot } of walkNewest(repository.store, [{ timeline, commit: second }], reading))
        later.push(snapshot.commit.id);
      expect(later).toEqual([second, first]);
    }
    await repository.close();
  });
});
