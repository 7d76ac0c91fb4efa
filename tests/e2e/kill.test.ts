/** Two-state rule: kill -9 at random moments; every printed id is there, complete, and nothing half-written shows. */
import { existsSync, readdirSync } from 'node:fs';
import { auditStore, plainRepository, pseudoRandom, storedSnapshots, timelineRefs } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture, expectExact, run, verify } from './support/acts.js';

const ROUNDS = 20;
/** On a machine that was slow at first and is quick now, more are needed until enough were killed. */
const MOST_ROUNDS = 100;
const LEAST_KILLED = 4;

function millisecondsSince(start: bigint): number {
  return Number((process.hrtime.bigint() - start) / 1_000_000n);
}

describe('kill -9 at random moments', () => {
  it.each([
    ['the program alone', false],
    ['the program and all its children', true],
  ] as const)('of %s loses no printed id and leaves nothing half-written', async (_, killGroup) => {
    const fixture = plainRepository();
    const start = process.hrtime.bigint();
    const printed = [(await capture(fixture, { args: ['-m', 'before'] })).id];
    let usual = millisecondsSince(start);
    const moments = pseudoRandom(killGroup ? 5 : 6, ROUNDS);
    let killed = 0;
    for (let round = 0; round < ROUNDS || (killed < LEAST_KILLED && round < MOST_ROUNDS); round += 1) {
      fixture.write('src/two.txt', `round ${String(round)}\n`);
      fixture.write(`born/${String(round)}.bin`, pseudoRandom(round + 1, 20_000));
      const killAfter = 10 + Math.floor(((moments[round % ROUNDS] ?? 0) / 256) * usual * 1.2);
      const began = process.hrtime.bigint();
      const answer = await run(fixture, ['--json', 'capture', '-m', `round ${String(round)}`], {
        killAfter,
        killGroup,
      });
      if (answer.signal === undefined) usual = millisecondsSince(began);
      else killed += 1;
      if (answer.stdout.includes('\n')) printed.push(answer.json().id);
      expect(auditStore(fixture)).toEqual([]);
      const stored = storedSnapshots(fixture).map(({ id }) => id);
      expect(stored).toEqual(expect.arrayContaining(printed));
      expect(timelineRefs(fixture).size).toBe(1);
    }
    expect(killed).toBeGreaterThanOrEqual(LEAST_KILLED);
    await capture(fixture, { args: ['-m', 'after all of it'] });
    expectExact(fixture);
    const { results } = await verify(fixture);
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
    // Everybody's own clean-up takes the leftovers away, and nothing else.
    fixture.git('gc', '-q', '--prune=now');
    await verify(fixture);
  });

  it('of the very first capture leaves either nothing or a whole snapshot', async () => {
    for (const [at, moment] of [20, 45, 60, 75, 90, 120].entries()) {
      const fixture = plainRepository();
      const answer = await run(fixture, ['--json', 'capture', '-m', 'first'], {
        killAfter: moment,
        killGroup: at % 2 === 0,
      });
      expect(auditStore(fixture)).toEqual([]);
      if (answer.stdout.includes('\n')) expect(storedSnapshots(fixture)[0]?.id).toBe(answer.json().id);
      const next = await capture(fixture, { args: ['-m', 'second'] });
      expect(next).toMatchObject({ complete: true, verdict: 'valid' });
      expectExact(fixture);
    }
  });
});

describe('an interruption by the user', () => {
  it('ends with 130, prints no id and leaves the next capture whole', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    for (let at = 0; at < 400; at += 1) fixture.write(`many/${String(at)}.bin`, pseudoRandom(at + 1, 50_000));
    const { startSavepoint } = await import('@savepoint/testkit');
    const child = startSavepoint(['--json', 'capture', '-m', 'stop me'], { cwd: fixture.root, home: fixture.home });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stdin?.end();
    const ended = new Promise((resolve) => child.on('close', resolve));
    // Before anything is on its way in, nobody may listen yet.
    const incoming = fixture.path('.git/savepoint/incoming');
    const isWriting = (): boolean => existsSync(incoming) && readdirSync(incoming).length > 0;
    while (!isWriting() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGINT');
    const code = await ended;
    if (output === '') expect(code).toBe(130);
    else expect(code).toBe(0);
    expect(auditStore(fixture)).toEqual([]);
    await capture(fixture, { args: ['-m', 'again'] });
    expectExact(fixture);
  });
});
