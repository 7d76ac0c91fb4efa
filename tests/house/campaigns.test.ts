/** A campaign that was asked for with words it does not know says so, and does not look like one that found nothing. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './copied-tree.js';

interface Answer {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Record<string, string>;
};
const campaigns = Object.entries(scripts).flatMap(([name, command]) => {
  const words = /node (.*scripts\/(?:slow|bench)\/.*)$/.exec(command)?.[1]?.split(' ');
  return words === undefined ? [] : [{ name, words }];
});
const guide = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');

function run(words: readonly string[]): Promise<Answer> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...words], { cwd: ROOT }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

describe('slow campaigns', () => {
  it('are there', () => {
    expect(campaigns.length).toBeGreaterThan(8);
  });

  it.each(campaigns)('$name refuses words that it does not know, with its help, and is in the guide', async (one) => {
    const { code, stdout, stderr } = await run([...one.words, '--nonsense']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`npm run ${one.name} --`);
    expect(guide).toContain(`\`npm run ${one.name}\``);
  });

  it.each([
    ['slow:kill', '--rounds', '0'],
    ['slow:kill', '--rounds', 'many'],
    ['slow:faults', '--call', 'nothing'],
    ['slow:rewind', 'nothing'],
  ])('%s refuses %s %s', async (name, ...more) => {
    const words = campaigns.find((campaign) => campaign.name === name)?.words ?? [];
    expect(await run([...words, ...more])).toMatchObject({ code: 2, stdout: '' });
  });

  it.each(['slow:kill', 'bench'])('%s explains itself', async (name) => {
    const words = campaigns.find((campaign) => campaign.name === name)?.words ?? [];
    const { code, stdout } = await run([...words, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`npm run ${name} -- `);
    expect(stdout).toMatch(/^ {2}--(?:rounds|runs) N /m);
  });
});
