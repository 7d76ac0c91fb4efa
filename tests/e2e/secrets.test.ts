/** T13: planted secrets never reach the store, also when a capture is killed; they are counted and never shown. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fakeAgent, plainRepository, shortSession, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { run, verify } from './support/acts.js';
import { leakedSecrets, plantedTexts, SECRETS } from './support/secrets.js';

interface Planted {
  readonly fixture: FixtureRepository;
  readonly transcript: string;
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Secrets in prompts, tool input and output (whole, and cut in two between lines), branch name and environment. */
function plant(copies: number): Planted {
  const fixture = plainRepository();
  fixture.git('checkout', '-q', '-b', `feature/${SECRETS['github'] ?? ''}`);
  const texts = plantedTexts();
  const say = (content: unknown, type = 'user'): string =>
    JSON.stringify({ type, uuid: 'u', sessionId: 's', cwd: fixture.root, message: { role: type, content } });
  const agent = fakeAgent({
    configDirectory: join(fixture.home, '.claude'),
    cwd: fixture.root,
    lines: shortSession('s'),
  });
  agent.play();
  for (let copy = 0; copy < copies; copy += 1) {
    for (const text of texts) {
      agent.append(`${say(`Please use ${text} for step ${String(copy)}`)}\n`);
      agent.append(
        `${say([{ type: 'tool_use', id: 't', name: 'Bash', input: { command: `run ${text}` } }], 'assistant')}\n`,
      );
      agent.append(`${say([{ type: 'tool_result', tool_use_id: 't', content: `${text}\nok` }])}\n`);
    }
  }
  // A line that is no JSON, and one that is torn.
  agent.append(`plain text ${texts.join(' ; ')}\n`);
  agent.append(say(texts.join('\n')).slice(0, -20));
  const temporary = join(fixture.base, 'tmp');
  mkdirSync(temporary);
  const savepointFolder = fixture.path('.git/savepoint');
  return {
    fixture,
    transcript: agent.file,
    folders: [savepointFolder, join(fixture.home, '.config'), join(fixture.home, '.cache'), temporary],
    env: {
      TMPDIR: temporary,
      API_TOKEN: SECRETS['environment'] ?? '',
      AWS_SECRET_ACCESS_KEY: SECRETS['awsSecret'] ?? '',
    },
  };
}

const present = ({ folders }: Planted): readonly string[] => folders.filter((folder) => existsSync(folder));

describe('planted secrets', () => {
  it('are in no object, ref, journal, cache or temporary file after a capture, and are counted', async () => {
    const planted = plant(3);
    const { fixture, transcript, env } = planted;
    const message = `rotated ${plantedTexts().join(', ')}`;
    const answer = await run(fixture, ['--json', 'capture', '-m', message, '--transcript', transcript], { env });
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.json().redactions.count).toBeGreaterThanOrEqual(60);
    expect(leakedSecrets(fixture, present(planted))).toEqual([]);
    const outputs = [answer.stdout, answer.stderr];
    for (const args of [
      ['show'],
      ['list'],
      ['status'],
      ['show', '--slice', 'transcript'],
      ['show', '--file', 'transcript'],
    ]) {
      const { stdout, stderr } = await run(fixture, args, { env });
      outputs.push(stdout, stderr);
    }
    for (const [name, secret] of Object.entries(SECRETS)) {
      expect(
        outputs.some((output) => output.includes(secret)),
        `${name} was shown`,
      ).toBe(false);
    }
    await verify(fixture);
  });

  it('are found by the search of this test when they are there', () => {
    const { fixture } = plant(1);
    fixture.run({ args: ['hash-object', '-w', '--stdin'], input: plantedTexts().join('\n') });
    expect(leakedSecrets(fixture, [])).toHaveLength(Object.keys(SECRETS).length);
  });

  it('are nowhere after captures that were killed at any moment', async () => {
    const planted = plant(150);
    const { fixture, transcript, env } = planted;
    for (let round = 0; round < 8; round += 1) {
      const args = ['--json', 'capture', '-m', `round ${String(round)}`, '--transcript', transcript];
      await run(fixture, args, { env, killAfter: 40 + round * 45 });
      expect(leakedSecrets(fixture, present(planted))).toEqual([]);
    }
  });

  it('are nowhere when the log is given on tags and in the text of an error', async () => {
    const planted = plant(1);
    const { fixture, env } = planted;
    const secret = SECRETS['github'] ?? '';
    const answer = await run(fixture, ['--json', 'capture', '--tag', secret, '-m', 'x'], { env });
    if (answer.code === 0) expect(answer.stdout).not.toContain(secret);
    await run(fixture, ['--json', 'show', `tag:${secret}`], { env });
    expect(leakedSecrets(fixture, present(planted))).toEqual([]);
  });
});
