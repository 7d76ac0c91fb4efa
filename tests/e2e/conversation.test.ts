/** T40, T45, T57: whose conversation it is, what its log holds byte for byte, and how little each capture adds. */
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import {
  fakeAgent,
  pseudoRandom,
  plainRepository,
  readBlobs,
  shortSession,
  type FakeAgent,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, headCommit, run, verify } from './support/acts.js';

const UUIDS = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-9999-000000000000'] as const;

function agentIn(fixture: FixtureRepository, cwd = fixture.root, session: string = UUIDS[0]): FakeAgent {
  return fakeAgent({ configDirectory: join(fixture.home, '.claude'), cwd, session });
}

/** Returns the log as the newest snapshot holds it, read with plain git. */
function storedLog(fixture: FixtureRepository): Buffer {
  const names = fixture.git('ls-tree', '-r', '--name-only', `${headCommit(fixture)}:transcript`).split('\n');
  const parts = names.filter((name) => name.endsWith('.jsonl'));
  return Buffer.concat(
    readBlobs(
      fixture,
      parts.map((name) => `${headCommit(fixture)}:transcript/${name}`),
    ),
  );
}

describe('the session of a capture', () => {
  it('is the one that was written to just now, marked as a guess', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    agent.play();
    const { session, notes } = await capture(fixture);
    expect(session).toEqual({ agent: 'claude-code', id: agent.session, guessed: true });
    expect(notes.join('\n')).toMatch(/guess/i);
    expect(storedLog(fixture).equals(readFileSync(agent.file))).toBe(true);
  });

  it('is the one that was named, and no guess', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    agent.play();
    const { session } = await capture(fixture, { args: ['--transcript', agent.file] });
    expect(session).toEqual({ agent: 'claude-code', id: agent.session });
  });

  it('is unknown, with a hint, when two were written to', async () => {
    const fixture = plainRepository();
    agentIn(fixture).play();
    agentIn(fixture, fixture.root, UUIDS[1]).play();
    const { session, notes, slices } = await capture(fixture);
    expect(session).toBeUndefined();
    expect(notes.join('\n')).toContain('--transcript');
    expect(slices.map(({ name }) => name)).not.toContain('transcript');
  });

  it('is the newer of two when the other has been silent for more than ten minutes', async () => {
    const fixture = plainRepository();
    const old = agentIn(fixture);
    old.play();
    old.age(11);
    agentIn(fixture, fixture.root, UUIDS[1]).play();
    expect((await capture(fixture)).session).toMatchObject({ id: UUIDS[1], guessed: true });
  });

  it.each([
    [
      'silent for more than ten minutes',
      (fixture: FixtureRepository) => {
        const agent = agentIn(fixture);
        agent.play();
        agent.age(11);
      },
    ],
    ['of the place beside', (fixture: FixtureRepository) => agentIn(fixture, fixture.beside).play()],
    [
      'of a project whose path begins the same',
      (fixture: FixtureRepository) => agentIn(fixture, `${fixture.root}-two`).play(),
    ],
    ['of the folder above', (fixture: FixtureRepository) => agentIn(fixture, join(fixture.root, '..')).play()],
    [
      'of another project whose folder has the same name',
      (fixture: FixtureRepository) => {
        // `Größe & Maß` and `Gr--e___Ma-` are the same to Claude Code.
        const twin = fixture.root.replace(/[^A-Za-z0-9/]/g, '_');
        const agent = agentIn(fixture, twin);
        agent.play();
      },
    ],
  ] as const)('is never one that is %s', async (_, play) => {
    const fixture = plainRepository();
    play(fixture);
    expect((await capture(fixture)).session).toBeUndefined();
  });

  it('is left out on request and by setting', async () => {
    const fixture = plainRepository();
    agentIn(fixture).play();
    expect((await capture(fixture, { args: ['--no-transcript', '-m', 'without'] })).session).toBeUndefined();
    await run(fixture, ['config', 'set', 'capture.transcript', 'false', '--user']);
    expect((await capture(fixture, { args: ['-m', 'by setting'] })).session).toBeUndefined();
  });
});

describe('the log', () => {
  it('is kept byte for byte with torn, broken and unknown lines', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    agent.play(3);
    agent.append('{"type":"of-a-later-version","payload":{"a":[1,2,3]}}\n');
    agent.append('this line is no JSON at all\n\n{"type":"user","message":\n');
    agent.append(Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x0a]));
    agent.append('windows line\r\n');
    agent.play();
    agent.append('{"type":"user","torn":"ümlä');
    const answer = await capture(fixture, { args: ['--transcript', agent.file] });
    expect(answer.redactions.count).toBe(0);
    expect(storedLog(fixture).equals(readFileSync(agent.file))).toBe(true);
    agent.append('ut"}\n');
    await capture(fixture, { args: ['--transcript', agent.file] });
    expect(storedLog(fixture).equals(readFileSync(agent.file))).toBe(true);
    await verify(fixture);
  });

  it('is kept byte for byte over the borders of its parts', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    for (const length of [65_535, 65_536, 65_537, 200_000, 3, 64_000, 70_000]) {
      agent.append(
        `${JSON.stringify({ type: 'user', text: 'wört '.repeat(Math.ceil(length / 6)).slice(0, length) })}\n`,
      );
      await capture(fixture, { args: ['--transcript', agent.file] });
      expect(storedLog(fixture).equals(readFileSync(agent.file))).toBe(true);
    }
    for (const name of fixture.git('ls-tree', '-r', '-l', `${headCommit(fixture)}:transcript`).split('\n')) {
      expect(Number(/ (\d+)\t/.exec(name)?.[1])).toBeLessThanOrEqual(65_536);
    }
    await verify(fixture);
  });

  it('that is written to while it is read ends at what was there', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    agent.append('{"type":"user","text":"some words that repeat"}\n'.repeat(20_000));
    const writing = setInterval(() => agent.append('{"type":"user","text":"appended"}\n'.repeat(50)), 5);
    try {
      await run(fixture, ['capture', '--transcript', agent.file]);
    } finally {
      clearInterval(writing);
    }
    const stored = storedLog(fixture);
    expect(stored.length).toBeGreaterThan(900_000);
    expect(readFileSync(agent.file).subarray(0, stored.length).equals(stored)).toBe(true);
    await verify(fixture);
  });

  it.each([
    ['is cut', (agent: FakeAgent) => truncateSync(agent.file, 500)],
    ['is replaced by a shorter one', (agent: FakeAgent) => writeFileSync(agent.file, `${rewritten(agent)}\n`)],
  ] as const)('that %s by the agent is noticed, and the long version stays', async (_, shrink) => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    agent.play();
    const long = readFileSync(agent.file);
    await capture(fixture, { args: ['--transcript', agent.file] });
    shrink(agent);
    await capture(fixture, { args: ['--transcript', agent.file, '-m', 'after'] });
    const { transcripts } = (await act(fixture, ['--json', 'show'])).json() as unknown as {
      transcripts: readonly { readonly shrunk?: readonly { readonly from: number; readonly to: number }[] }[];
    };
    expect(transcripts[0]?.shrunk).toEqual([expect.objectContaining({ from: long.length })]);
    const answer = await run(fixture, ['show', 'seq:1', '--file', 'transcript']);
    expect(answer.stdoutBytes.equals(long)).toBe(true);
    await verify(fixture);
  });
});

describe('growth', () => {
  const CAPTURES = 40;
  const BYTES_EACH = 6_000;

  function bytesBelow(folder: string): number {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.reduce((sum, name) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      return sum + (stats?.isFile() === true ? stats.size : 0);
    }, 0);
  }

  it('of the store stays near what is unique: 1.2 times its gzip and 4 kB a capture', async () => {
    const fixture = plainRepository();
    const agent = agentIn(fixture);
    await capture(fixture, { args: ['-m', 'the base'] });
    const before = bytesBelow(fixture.path('.git'));
    const random = pseudoRandom(11, CAPTURES * BYTES_EACH);
    for (let round = 0; round < CAPTURES; round += 1) {
      const words = random.subarray(round * BYTES_EACH, (round + 1) * BYTES_EACH);
      for (let at = 0; at < words.length; at += 120) agent.append(proseLine(round, words.subarray(at, at + 120)));
      const answer = await run(fixture, ['capture', '--transcript', agent.file]);
      expect(answer.code, answer.stderr).toBe(0);
    }
    // What is superfluous goes when nothing reads the repository, which is now.
    expect((await run(fixture, ['maintain'])).code).toBe(0);
    const unique = gzipSync(readFileSync(agent.file)).length;
    const grown = bytesBelow(fixture.path('.git')) - before;
    expect(readFileSync(agent.file).length).toBeGreaterThan(1_000_000);
    expect(grown).toBeLessThan(1.2 * unique + 4096 * CAPTURES);
    await verify(fixture);
  });
});

/** A first line of the same session that is not the one that was there. */
function rewritten(agent: FakeAgent): string {
  return (shortSession(agent.session)[0] ?? '').replace('Please do', 'Please never do');
}

/** A line of words that compress about as well as prose does. */
function proseLine(number: number, bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => `${WORDS[byte % WORDS.length] ?? ''}${ENDINGS[byte >> 6] ?? ''}`).join(' ');
  return `${JSON.stringify({ type: 'user', number, text })}\n`;
}

const ENDINGS = ['', 's', 'ed', 'ing'] as const;
const WORDS =
  'the agent reads a file and then it writes another one because the test fails when nothing was found in it so that every line of this log looks like prose with some names such as repository worktree snapshot timeline anchor slice'.split(
    ' ',
  );
