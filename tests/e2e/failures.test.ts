/** T04, T34, T36, T56, T12: what cannot be captured is named, and a failure is never a success. */
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  emptyFixture,
  fixtureAt,
  giveTo,
  nestedRepositories,
  plainRepository,
  PROGRAM,
  pseudoRandom,
  readBlobs,
  savepoint,
  storedSnapshots,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import {
  act,
  capture,
  expectError,
  expectExact,
  headCommit,
  NOBODY,
  noOtherUser,
  run,
  verify,
} from './support/acts.js';

const otherUser = noOtherUser();
const because = otherUser === undefined ? '' : ` (skipped: ${otherUser})`;

describe('a capture that cannot take everything', () => {
  it('passes over a nested repository without a commit and still holds all the rest', async () => {
    const fixture = nestedRepositories();
    const first = await capture(fixture);
    fixture.write('src/two.txt', 'changed since\n');
    const second = await capture(fixture);
    expect(second.id).not.toBe(first.id);
    expectExact(fixture);
  });

  it.skipIf(otherUser !== undefined)(
    `names an unreadable file and an unreadable folder, exit 3${because}`,
    async () => {
      const fixture = plainRepository();
      fixture.write('secret/inside.txt', 'inside\n');
      fixture.write('names only/inside.txt', 'inside\n');
      giveTo(fixture.base, NOBODY);
      chmodSync(fixture.path('src/two.txt'), 0);
      chmodSync(fixture.path('new file.txt'), 0);
      chmodSync(fixture.path('secret'), 0);
      await capture(fixture, { uid: NOBODY, code: 3 });
      chmodSync(fixture.path('names only'), 0o600);
      const answer = await act(fixture, ['--json', 'capture', '-m', 'what can be read'], { uid: NOBODY });
      expect(answer.code, answer.stderr).toBe(3);
      const snapshot = answer.json();
      expect(snapshot.complete).toBe(false);
      expect(snapshot.omitted.map(({ path, reason }) => ({ path: path.replace(/\/$/, ''), reason }))).toEqual([
        { path: 'names only/inside.txt', reason: 'unreadable' },
        { path: 'new file.txt', reason: 'unreadable' },
        { path: 'secret', reason: 'unreadable' },
        { path: 'src/two.txt', reason: 'unreadable' },
      ]);
      const files = fixture.git('ls-tree', '-r', '--name-only', `${headCommit(fixture)}:worktree`).split('\n');
      expect(files).toContain('src/one.txt');
      expect(files).not.toContain('src/two.txt');
      const shown = await run(fixture, ['--json', 'show'], { uid: NOBODY });
      expect(shown.json().omitted).toHaveLength(4);
      const checked = await run(fixture, ['--json', 'verify', '--deep'], { uid: NOBODY });
      expect(checked.code, checked.stdout).toBe(0);
    },
  );

  it.skipIf(otherUser !== undefined)(`refuses a store that is read-only and prints no id${because}`, async () => {
    const fixture = plainRepository();
    giveTo(fixture.base, NOBODY);
    const asNobody = { uid: NOBODY };
    const first = await run(fixture, ['--json', 'capture'], asNobody);
    expect(first.code, first.stderr).toBe(0);
    fixture.write('src/two.txt', 'changed since\n');
    const git = fixture.path('.git');
    spawnSync('chmod', ['-R', 'a-w', git]);
    const answer = await act(fixture, ['--json', 'capture', '-m', 'no'], asNobody);
    expect({ code: answer.code, stdout: answer.stdout }).toEqual({ code: 17, stdout: '' });
    expect(answer.error()).toMatchObject({ code: 'store_unwritable' });
    spawnSync('chmod', ['-R', 'u+w', git]);
    const again = await run(fixture, ['--json', 'capture', '-m', 'yes'], asNobody);
    expect(again.code, again.stderr).toBe(0);
    expectExact(fixture);
  });

  it.skipIf(otherUser !== undefined)(`reads from a store that is read-only${because}`, async () => {
    const fixture = plainRepository();
    giveTo(fixture.base, NOBODY);
    const { id } = (await run(fixture, ['--json', 'capture'], { uid: NOBODY })).json();
    spawnSync('chmod', ['-R', 'a-w', fixture.path('.git')]);
    for (const args of [['list'], ['show', id], ['verify', '--all', '--deep'], ['diff', id, id], ['at', 'now']]) {
      const answer = await act(fixture, ['--json', ...args], { uid: NOBODY });
      expect(answer.code, `${args.join(' ')}: ${answer.stderr}`).toBe(0);
    }
    spawnSync('chmod', ['-R', 'u+w', fixture.path('.git')]);
  });

  it('works while index.lock is there, and leaves it', async () => {
    const fixture = plainRepository();
    fixture.write('.git/index.lock', '');
    await capture(fixture);
    expectExact(fixture);
  });

  it('does not believe a git that fails: no id comes out', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    fixture.write('src/two.txt', 'changed since\n');
    const folder = join(fixture.base, 'bin');
    const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    const failed: string[] = [];
    for (const verb of ['fast-import', 'diff-files', 'ls-files', 'cat-file', 'update-ref']) {
      mkdirSync(folder, { recursive: true });
      const broken = `#!/bin/sh\ncase " $* " in *" ${verb} "*) kill -9 $$;; esac\nexec '${real}' "$@"\n`;
      writeFileSync(join(folder, 'git'), broken, { mode: 0o755 });
      const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
      // Killed after a long time: a capture that waits for a dead git for ever is a failure too.
      const answer = await act(fixture, ['--json', 'capture', '-m', verb], { env, killAfter: 30_000, killGroup: true });
      expect(answer.signal, `hangs when git ${verb} dies`).toBeUndefined();
      if (answer.code === 0) {
        // It may do without this verb; but then the snapshot is a whole one.
        expectExact(fixture);
        fixture.write('src/two.txt', `changed again after ${verb}\n`);
      } else {
        expect(answer.stdout).toBe('');
        expect(answer.error().code).toMatch(/^[a-z_]+$/);
        failed.push(verb);
      }
    }
    expect(failed).toEqual(expect.arrayContaining(['fast-import', 'update-ref']));
    await capture(fixture);
    expectExact(fixture);
  });

  it('says so when there is no git, no repository, and no such option', async () => {
    const fixture = plainRepository();
    const nowhere = { env: { PATH: join(fixture.base, 'no programs') } };
    await expectError(fixture, ['capture'], { exit: 10, code: 'git_missing', options: nowhere });
    await expectError(fixture, ['capture', '--bogus'], { exit: 2, code: 'unknown_option' });
    await expectError(fixture, ['no-such-verb'], { exit: 2, code: 'unknown_command' });
    await expectError(fixture, ['show'], { exit: 12, code: 'no_snapshots' });
    await capture(fixture);
    await expectError(fixture, ['show', 'ffffffffffff'], { exit: 12, code: 'snapshot_not_found' });
    await expectError(fixture, ['show', 'seq:x'], { exit: 2, code: 'selector_malformed' });
    await expectError(fixture, ['capture', '--transcript', 'nowhere.jsonl'], { exit: 12, code: 'file_not_found' });
    const outside = { cwd: fixture.beside };
    await expectError(fixture, ['capture'], { exit: 10, code: 'not_a_git_repository', options: outside });
  });

  it('says so when the directory was removed under the shell, and works from there in another', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const gone = join(fixture.base, 'gone');
    const inside = (words: string): ReturnType<typeof spawnSync> =>
      spawnSync(
        'sh',
        ['-c', `mkdir "$0" && cd "$0" && rmdir "$0" && exec "$1" "$2" ${words}`, gone, process.execPath, PROGRAM],
        {
          encoding: 'utf8',
          env: { ...process.env, HOME: fixture.home },
        },
      );
    for (const verb of ['capture', 'list', 'verify', 'rewind head', 'status']) {
      const { status, stderr } = inside(`--json ${verb}`);
      expect({ verb, status, stderr: String(stderr) }).toMatchObject({
        ...{ verb, status: 12 },
        stderr: expect.stringMatching(/^\{"error":\{"code":"directory_gone"/) as string,
      });
    }
    expect(inside(`-C '${fixture.root}' list`).status).toBe(0);
  });

  it.skipIf(!existsSync('/dev/full'))('says so when even the version cannot be written', () => {
    const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$1" --version > /dev/full', process.execPath, PROGRAM], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({
      status: 17,
      stderr: expect.stringMatching(/^error: The output cannot be written: ENOSPC/) as string,
    });
  });

  it.skipIf(!existsSync('/dev/full'))(
    'says that something was done where that cannot be written, and not to run it again',
    async () => {
      const fixture = plainRepository();
      await capture(fixture);
      fixture.write('a.txt', 'changed\n');
      const full = (words: string): ReturnType<typeof spawnSync> =>
        spawnSync('sh', ['-c', `exec "$0" "$1" ${words} > /dev/full`, process.execPath, PROGRAM], {
          encoding: 'utf8',
          cwd: fixture.root,
          env: { ...process.env, HOME: fixture.home },
        });
      for (const words of ['capture -m kept', 'rewind seq:1 --yes', 'undo']) {
        const { status, stderr } = full(words);
        expect({ words, status, stderr: String(stderr) }).toMatchObject({
          ...{ words, status: 3 },
          stderr: expect.stringMatching(/incomplete: It was done, but the output cannot be written: ENOSPC/) as string,
        });
      }
      expect(full('list').status).toBe(17);
      const listed = await savepoint(['--json', 'operations'], { cwd: fixture.root, home: fixture.home });
      expect(JSON.parse(listed.stdout)).toMatchObject({ operations: [{ kind: 'undo' }, { kind: 'rewind' }] });
    },
  );

  it('refuses to start in the home folder and at the root of the file system', async () => {
    const fixture = emptyFixture();
    mkdirSync(fixture.root);
    for (const cwd of [fixture.home, '/']) {
      const answer = await savepoint(['--json', 'capture'], { cwd, home: fixture.home });
      expect({ code: answer.code, stdout: answer.stdout }, answer.stderr).toEqual({ code: 10, stdout: '' });
      expect(answer.error()).toMatchObject({ code: 'not_a_git_repository' });
    }
    expect(readdirSync(fixture.home).filter((name) => name !== '.cache')).toEqual([]);
  });
});

describe('special files', () => {
  it('and loops of links neither hang a capture nor are opened', async () => {
    const fixture = plainRepository();
    spawnSync('mkfifo', [fixture.path('pipe'), fixture.path('src/pipe')]);
    symlinkSync('..', fixture.path('src/up'));
    symlinkSync('b', fixture.path('a'));
    symlinkSync('a', fixture.path('b'));
    const device = process.getuid?.() === 0 && spawnSync('mknod', [fixture.path('zero'), 'c', '1', '5']).status === 0;
    const { boundaries } = await capture(fixture);
    expect(boundaries.map(({ path }) => path)).toEqual(['pipe', 'src/pipe', ...(device ? ['zero'] : [])]);
    expectExact(fixture);
  });

  it('that grow or vanish while they are read end in a capture that says so', async () => {
    const fixture = plainRepository();
    fixture.write('growing.txt', 'start\n'.repeat(100_000));
    const script = 'i=0; while :; do echo line >> growing.txt; i=$((i+1)); touch "t$i"; rm -f "t$((i-3))"; done';
    const writer = spawn('sh', ['-c', script], { cwd: fixture.root, stdio: 'ignore' });
    try {
      for (let round = 0; round < 4; round += 1) {
        const answer = await run(fixture, ['--json', 'capture', '-m', `round ${String(round)}`]);
        expect([0, 3, 13], answer.stderr).toContain(answer.code);
        if (answer.code === 13) continue;
        const { complete, omitted } = answer.json();
        expect(complete).toBe(answer.code === 0);
        for (const { reason } of omitted) expect(reason).toBe('changing');
      }
    } finally {
      writer.kill('SIGKILL');
      await new Promise((resolve) => writer.once('exit', resolve));
    }
    const last = readFileSync(fixture.path('growing.txt'));
    for (const { tree } of storedSnapshots(fixture)) {
      const { code } = fixture.run({ args: ['cat-file', '-e', `${tree}:worktree/growing.txt`], accept: 'any' });
      if (code !== 0) continue;
      const [bytes = Buffer.alloc(0)] = readBlobs(fixture, [`${tree}:worktree/growing.txt`]);
      expect(last.subarray(0, bytes.length).equals(bytes)).toBe(true);
    }
    await capture(fixture);
    expectExact(fixture);
    await verify(fixture);
  });
});

describe('limits', () => {
  const set = async (fixture: FixtureRepository, key: string, value: string): Promise<void> => {
    const answer = await run(fixture, ['config', 'set', key, value, '--user']);
    expect(answer.code, answer.stderr).toBe(0);
  };
  const worktreeFiles = (fixture: FixtureRepository): readonly string[] =>
    fixture.git('ls-tree', '-r', '--name-only', `${headCommit(fixture)}:worktree`).split('\n');

  it('on one file leave it out, list it everywhere, and say that the snapshot is not complete', async () => {
    const fixture = plainRepository();
    fixture.write('old big.bin', pseudoRandom(1, 5000));
    await capture(fixture);
    await set(fixture, 'capture.maxFileBytes', '2000');
    expect(await capture(fixture)).toMatchObject({ complete: true, omitted: [] });
    fixture.write('new big.bin', pseudoRandom(2, 5000));
    fixture.write('small.bin', pseudoRandom(3, 1000));
    const snapshot = await capture(fixture, { args: ['-m', 'limited'], code: 3 });
    const omitted = [expect.objectContaining({ path: 'new big.bin', reason: 'too_large' })];
    expect(snapshot).toMatchObject({ complete: false, omitted });
    expect(worktreeFiles(fixture)).toEqual(expect.arrayContaining(['old big.bin', 'small.bin']));
    expect(worktreeFiles(fixture)).not.toContain('new big.bin');
    expect((await act(fixture, ['--json', 'show'])).json().omitted).toEqual(omitted);
    expect((await act(fixture, ['--json', 'list'])).json().snapshots[0]).toMatchObject({ complete: false });
    expect((await act(fixture, ['show'])).stdout).toContain('new big.bin');
    await verify(fixture);
    // The old bytes must not stand in for the new ones.
    fixture.write('old big.bin', pseudoRandom(4, 5000));
    await capture(fixture, { code: 3 });
    expect(worktreeFiles(fixture)).not.toContain('old big.bin');
  });

  it('on all new content leave out the rest', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    await set(fixture, 'capture.maxNewBytes', '10000');
    for (let at = 0; at < 10; at += 1) fixture.write(`many/${String(at)}.bin`, pseudoRandom(at + 1, 3000));
    const { omitted } = await capture(fixture, { args: ['-m', 'limited'], code: 3 });
    const left = omitted.filter(({ path }) => path.startsWith('many/'));
    expect(left.length).toBeGreaterThanOrEqual(6);
    expect(left.length).toBeLessThanOrEqual(8);
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['over_limit']));
    // The same content again costs nothing new: with time, all of it gets in.
    await capture(fixture, { args: ['-m', 'next'], code: 3 });
    await capture(fixture, { args: ['-m', 'next'], code: 3 });
    await capture(fixture, { args: ['-m', 'last'] });
    expectExact(fixture);
  });
});

/** Makes a small file system inside the fixture, or says why not. */
function smallDisk(
  fixture: FixtureRepository,
  megabytes: number,
): { readonly path: string } | { readonly impossible: string } {
  if (process.getuid?.() !== 0) return { impossible: 'only root can mount a small file system' };
  const path = join(fixture.base, 'small');
  mkdirSync(path);
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m`, 'tmpfs', path]);
  return status === 0 ? { path } : { impossible: `mount failed: ${stderr.toString('utf8').trim()}` };
}

describe('a full disk', () => {
  it('fails a capture whole: no id, earlier snapshots valid, and it works again when there is space', async (context) => {
    const outer = emptyFixture();
    const disk = smallDisk(outer, 6);
    if ('impossible' in disk) {
      console.log(`skipped: ${disk.impossible}`);
      context.skip(disk.impossible);
      return;
    }
    try {
      const fixture = fixtureAt(outer.base, join(disk.path, 'repo'));
      mkdirSync(fixture.root);
      fixture.git('init', '-q', '-b', 'main');
      fixture.write('a.txt', 'a\n');
      const { id } = await capture(fixture, { args: ['-m', 'fits'] });
      fixture.write('big.bin', pseudoRandom(9, 3 << 20));
      for (const message of ['too much', 'still too much']) {
        await expectError(fixture, ['capture', '-m', message], { exit: 17, code: 'disk_full' });
      }
      expect(storedSnapshots(fixture).map((snapshot) => snapshot.id)).toEqual([id]);
      await verify(fixture);
      rmSync(fixture.path('big.bin'));
      fixture.write('b.txt', 'b\n');
      await capture(fixture, { args: ['-m', 'fits again'] });
      expectExact(fixture);
      await verify(fixture);
      const packs = readdirSync(fixture.path('.git/objects/pack'));
      expect(packs.filter((name) => name.startsWith('tmp_'))).toEqual([]);
    } finally {
      spawnSync('umount', ['-l', disk.path]);
    }
  });
});

describe('what says which repository and worktree this is', () => {
  it.each(['store.json', 'worktrees.json'])(
    'torn in %s is refused, and the way out loses no snapshot',
    async (name) => {
      const fixture = plainRepository();
      const first = await capture(fixture);
      const file = fixture.path('.git/savepoint', name);
      writeFileSync(file, '{"torn');
      await expectError(fixture, ['capture'], { exit: 15, code: 'identity_unreadable' });
      await expectError(fixture, ['list'], { exit: 15, code: 'identity_unreadable' });
      rmSync(file);
      fixture.write('src/two.txt', 'changed since\n');
      const second = await capture(fixture);
      const { snapshots } = (await run(fixture, ['--json', 'list', '--all'])).json() as unknown as {
        readonly snapshots: readonly { readonly id: string }[];
      };
      expect(snapshots.map(({ id }) => id)).toEqual([second.id, first.id]);
      await verify(fixture);
    },
  );
});

describe('a failed capture', () => {
  it('is loud in the status until the next good one', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    fixture.write('src/two.txt', 'changed since\n');
    const incoming = fixture.path('.git/savepoint/incoming');
    rmSync(incoming, { recursive: true });
    writeFileSync(incoming, 'a file in the place of a folder');
    const answer = await run(fixture, ['--json', 'capture', '-m', 'blocked']);
    expect(answer.code).not.toBe(0);
    expect(answer.stdout).toBe('');
    expect((await act(fixture, ['--json', 'status'])).json().failures.count).toBeGreaterThan(0);
    rmSync(incoming);
    await capture(fixture);
    expect((await act(fixture, ['--json', 'status'])).json().failures.count).toBe(0);
  });
});
