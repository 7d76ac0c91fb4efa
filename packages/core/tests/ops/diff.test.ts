import { describe, expect, test } from 'vitest';
import { diff } from '../../src/ops/read/diff.js';
import { addChain, addSnapshot, headOf, makeWorld, type World } from '../timeline/world.js';

describe('diff', () => {
  async function two(): Promise<World> {
    const world = makeWorld();
    const before = {
      same: 's',
      changed: '1\n2\n3\n',
      gone: 'g\n',
      mode: 'm',
      exec: 'x',
      linked: 'to',
      bin: 'a\0b',
      'bad\xff': 'n',
      cut: '',
    };
    await addSnapshot(world, { files: before, filesystem: { emptyDirectories: [{ path: 'empty' }] } });
    const after = {
      same: 's',
      changed: '1\ntwo\n3\n4\n',
      new: 'n\n',
      mode: 'm',
      exec: 'x',
      linked: 'to',
      bin: 'a\0c',
      'bad\xff': 'N',
    };
    await addSnapshot(world, {
      files: after,
      modes: { exec: '100755', linked: '120000' },
      filesystem: { exceptions: [{ path: 'mode', mode: '0600' }], emptyDirectories: [{ path: 'hollow' }] },
    });
    return world;
  }

  test('names every kind of change, with counts and patches', async () => {
    const { repository } = await two();
    const result = await diff({ repository, from: 'seq:1', to: 'seq:2', patch: true });
    const lines = result.files.map(
      ({ path, change, binary }) => `${path} ${change}${binary === true ? ' binary' : ''}`,
    );
    expect(lines).toEqual([
      'bad\u{FFFD} modified',
      'bin modified binary',
      'changed modified',
      'cut removed',
      'exec mode',
      'gone removed',
      'linked type',
      'mode mode',
      'new added',
    ]);
    const changed = result.files.find(({ path }) => path === 'changed');
    expect([changed?.insertions, changed?.deletions]).toEqual([2, 1]);
    expect(changed?.patch).toBe('@@ -1,3 +1,4 @@\n 1\n-2\n+two\n 3\n+4\n');
    expect(result.files[0]?.pathBytes).toBe(Buffer.from('bad\xff', 'latin1').toString('base64'));
    expect(result.files.find(({ path }) => path === 'mode')).toMatchObject({
      before: { mode: '0644' },
      after: { mode: '0600' },
    });
    expect(result.directories).toEqual([
      { path: 'empty', change: 'removed' },
      { path: 'hollow', change: 'added' },
    ]);
  });

  test('says nothing of contents where only names are asked for', async () => {
    const { repository } = await two();
    const { files, totals } = await diff({ repository, from: 'seq:1', to: 'seq:2', namesOnly: true });
    expect(totals).toEqual({ files: 9 });
    expect(files.filter((file) => ['binary', 'insertions', 'deletions', 'patch'].some((name) => name in file))).toEqual(
      [],
    );
  });

  test('backwards is the mirror image', async () => {
    const { repository } = await two();
    const [there, back] = [
      await diff({ repository, from: 'seq:1', to: 'seq:2' }),
      await diff({ repository, from: 'seq:2', to: 'seq:1' }),
    ];
    expect(back.files.map(({ before, after }) => [after, before])).toEqual(
      there.files.map(({ before, after }) => [before, after]),
    );
    expect([back.totals.insertions, back.totals.deletions]).toEqual([there.totals.deletions, there.totals.insertions]);
    expect((await diff({ repository, from: 'seq:2', to: 'head' })).files).toEqual([]);
  });

  test('keeps to the paths that were asked for', async () => {
    const world = makeWorld();
    await addChain(world, 2);
    const paths = async (...wanted: string[]) =>
      (await diff({ repository: world.repository, from: 'seq:1', to: 'seq:2', paths: wanted })).files.map(
        ({ path }) => path,
      );
    expect(await paths('a.txt')).toEqual(['a.txt']);
    expect(await paths('d')).toEqual([]);
    expect(await paths('a')).toEqual([]);
    expect(await paths('.')).toEqual(['a.txt']);
    expect(await paths('d/', './a.txt')).toEqual(['a.txt']);
  });

  test('keeps to a name that is not UTF-8 by its bytes, and to nothing where none is named', async () => {
    const { repository } = await two();
    const bad = { path: 'bad\u{FFFD}', pathBytes: Buffer.from('bad\xff', 'latin1').toString('base64') };
    const paths = async (...wanted: NonNullable<Parameters<typeof diff>[0]['paths']>) =>
      (await diff({ repository, from: 'seq:1', to: 'seq:2', paths: wanted })).files.map(({ path }) => path);
    expect(await paths(bad, 'new')).toEqual([bad.path, 'new']);
    expect(await paths(bad.path)).toEqual([]);
    await expect(paths()).rejects.toMatchObject({ code: 'argument_malformed' });
    await expect(paths('../new')).rejects.toMatchObject({ code: 'path_outside' });
  });

  test('with the present worktree reads it, keeps nothing and gives patches', async () => {
    const world = makeWorld();
    await addSnapshot(world, { files: { 'a.txt': 'one\n', 'd/b.txt': 'two\n', 'd/c.txt': 'three\n', k: 'file' } });
    const base = (await world.store.tree((await world.store.commit(await headOf(world)))?.tree ?? ''))?.find(
      ({ name }) => name === 'worktree',
    )?.id;
    world.scan = {
      ...(base && { base }),
      remove: ['d/b.txt'],
      files: { 'a.txt': 'uno\n', 'new.txt': 'fresh\n', 'k/in': 'dir' },
    };
    const objects = world.store.backing.objects.size;
    const result = await diff({ repository: world.repository, from: 'head', patch: true });
    expect(world.store.backing.objects.size).toBe(objects);
    expect(result.to.id).toBeUndefined();
    expect(result.files.map(({ path, change }) => `${path} ${change}`)).toEqual([
      'a.txt modified',
      'd/b.txt removed',
      'k removed',
      'k/in added',
      'new.txt added',
    ]);
    expect(result.files[0]?.patch).toBe('@@ -1 +1 @@\n-one\n+uno\n');
    expect(result.files[4]).toMatchObject({ after: { mode: '0644', bytes: 6 }, insertions: 1 });
  });

  test('T01, T18: what one side did not look at is unknown, not removed or added', async () => {
    const world = makeWorld();
    await addSnapshot(world, { files: { a: '1', 'data/x': 'x', 'out/y': 'y', big: 'b' } });
    const unseen = {
      ignored: [{ path: 'data/' }],
      boundaries: [{ path: 'out', kind: 'sparse' as const }],
      omitted: [{ path: 'big', reason: 'too_large' as const }],
    };
    await addSnapshot(world, { files: { a: '2' }, filesystem: unseen });
    const { repository } = world;
    const there = await diff({ repository, from: 'seq:1', to: 'seq:2' });
    expect(there.files.map(({ path }) => path)).toEqual(['a']);
    expect(there.unknown.map(({ path, side, reason }) => `${path} ${side} ${reason}`)).toEqual([
      'big to omitted',
      'data/x to ignored',
      'out/y to sparse',
    ]);
    const back = await diff({ repository, from: 'seq:2', to: 'seq:1' });
    expect(back.files.map(({ path }) => path)).toEqual(['a']);
    expect(back.unknown.map(({ side }) => side)).toEqual(['from', 'from', 'from']);
  });

  test('T36: of what a side left out no change is claimed, and none is denied', async () => {
    const world = makeWorld();
    const omitted = [
      { path: 'big', reason: 'too_large' as const },
      { path: 'locked/', reason: 'unreadable' as const },
    ];
    await addSnapshot(world, { files: { a: '1' }, filesystem: { omitted } });
    await addSnapshot(world, { files: { a: '1' }, filesystem: { omitted: omitted.slice(0, 1) } });
    await addSnapshot(world, { files: { a: '1', 'locked/in': 'x' } });
    const unknown = async (from: string, to: string, paths?: readonly string[]) =>
      (await diff({ repository: world.repository, from, to, ...(paths && { paths }) })).unknown.map(
        ({ path, side, reason }) => `${path} ${side} ${reason}`,
      );
    expect(await unknown('seq:1', 'seq:2')).toEqual(['big from omitted', 'big to omitted', 'locked from omitted']);
    expect(await unknown('seq:1', 'seq:3')).toEqual(['big from omitted', 'locked/in from omitted']);
    expect(await unknown('seq:3', 'seq:2')).toEqual(['big to omitted']);
    expect(await unknown('seq:1', 'seq:2', ['locked'])).toEqual(['locked from omitted']);
  });

  test('a changed default of modes is a change of each file that follows it', async () => {
    const world = makeWorld();
    await addSnapshot(world, { files: { a: '1', b: '2', 'd/c': '3' } });
    const modes = { file: '0600', executable: '0700', directory: '0700' };
    await addSnapshot(world, {
      files: { a: '1', b: '2', 'd/c': '3' },
      filesystem: { modes, exceptions: [{ path: 'b', mode: '0644' }] },
    });
    const result = await diff({ repository: world.repository, from: 'seq:1', to: 'seq:2' });
    expect(result.files.map(({ path, change }) => `${path} ${change}`)).toEqual(['a mode', 'd/c mode']);
    expect(result.directories).toEqual([{ path: 'd', change: 'mode' }]);
  });

  test('counts what the logs grew by', async () => {
    const world = makeWorld();
    await addChain(world, 3);
    const { transcripts } = await diff({ repository: world.repository, from: 'seq:1', to: 'seq:3' });
    expect(transcripts).toEqual([{ session: 's1', from: 11, to: 33 }]);
  });
});
