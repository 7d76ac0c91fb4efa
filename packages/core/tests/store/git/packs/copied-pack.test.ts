/** What a snapshot takes from the store as it was, while a `git gc` of the user's is at work. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyObjects } from '../../../../src/store/git/packs/copied-pack.js';
import { storeInGit } from '../fixture.js';

test.each([
  ['is at work', process.pid, true],
  ['was killed', 999_999_999, false],
])('a gc that %s takes nothing that a snapshot took from the store', async (_, pid, isCopied) => {
  const bench = storeInGit();
  const { fixture, store } = bench;
  const packs = fixture.path('.git/objects/pack');
  const packsNow = (): string[] => readdirSync(packs).filter((name) => name.endsWith('.pack'));
  const hashed = (text: string): string =>
    fixture
      .run({ args: ['hash-object', '-w', '--stdin'], input: text })
      .stdout.toString('latin1')
      .trim();
  const inPack = hashed('in a pack of the user\n');
  fixture.run({ args: ['pack-objects', '-q', path.join(packs, 'pack')], input: `${inPack}\n` });
  const doomed = packsNow();
  const loose = hashed('loose\n');
  writeFileSync(fixture.path('.git/gc.pid'), `${String(pid)} ${hostname()}`);
  const writer = store.writer();
  // fast-import does not write what is in a pack already.
  await writer.blob(Buffer.from('in a pack of the user\n'));
  const set = [inPack, loose].map((id) => ({ path: `d/${id}`, mode: '100644' as const, id }));
  const { id } = await writer.commit({
    ref: `timelines/${'a'.repeat(32)}`,
    message: 'a message\n',
    folders: [{ folder: 'worktree', remove: [], set }],
    seal: () => new Map([['snapshot.json', Buffer.from('{}')]]),
  });
  expect(packsNow()).toHaveLength(doomed.length + (isCopied ? 2 : 1));
  if (isCopied) {
    // What a gc removes at its end that listed packs and read refs before.
    for (const name of doomed)
      for (const ending of ['.pack', '.idx']) rmSync(path.join(packs, name.replace('.pack', ending)));
    for (const blob of [inPack, loose])
      rmSync(fixture.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`), { force: true });
    expect(fixture.git('rev-list', '--objects', id).split('\n')).toHaveLength(7);
    expect(fixture.git('fsck', '--full', '--no-dangling')).toBe('');
  }
  expect(readdirSync(fixture.path('.git/savepoint/incoming'))).toEqual([]);
  await bench.dispose();
});

test('what a gc has taken already is noticed before anybody can see the ref', async () => {
  const bench = storeInGit();
  const { fixture, store } = bench;
  writeFileSync(fixture.path('.git/gc.pid'), `${String(process.pid)} ${hostname()}`);
  const refs = fixture.path('.git/refs/savepoint/v1/timelines');
  // What is in it keeps git from removing the folder.
  mkdirSync(path.join(refs, 'kept'), { recursive: true });
  const [timeline, end] = ['a'.repeat(32), 'end'];
  const changed = new Set<string>();
  const watcher = watch(refs);
  const ended = new Promise<void>((resolve) => {
    watcher.on('change', (_, name) => {
      changed.add(String(name));
      if (name === end) resolve();
    });
  });
  const id = fixture
    .run({ args: ['hash-object', '-w', '--stdin'], input: 'loose\n' })
    .stdout.toString('latin1')
    .trim();
  const commit = store.writer().commit({
    ref: `timelines/${timeline}`,
    message: 'a message\n',
    folders: [{ folder: 'worktree', remove: [], set: [{ path: 'd/a', mode: '100644', id }] }],
    seal: () => {
      rmSync(fixture.path(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`));
      return new Map([['snapshot.json', Buffer.from('{}')]]);
    },
  });
  await expect(commit).rejects.toMatchObject({ code: 'object_missing' });
  writeFileSync(path.join(refs, end), '');
  await ended;
  watcher.close();
  expect([...changed].filter((name) => name === timeline)).toEqual([]);
  await bench.dispose();
});

test('a gc that clears temporaries away does not take the copy that is being written', async () => {
  const bench = storeInGit();
  const { fixture, place } = bench;
  const packs = fixture.path('.git/objects/pack');
  // Bytes of chance, so that git takes a while to write them.
  const input = randomBytes(2_000_000);
  const id = fixture
    .run({ args: ['hash-object', '-w', '--stdin'], input })
    .stdout.toString('latin1')
    .trim();
  const clearing = setInterval(() => {
    for (const name of readdirSync(packs)) if (name.startsWith('tmp_')) rmSync(path.join(packs, name));
  }, 1);
  const folder = fixture.path('.git/savepoint/incoming/x');
  const name = await copyObjects({ place: place.privatePlace(), objects: place.objects, folder }, [id]);
  clearInterval(clearing);
  expect(readdirSync(packs)).toContain(name);
  expect(readdirSync(folder)).toEqual([]);
  expect(fixture.git('verify-pack', '-v', path.join(packs, name))).toContain(id);
  await bench.dispose();
});
