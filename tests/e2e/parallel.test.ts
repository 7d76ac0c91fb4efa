/** T39: many captures at once over two worktrees, while a user stages and commits; T54: order comes from the chain. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  auditStore,
  fixtureAt,
  gitEnvironment,
  plainRepository,
  storedSnapshots,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { run, verify } from './support/acts.js';

const PROCESSES = 8;
const CAPTURES = 5;

function git(fixture: FixtureRepository, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('git', args, {
      cwd: fixture.root,
      env: gitEnvironment(fixture.home),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    child.on('close', (code) => resolve(code === 0 ? '' : `git ${args.join(' ')}: ${String(code)} ${text}`));
  });
}

/** Stages and commits until it is told to stop; returns what failed. */
async function busyUser(fixture: FixtureRepository, running: () => boolean): Promise<readonly string[]> {
  const failures: string[] = [];
  for (let round = 0; running(); round += 1) {
    fixture.write('user.txt', `round ${String(round)}\n`);
    failures.push(await git(fixture, 'add', 'user.txt'), await git(fixture, 'commit', '-qm', `round ${String(round)}`));
  }
  return failures.filter(Boolean);
}

describe('captures at the same time', () => {
  it('are all there, each once, in valid chains, and the user never notices', async () => {
    const main = plainRepository();
    const linked = fixtureAt(main.base, join(main.base, 'linked'));
    main.git('worktree', 'add', '-q', '-b', 'side', linked.root);
    const wanted: string[] = [];
    const problems: string[] = [];
    let active = PROCESSES;
    const worker = async (number: number): Promise<void> => {
      const place = number % 2 === 0 ? main : linked;
      for (let round = 0; round < CAPTURES; round += 1) {
        const message = `process ${String(number)} capture ${String(round)}`;
        wanted.push(message);
        place.write(`worker ${String(number)}.txt`, `${message}\n`);
        const answer = await run(place, ['--json', 'capture', '-m', message]);
        if (answer.code !== 0) problems.push(`${message}: ${String(answer.code)} ${answer.stderr}`);
      }
      active -= 1;
    };
    const users = [busyUser(main, () => active > 0), busyUser(linked, () => active > 0)];
    await Promise.all(Array.from({ length: PROCESSES }, (_, number) => worker(number)));
    expect((await Promise.all(users)).flat()).toEqual([]);
    expect(problems).toEqual([]);
    const stored = storedSnapshots(main);
    expect(stored.map(({ body }) => body.message).sort()).toEqual(wanted.sort());
    expect(new Set(stored.map(({ timeline }) => timeline)).size).toBe(2);
    expect(auditStore(main)).toEqual([]);
    const { results } = await verify(main);
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
  });

  it('as the very first ones agree on one key and one repository id', async () => {
    const fixture = plainRepository();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) => run(fixture, ['--json', 'capture', '-m', `first ${String(at)}`])),
    );
    for (const answer of answers) expect(answer.code, answer.stderr).toBe(0);
    const bodies = answers.map((answer) => answer.json());
    expect(new Set(bodies.map(({ signer }) => signer)).size).toBe(1);
    expect(new Set(bodies.map(({ timeline }) => timeline)).size).toBe(1);
    expect(bodies.map(({ sequence }) => sequence).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    await verify(fixture);
  });

  it('and a git gc at the same time do each other no harm', async () => {
    const fixture = plainRepository();
    const collecting = (async (): Promise<readonly string[]> => {
      const failures: string[] = [];
      for (let round = 0; round < 4; round += 1) {
        failures.push(await git(fixture, 'gc', '-q', '--prune=now'), await git(fixture, 'fsck', '--full'));
      }
      return failures.filter(Boolean);
    })();
    const ids: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      fixture.write(`new ${String(round)}.txt`, `content ${String(round)}\n`);
      const answer = await run(fixture, ['--json', 'capture', '-m', `round ${String(round)}`]);
      expect(answer.code, answer.stderr).toBe(0);
      ids.push(answer.json().id);
    }
    expect(await collecting).toEqual([]);
    expect(storedSnapshots(fixture).map(({ id }) => id)).toEqual(ids.reverse());
    expect(auditStore(fixture)).toEqual([]);
    await verify(fixture);
  });
});
