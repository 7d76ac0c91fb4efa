/** T51, T50: keys without a prompt, verdicts that differ, old snapshots that stay valid; and reading the past twice. */
import { chmodSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureAt, plainRepository, storedSnapshots, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, readAll, run, verify } from './support/acts.js';

async function verdicts(fixture: FixtureRepository, code = 0): Promise<Readonly<Record<number, string>>> {
  const { results } = await verify(fixture, ['--all', '--deep'], code);
  return Object.fromEntries(results.map(({ sequence = 0, verdict }) => [sequence, verdict]));
}

const keyFolder = (fixture: FixtureRepository): string => join(fixture.home, '.config/savepoint/keys');

describe('the signing key', () => {
  it('is made on first use, private, and the same from then on', async () => {
    const fixture = plainRepository();
    const { signer } = await capture(fixture);
    expect(signer).toMatch(/^ed25519:[0-9a-f]{64}$/);
    for (const name of readdirSync(keyFolder(fixture))) {
      expect(statSync(join(keyFolder(fixture), name)).mode & 0o077, name).toBe(0);
    }
    fixture.write('more.txt', 'more\n');
    expect((await capture(fixture)).signer).toBe(signer);
    expect((await act(fixture, ['--json', 'key', 'show'])).json().signer).toBe(signer);
  });

  it('can be rotated: old snapshots stay valid, new ones have the new signer', async () => {
    const fixture = plainRepository();
    const before = await capture(fixture);
    expect((await run(fixture, ['key', 'rotate'])).code).toBe(0);
    const after = await capture(fixture, { args: ['-m', 'after the rotation'] });
    expect(after.signer).not.toBe(before.signer);
    expect(await verdicts(fixture)).toEqual({ 1: 'valid', 2: 'valid' });
  });

  it('can be revoked from a point on', async () => {
    const fixture = plainRepository();
    const good = await capture(fixture, { args: ['-m', 'good'] });
    await capture(fixture, { args: ['-m', 'doubtful'] });
    expect((await run(fixture, ['key', 'rotate'])).code).toBe(0);
    const args = ['key', 'revoke', good.signer, '--last-good', good.id, '--reason', 'lost laptop'];
    const answer = await run(fixture, args);
    expect(answer.code, answer.stderr).toBe(0);
    expect(await verdicts(fixture, 14)).toEqual({ 1: 'valid', 2: 'revoked' });
    await capture(fixture, { args: ['-m', 'with the new key'] });
    expect(await verdicts(fixture, 14)).toEqual({ 1: 'valid', 2: 'revoked', 3: 'valid' });
  });

  it('that cannot be used gives unsigned snapshots, exit 3, and a loud status', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    for (const name of readdirSync(keyFolder(fixture))) writeFileSync(join(keyFolder(fixture), name), 'not a key\n');
    fixture.write('more.txt', 'more\n');
    const snapshot = await capture(fixture, { code: 3 });
    expect(snapshot).toMatchObject({ signer: '', verdict: 'unsigned' });
    const { key, warnings } = (await act(fixture, ['--json', 'status'])).json();
    expect(key.problem).toBeTruthy();
    expect(warnings.length).toBeGreaterThan(0);
    const answer = await act(fixture, ['--json', 'verify']);
    expect(answer.code).toBe(14);
    expect(answer.json().results[0]?.verdict).toBe('unsigned');
  });

  it('that others can read is not used, and that is said once', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    for (const name of readdirSync(keyFolder(fixture))) chmodSync(join(keyFolder(fixture), name), 0o644);
    expect(await capture(fixture, { args: ['-m', 'open key'], code: 3 })).toMatchObject({
      signer: '',
      verdict: 'unsigned',
    });
    const { code, stderr } = await act(fixture, ['capture', '-m', 'again']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^incomplete: The snapshot [0-9a-f]+ was made without a signature: .*mode 0644/m);
    expect(stderr.match(/mode 0644/g)).toHaveLength(1);
  });

  it('of somebody else is unknown until it gets a name', async () => {
    const fixture = plainRepository();
    const { signer } = await capture(fixture);
    rmSync(keyFolder(fixture), { recursive: true });
    expect(await verdicts(fixture)).toEqual({ 1: 'valid_unknown_signer' });
    expect((await run(fixture, ['key', 'trust', 'ada', signer])).code).toBe(0);
    expect(await verdicts(fixture)).toEqual({ 1: 'valid' });
    await expectError(fixture, ['key', 'trust', 'eve', 'ed25519:xyz'], { exit: 2, code: 'key_malformed' });
    await expectError(fixture, ['key', 'trust', 'eve', `ed25519:${'00'.repeat(32)}`], {
      exit: 2,
      code: 'key_malformed',
    });
  });

  it('of a user whose home cannot be written gives no prompt and no silence', async () => {
    const fixture = plainRepository();
    writeFileSync(join(fixture.home, '.config'), 'a file where the folder should be');
    const answer = await act(fixture, ['--json', 'capture', '-m', 'no home']);
    expect(answer.code, answer.stderr).toBe(3);
    expect(answer.json()).toMatchObject({ signer: '', verdict: 'unsigned' });
  });
});

describe('verification', () => {
  it('works in an empty home, offline, and names what it cannot prove', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const stranger = fixtureAt(fixture.base, fixture.root);
    const home = join(fixture.base, 'another home');
    const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config') };
    const answer = await run(stranger, ['--json', 'verify', '--all', '--deep'], { env });
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.json().results.map(({ verdict }) => verdict)).toEqual(['valid_unknown_signer']);
    const text = await run(fixture, ['verify', '--all']);
    expect(text.stdout).toMatch(/not proven/i);
  });
});

describe('the past', () => {
  it('is the same bytes after 20 more captures and a gc, and reading it writes nothing', async () => {
    const fixture = plainRepository();
    fixture.git('tag', 'anchor-here');
    const { id } = await capture(fixture, { args: ['-m', 'the moment', '--tag', 'moment'] });
    fixture.write('src/two.txt', 'second\n');
    const next = await capture(fixture, { args: ['-m', 'the next'] });
    const questions = [
      ['show', id],
      ['show', id, '--files'],
      ['show', 'seq:1', '--slice', 'filesystem'],
      ['show', `before:${next.id}`],
      ['show', id.slice(0, 12)],
      ['at', 'tag:moment'],
      ['at', next.createdAt],
      ['diff', id, next.id, '--patch'],
      ['list', '--at', next.id],
      ['show', 'tag:moment', '--file', 'src/two.txt'],
    ];
    const ask = async (): Promise<readonly string[]> => {
      const acts = questions.map((args) => [...(args.includes('--file') ? [] : ['--json']), ...args]);
      return (await readAll(fixture, acts)).map(({ stdout }, at) => `${acts[at]?.join(' ') ?? ''}: ${stdout}`);
    };
    const objects = (): string => fixture.git('count-objects', '-v');
    const first = await ask();
    const count = objects();
    expect(await ask()).toEqual(first);
    expect(objects()).toBe(count);
    for (let round = 0; round < 20; round += 1) {
      fixture.write('src/two.txt', `later ${String(round)}\n`);
      expect((await run(fixture, ['capture', '-m', `later ${String(round)}`])).code).toBe(0);
    }
    fixture.git('gc', '-q', '--prune=now');
    expect(await ask()).toEqual(first);
    expect(storedSnapshots(fixture)).toHaveLength(22);
  });

  it('is refused where a selector means more than one snapshot', async () => {
    const fixture = plainRepository();
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const answer = await run(fixture, ['--json', 'capture', '-m', `number ${String(round)}`]);
      ids.push(answer.json().id);
    }
    const firsts = ids.map((id) => id[0] ?? '');
    const twice = firsts.find((letter, at) => firsts.indexOf(letter) !== at) ?? '';
    const answer = await act(fixture, ['--json', 'show', twice]);
    expect(answer.code).not.toBe(0);
    expect(answer.stdout).toBe('');
    expect(['selector_ambiguous', 'selector_malformed']).toContain(answer.error().code);
  });
});
