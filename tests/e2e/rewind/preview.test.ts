/** T65, T09: the preview is the effect, consent is explicit, and a target that changed in between is not overwritten. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, unlinkSync } from 'node:fs';
import { cleanEnvironment, diskManifest, plainRepository, PROGRAM, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError } from '../support/acts.js';
import { expectEqual, operate, told, type OperationOutput } from '../support/operations.js';

async function changed(): Promise<{ readonly fixture: FixtureRepository; readonly id: string }> {
  const fixture = plainRepository();
  const { id } = await capture(fixture);
  fixture.write('src/one.txt', 'changed\n');
  fixture.write('held.txt', 'in a later snapshot\n');
  await capture(fixture);
  rmSync(fixture.path('src/four.txt'));
  fixture.write('unknown.txt', 'in no snapshot\n');
  return { fixture, id };
}

async function preview(fixture: FixtureRepository, ...args: readonly string[]): Promise<OperationOutput> {
  const answer = await act(fixture, ['--json', ...args, '--dry-run']);
  expect(answer.code, answer.stderr).toBe(0);
  return answer.json() as unknown as OperationOutput;
}

describe('a dry run', () => {
  it.each([[[]], [['--exact']], [['src']]])(
    'with %j lists what the rewind then does, and changes nothing',
    async (more) => {
      const { fixture, id } = await changed();
      const planned = await preview(fixture, 'rewind', id, ...more);
      const done = await operate(fixture, ['rewind', id, ...more, '--plan', planned.plan], {
        code: more.length === 0 ? 3 : 0,
      });
      expect(done.files).toEqual(planned.files);
      expect(done.totals).toEqual(planned.totals);
      expect(done.plan).toBe(planned.plan);
    },
  );

  it('says in text what is created, overwritten, deleted and kept, without colours in a pipe', async () => {
    const { fixture, id } = await changed();
    const { stdout } = await act(fixture, ['rewind', id, '-n']);
    expect(stdout).toContain('overwrite src/one.txt');
    expect(stdout).toMatch(/create {4}src\/four\.txt {2}5 B/);
    expect(stdout).toContain('delete    held.txt');
    expect(stdout).toContain('keep      unknown.txt');
    expect(stdout).toMatch(/--plan [0-9a-f]{64}/);
    expect(stdout).not.toContain('\x1b');
  });

  it('lists the points one can go back to, with what each would change', async () => {
    const { fixture, id } = await changed();
    const { points } = (await act(fixture, ['--json', 'rewind', '--list'])).json() as unknown as {
      readonly points: readonly { readonly id: string; readonly changes: Readonly<Record<string, number>> }[];
    };
    expect(points).toHaveLength(2);
    const planned = await preview(fixture, 'rewind', id);
    expect(points.find((point) => point.id === id)?.changes).toEqual(planned.totals);
    expect((await act(fixture, ['rewind', '--list', '--limit', '1'])).stdout).toContain('There are more');
  });
});

describe('consent', () => {
  it('is needed without a terminal: exit 17, and nothing changes', async () => {
    const { fixture, id } = await changed();
    await expectError(fixture, ['rewind', id], { exit: 17, code: 'consent_needed' });
    const planned = await preview(fixture, 'rewind', id);
    await expectError(fixture, ['rewind', id, '--plan', planned.plan], { exit: 17, code: 'consent_needed' });
  });

  it('of an ambiguous or unknown name is never taken', async () => {
    const { fixture } = await changed();
    await expectError(fixture, ['--yes', 'rewind', ''], { exit: 2, code: 'selector_malformed' });
    const answer = await act(fixture, ['--json', '--yes', 'rewind', '7']);
    expect([2, 12]).toContain(answer.code);
  });

  it.skipIf(process.platform !== 'linux').each([
    ['no', 'n\n', 17],
    ['an end of input', '', 17],
    ['yes to the plan only', 'n\ny\n', 3],
    ['yes to both', 'y\ny\n', 0],
  ])('is asked for in a terminal: %s', async (_, typed, code) => {
    const { fixture, id } = await changed();
    const before = diskManifest(fixture);
    const { status, stdout } = await inTerminal(fixture, ['rewind', id], typed);
    expect(stdout).toContain('Plan: rewind to');
    expect(stdout).toContain('Remove it too? [y/N]');
    expect(status, stdout).toBe(code);
    if (code === 17) expect(diskManifest(fixture)).toEqual(before);
    else expectEqual(fixture, id, code === 3 ? ['unknown.txt'] : []);
  });
});

/** Runs the program in a pseudo-terminal of util-linux' `script`, as somebody who answers each question with a line. */
async function inTerminal(
  { root, home }: FixtureRepository,
  args: readonly string[],
  input: string,
): Promise<{ readonly status: number | null; readonly stdout: string }> {
  const words = [process.execPath, PROGRAM, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const env = { ...cleanEnvironment(home), NO_COLOR: '1' };
  const child = spawn('script', ['-qec', words.join(' '), '/dev/null'], { cwd: root, env });
  // What comes after the last line is the end of input, as the terminal knows it.
  const answers = [...input.split(/(?<=\n)/).filter(Boolean), '\x04'];
  let stdout = '';
  let asked = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
    const questions = stdout.split('[y/N]').length - 1;
    for (; asked < questions; asked += 1) child.stdin.write(answers[asked] ?? '\x04');
  });
  // It may end before it has read all.
  child.stdin.on('error', () => undefined);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { status, stdout };
}

describe('a plan', () => {
  it('that no longer fits is refused, and nothing is overwritten', async () => {
    const { fixture, id } = await changed();
    const planned = await preview(fixture, 'rewind', id);
    fixture.write('src/one.txt', 'edited in between\n');
    await expectError(fixture, ['--yes', 'rewind', id, '--plan', planned.plan], { exit: 13, code: 'plan_changed' });
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe('edited in between\n');
    await expectError(fixture, ['--yes', 'rewind', id, 'src', '--plan', planned.plan], {
      exit: 13,
      code: 'plan_changed',
    });
    await expectError(fixture, ['--yes', 'rewind', id, '--exact', '--plan', planned.plan], {
      exit: 13,
      code: 'plan_changed',
    });
  });

  it('is refused too when a file appears, goes or changes its mode in its way', async () => {
    for (const change of [
      (fixture: FixtureRepository) => fixture.write('src/four.txt', 'back again\n'),
      (fixture: FixtureRepository) => unlinkSync(fixture.path('held.txt')),
      (fixture: FixtureRepository) => fixture.write('src/one.txt', 'changed\n', 0o755),
    ]) {
      const { fixture, id } = await changed();
      const planned = await preview(fixture, 'rewind', id);
      change(fixture);
      await expectError(fixture, ['--yes', 'rewind', id, '--plan', planned.plan], { exit: 13, code: 'plan_changed' });
    }
  });

  it('holds where only ignored files changed', async () => {
    const { fixture, id } = await changed();
    const planned = await preview(fixture, 'rewind', id);
    fixture.write('new.log', 'ignored\n');
    expect(told(await operate(fixture, ['rewind', id, '--plan', planned.plan], { code: 3 }))).toContain(
      'held.txt: delete',
    );
  });
});
