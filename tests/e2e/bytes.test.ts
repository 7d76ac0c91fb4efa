/** T26, T28, T35 and the exactness of modes and links: the torture worktree under every line-end setting. */
import { appendFileSync, chmodSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import {
  addedComplaints,
  exactPath,
  fsckComplaints,
  HARD_NAMES,
  tortureRepository,
  type TortureRepository,
} from '@savepoint/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { act, capture, expectExact, run, verify } from './support/acts.js';

const open: TortureRepository[] = [];
async function torture(options: Parameters<typeof tortureRepository>[0] = {}): Promise<TortureRepository> {
  const fixture = await tortureRepository(options);
  open.push(fixture);
  return fixture;
}

afterEach(() => {
  for (const fixture of open.splice(0)) fixture.close();
});

describe.each(['true', 'input', 'false'] as const)('with core.autocrlf %s', (autocrlf) => {
  it('a capture holds the bytes on the disk, runs no filter, and passes over what is special', async () => {
    const fixture = await torture({ autocrlf });
    const complaints = fsckComplaints(fixture);
    const snapshot = await capture(fixture, { args: ['-m', 'torture'] });
    expect(snapshot).toMatchObject({ complete: true, omitted: [] });
    expect(snapshot.boundaries.map(({ path, kind }) => ({ path, kind }))).toEqual([
      { path: 'special/fifo', kind: 'special' },
      { path: 'special/socket', kind: 'special' },
    ]);
    expectExact(fixture);
    expect(addedComplaints(complaints, fsckComplaints(fixture))).toEqual([]);
    expect((await act(fixture, ['--json', 'diff', 'head'])).json().files).toEqual([]);
    expect(await capture(fixture)).toMatchObject({ id: snapshot.id, unchanged: true });
    await verify(fixture);
    expect(fixture.filterRan()).toBe(false);
  });

  it('a diff shows what changed and nothing else', async () => {
    const fixture = await torture({ autocrlf, bigBytes: 1000 });
    await capture(fixture);
    appendFileSync(fixture.path('crlf/crlf.txt'), 'more\r\n');
    writeFileSync(fixture.path('auto/lf.txt'), 'one\r\ntwo\nthree\n');
    writeFileSync(fixture.path('lfs/real.bin'), 'other bytes');
    chmodSync(fixture.path('modes/exec'), 0o644);
    rmSync(fixture.path('plain/nul.bin'));
    rmSync(fixture.path('links/to-file'));
    symlinkSync('../plain/crlf.txt', fixture.path('links/to-file'));
    rmSync(fixture.path('ident/ident.txt'));
    symlinkSync('nowhere', fixture.path('ident/ident.txt'));
    renameSync(fixture.path('names/con'), fixture.path('names/con\nman'));
    const expected = [
      { path: 'auto/lf.txt', change: 'modified' },
      { path: 'crlf/crlf.txt', change: 'modified' },
      { path: 'ident/ident.txt', change: 'type' },
      { path: 'lfs/real.bin', change: 'modified' },
      { path: 'links/to-file', change: 'modified' },
      { path: 'modes/exec', change: 'mode' },
      { path: 'names/con', change: 'removed' },
      { path: 'names/con\nman', change: 'added' },
      { path: 'plain/nul.bin', change: 'removed' },
    ];
    const changes = async (...ends: readonly string[]): Promise<unknown> =>
      (await act(fixture, ['--json', 'diff', ...ends])).json().files.map(({ path, change }) => ({ path, change }));
    expect(await changes('seq:1')).toEqual(expected);
    await capture(fixture);
    expectExact(fixture);
    expect(await changes('seq:1', 'seq:2')).toEqual(expected);
    expect(fixture.filterRan()).toBe(false);
  });
});

describe('hard names', () => {
  it('come out of show and list without loss', async () => {
    const fixture = await torture({ bigBytes: 1000 });
    await capture(fixture, { args: ['-m', 'na\u0007mes \u202e with "quotes"', '--tag', 'odd-names'] });
    const { files } = (await act(fixture, ['--json', 'show', '--files'])).json();
    const shown = new Set(files.map(exactPath));
    for (const name of HARD_NAMES) expect(shown).toContain(`names/${name}`);
    const listed = (await act(fixture, ['--json', 'list'])).json().snapshots;
    expect(listed.map(({ message }) => message)).toEqual(['na\u0007mes \u202e with "quotes"']);
    const text = await act(fixture, ['show', '--files']);
    expect(text.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });

  it('can be read back byte for byte with show --file', async () => {
    const fixture = await torture({ bigBytes: 1000 });
    await capture(fixture);
    const names = HARD_NAMES.filter((name) => Buffer.from(name, 'latin1').equals(Buffer.from(utf8(name), 'utf8')));
    expect(names.length).toBeGreaterThan(15);
    for (const name of names) {
      const answer = await run(fixture, ['show', '--file', `names/${utf8(name)}`]);
      expect({ name, code: answer.code, bytes: answer.stdoutBytes.toString('latin1') }).toEqual({
        name,
        code: 0,
        bytes: `content of ${name}\n`,
      });
    }
  });
});

function utf8(name: string): string {
  return Buffer.from(name, 'latin1').toString('utf8');
}
