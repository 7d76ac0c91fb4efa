import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import {
  addedComplaints,
  blake3,
  cleanEnvironment,
  fakeAgent,
  fsckComplaints,
  gitIsAtLeast,
  hostileVariables,
  mangledPath,
  plainRepository,
  pseudoRandom,
  REPOSITORY_KINDS,
  temporaryDirectory,
  tortureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';

describe('blake3', () => {
  // Published test vectors: input byte i is i mod 251.
  it.each([
    [0, 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262'],
    [1, '2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213'],
    [1024, '42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7'],
    [1025, 'd00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444'],
    [31744, '62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47'],
  ])('of %i bytes is the published digest', (length, digest) => {
    expect(blake3(Uint8Array.from({ length }, (_, at) => at % 251))).toBe(digest);
  });
});

describe('the environment', () => {
  it('holds no variable of git and an empty home', () => {
    const names = Object.keys(cleanEnvironment('/home/x'));
    expect(names.filter((name) => name.startsWith('GIT_'))).toEqual([]);
    expect(names).not.toContain('NODE_EXTRA_CA_CERTS');
  });

  it('when hostile, leads a careless git into the victim', () => {
    const victim = plainRepository();
    const other = plainRepository();
    const env = { ...cleanEnvironment(other.home), ...hostileVariables(victim.root) };
    const { stdout } = spawnSync('git', ['rev-parse', '--absolute-git-dir'], {
      cwd: other.root,
      env,
      encoding: 'utf8',
    });
    expect(stdout.trim()).toBe(victim.path('.git'));
  });
});

describe('temporary directories', () => {
  it('have paths with spaces and non-ASCII letters', () => {
    const path = temporaryDirectory();
    expect(existsSync(path)).toBe(true);
    expect(path).toMatch(/ /);
    expect(path).toMatch(/[^\x20-\x7e]/);
  });
});

describe('fsck', () => {
  it.each(REPOSITORY_KINDS.filter(({ impossible }) => impossible === undefined))(
    'is quiet about: $name',
    ({ make }) => {
      expect(fsckComplaints(make())).toEqual([]);
    },
  );

  it('names what is broken', () => {
    const fixture = plainRepository();
    const before = fsckComplaints(fixture);
    const blob = fixture.git('rev-parse', 'HEAD:readme.md');
    rmSync(fixture.path('.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(addedComplaints(before, fsckComplaints(fixture)).join('\n')).toContain(blob);
  });
});

describe('git versions', () => {
  it('are compared by number', () => {
    expect(gitIsAtLeast('2.9')).toBe(true);
    expect(gitIsAtLeast('99.0')).toBe(false);
  });
});

describe('the torture worktree', () => {
  it('is the same for the same seed', () => {
    expect(pseudoRandom(3, 1000).equals(pseudoRandom(3, 1000))).toBe(true);
    expect(pseudoRandom(3, 1000).equals(pseudoRandom(4, 1000))).toBe(false);
  });

  it.each(['true', 'input', 'false'] as const)(
    'makes a careless `git add` run the filter (autocrlf %s)',
    async (autocrlf) => {
      const torture = await tortureRepository({ autocrlf, bigBytes: 1000 });
      try {
        expect(torture.filterRan()).toBe(false);
        const env = { GIT_INDEX_FILE: torture.path('.git/x') };
        const { code } = torture.run({ args: ['add', 'filtered/lf.txt'], env, accept: 'any' });
        expect(code).not.toBe(0);
        expect(torture.filterRan()).toBe(true);
      } finally {
        torture.close();
      }
    },
  );
});

describe('the fake agent', () => {
  it('writes its log where Claude Code would, line by line', () => {
    const configDirectory = temporaryDirectory();
    const agent = fakeAgent({ configDirectory, cwd: '/home/me/Größe & Maß' });
    expect(agent.file).toContain('/projects/-home-me-Gr--e---Ma-/');
    const left = agent.play(3);
    const lines = readFileSync(agent.file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ cwd: '/home/me/Größe & Maß' });
    expect(agent.play()).toBe(0);
    expect(left).toBeGreaterThan(0);
    appendFileSync(agent.file, '{"torn');
    expect(readFileSync(agent.file, 'utf8')).toMatch(/\{"torn$/);
  });

  it('shortens a long path as Claude Code does', () => {
    const name = mangledPath(`/${'directory/'.repeat(30)}`);
    expect(name).toMatch(/^.{200}-[0-9a-z]+$/);
  });
});
