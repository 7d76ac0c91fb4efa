/** T61: the refs show nowhere and nothing sends them by accident; a user's fetch does not offer them by the thousand. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathToFileURL } from 'node:url';
import { differences, fixtureAt, observe, plainRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, headCommit, run } from './support/acts.js';

interface Shared {
  readonly fixture: FixtureRepository;
  readonly remote: FixtureRepository;
}

async function withRemote(): Promise<Shared> {
  const fixture = plainRepository();
  const remote = fixtureAt(fixture.base, join(fixture.base, 'remote.git'));
  fixture.run({ cwd: fixture.base, args: ['init', '-q', '--bare', '-b', 'main', remote.root] });
  fixture.git('remote', 'add', 'origin', pathToFileURL(remote.root).href);
  await capture(fixture, { args: ['-m', 'not for others'] });
  return { fixture, remote };
}

const remoteRefs = (remote: FixtureRepository): string =>
  remote.git('for-each-ref', '--format=%(refname)', 'refs/savepoint');

describe('the refs of snapshots', () => {
  it('show in no list of branches or tags, in no log, and in no plain push, fetch or clone', async () => {
    const { fixture, remote } = await withRemote();
    const head = headCommit(fixture);
    for (const args of [
      ['branch', '-a'],
      ['tag'],
      ['log', '--oneline'],
      ['log', '--branches', '--tags', '--oneline'],
      ['stash', 'list'],
    ]) {
      const shown = fixture.git(...args);
      expect(shown).not.toMatch(/savepoint/);
      expect(shown).not.toContain(head.slice(0, 7));
    }
    for (const args of [
      ['push', '-q', '-u', 'origin', 'main'],
      ['push', '-q', '--all', 'origin'],
      ['push', '-q', '--tags', 'origin'],
    ]) {
      fixture.git(...args);
      expect(remoteRefs(remote)).toBe('');
      expect(remote.run({ args: ['cat-file', '-e', head], accept: 'any' }).code).not.toBe(0);
    }
    const clone = fixtureAt(fixture.base, join(fixture.base, 'clone'));
    fixture.run({ cwd: fixture.base, args: ['clone', '-q', pathToFileURL(fixture.root).href, clone.root] });
    clone.git('fetch', '-q', '--tags');
    expect(clone.git('for-each-ref', 'refs/savepoint')).toBe('');
    expect(clone.run({ args: ['cat-file', '-e', head], accept: 'any' }).code).not.toBe(0);
  });

  it('make no commit dates that a reader would sort by: author and committer time are 0', async () => {
    const { fixture } = await withRemote();
    expect(fixture.git('log', '-1', '--format=%at %ct', headCommit(fixture))).toBe('0 0');
  });

  it('are named in the documents where they do show or travel', () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    for (const file of ['README.md', 'docs/threat-model.md']) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const words of [/push --mirror/, /clone --mirror/, /bundle\b.*--all/, /log --all/]) {
        expect(words.test(text), `${file} says nothing of ${String(words)}`).toBe(true);
      }
    }
  });
});

describe('after init', () => {
  it('a mirror push and a push by name are refused, and other pushes work', async () => {
    const { fixture, remote } = await withRemote();
    expect((await run(fixture, ['init'])).code).toBe(0);
    for (const args of [
      ['push', '-q', '--mirror', 'origin'],
      ['push', '-q', 'origin', 'refs/savepoint/*:refs/savepoint/*'],
      ['push', '-q', 'origin', '+refs/*:refs/*'],
      ['push', '-q', 'origin', `${headCommit(fixture)}:refs/savepoint/v1/timelines/${'0'.repeat(32)}`],
    ]) {
      const { code, stderr } = fixture.run({ args, accept: 'any' });
      expect(code, args.join(' ')).not.toBe(0);
      expect(stderr).toMatch(/savepoint/i);
      expect(remoteRefs(remote)).toBe('');
    }
    fixture.git('push', '-q', '-u', 'origin', 'main');
    expect(remote.git('rev-parse', 'main')).toBe(fixture.git('rev-parse', 'main'));
  });

  it('only the hook is new, a second init changes nothing, and uninstall gives the old state back', async () => {
    const { fixture } = await withRemote();
    const before = observe(fixture);
    expect((await run(fixture, ['init'])).code).toBe(0);
    const changed = differences(before, observe(fixture));
    expect(changed.length).toBeGreaterThan(0);
    for (const line of changed) expect(line).toMatch(/^"git hooks\//);
    await act(fixture, ['init']);
    expect((await run(fixture, ['uninstall'])).code).toBe(0);
    expect(differences(before, observe(fixture))).toEqual([]);
  });

  it("the user's own pre-push still runs, sees its input, and decides first", async () => {
    const { fixture, remote } = await withRemote();
    const log = join(fixture.base, 'own-hook');
    const own = `#!/bin/sh\nprintf '%s %s\\n' "$1" "$2" >>'${log}'; cat >>'${log}'\n[ ! -e '${fixture.base}/refuse' ]\n`;
    fixture.write('.git/hooks/pre-push', own, 0o755);
    const before = observe(fixture);
    expect((await run(fixture, ['init'])).code).toBe(0);
    fixture.git('push', '-q', 'origin', 'main');
    expect(readFileSync(log, 'utf8')).toMatch(/^origin file:.*\nrefs\/heads\/main [0-9a-f]{40} refs\/heads\/main /);
    fixture.run({ args: ['push', '-q', '--mirror', 'origin'], accept: 'any' });
    expect(remoteRefs(remote)).toBe('');
    fixture.run({ cwd: fixture.base, args: ['init', '-q', 'refuse'] });
    fixture.git('commit', '-q', '--allow-empty', '-m', 'more');
    expect(fixture.run({ args: ['push', '-q', 'origin', 'main'], accept: 'any' }).code).not.toBe(0);
    fixture.git('reset', '-q', '--soft', 'HEAD~1');
    expect((await run(fixture, ['uninstall'])).code).toBe(0);
    const hooks = differences(before, observe(fixture)).filter((line) => line.includes('hooks'));
    expect(hooks).toEqual([]);
  });

  it.each(['of the project', 'of the user'])(
    'a hooks folder %s is respected, and the way to guard it works',
    async (whose) => {
      const { fixture, remote } = await withRemote();
      const folder = whose === 'of the project' ? fixture.path('my hooks') : join(fixture.base, 'my hooks');
      fixture.git('config', 'core.hooksPath', folder);
      const answer = await act(fixture, ['--json', 'init']);
      // Files of the project are not written to: the sentence says which line to add.
      expect(answer.code, answer.stderr).toBe(3);
      const advice = /pre-push hook there: (.*)$/.exec(String(answer.error().data['reason']))?.[1];
      expect(advice).toBeTruthy();
      mkdirSync(folder);
      writeFileSync(join(folder, 'pre-push'), `#!/bin/sh\n${advice ?? ''}\n`, { mode: 0o755 });
      expect(fixture.run({ args: ['push', '-q', '--mirror', 'origin'], accept: 'any' }).code).not.toBe(0);
      expect(remoteRefs(remote)).toBe('');
      fixture.git('push', '-q', 'origin', 'main');
    },
  );

  it('status warns of a remote that mirrors', async () => {
    const { fixture } = await withRemote();
    fixture.git('config', 'remote.origin.mirror', 'true');
    const { warnings } = (await act(fixture, ['--json', 'status'])).json();
    expect(warnings.map(({ code }) => code)).toContain('mirror_remote');
  });
});

describe('a fetch of the user', () => {
  it('offers at most 32 have lines with 2,000 snapshots', async () => {
    const { fixture, remote } = await withRemote();
    fixture.git('push', '-q', 'origin', 'main');
    const head = headCommit(fixture);
    const [ref = ''] = fixture.git('for-each-ref', '--format=%(refname)', 'refs/savepoint/v1/timelines').split('\n');
    addSnapshots(fixture, { ref, head, count: 2000 });
    expect(fixture.git('rev-list', '--count', '--first-parent', ref)).toBe('2001');
    // Somebody else pushes.
    const other = fixtureAt(fixture.base, join(fixture.base, 'other'));
    fixture.run({ cwd: fixture.base, args: ['clone', '-q', remote.root, other.root] });
    other.write('theirs.txt', 'theirs\n');
    other.git('add', '-A');
    other.git('commit', '-qm', 'Theirs');
    other.git('push', '-q', 'origin', 'main');
    const { stderr } = fixture.run({ args: ['fetch', 'origin'], env: { GIT_TRACE_PACKET: '1' } });
    const haves = stderr.split('\n').filter((line) => /fetch> have /.test(line));
    expect(haves.length).toBeLessThanOrEqual(32);
    expect(fixture.git('rev-parse', 'origin/main')).toBe(other.git('rev-parse', 'HEAD'));
  });
});

interface Addition {
  readonly ref: string;
  readonly head: string;
  readonly count: number;
}

/** Adds commits of the form of the head: its tree, its author line, its time, each on top of the one before. */
function addSnapshots(fixture: FixtureRepository, { ref, head, count }: Addition): void {
  const [, author = ''] = /^author (.*)$/m.exec(fixture.git('cat-file', 'commit', head)) ?? [];
  const lines: string[] = [];
  for (let at = 1; at <= count; at += 1) {
    const message = `savepoint snapshot ${String(at + 1)}\n`;
    const from = at === 1 ? `from ${head}` : '';
    lines.push(
      `commit ${ref}`,
      `author ${author}`,
      `committer ${author}`,
      `data ${String(message.length)}`,
      message + from,
    );
  }
  fixture.run({ args: ['fast-import', '--quiet', '--date-format=raw-permissive'], input: `${lines.join('\n')}\n` });
}
