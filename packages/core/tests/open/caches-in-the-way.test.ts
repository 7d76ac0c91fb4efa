/** Whatever lies in the place of a cache, no verb fails for it: what can be made anew is, or is done without. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, fakeAgent, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { beforeEach, expect, test } from 'vitest';
import {
  at,
  capture,
  diff,
  ledger,
  list,
  openRepository,
  rewind,
  show,
  status,
  timeline,
  undo,
  verify,
  type OpenedRepository,
} from '../../src/index.js';

let fixture: FixtureRepository;
let log: string;

async function opened<T>(work: (opened: OpenedRepository) => Promise<T>): Promise<T> {
  const env = cleanEnvironment(fixture.home);
  const one = await openRepository({ directory: fixture.root, env, home: fixture.home });
  try {
    return await work(one);
  } finally {
    await one.repository.close();
  }
}

const own = (...names: string[]): string => fixture.path('.git/savepoint', ...names);

/** Every file of ours that can be lost. */
function lostFiles(): readonly string[] {
  const below = ['cache', 'scan'].flatMap((folder) =>
    readdirSync(own(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name)),
  );
  return [...below, own('packs')];
}

beforeEach(async () => {
  fixture = unbornRepository();
  fixture.write('a.txt', 'one\n');
  const configDirectory = path.join(fixture.home, '.claude');
  const line = JSON.stringify({ sessionId: 's', cwd: fixture.root, type: 'user', message: { content: 'hello' } });
  const agent = fakeAgent({ configDirectory, cwd: fixture.root, session: 's', lines: [line, line] });
  agent.play();
  log = agent.file;
  for (const text of ['two\n', 'three\n']) {
    fixture.write('a.txt', text);
    await opened(({ repository }) => capture({ repository, transcript: log }));
  }
  await opened(({ repository }) => list({ repository }));
});

test.each([
  [
    'a directory in the place of each file',
    () => {
      const files = lostFiles();
      expect(files.length).toBeGreaterThan(8);
      for (const file of files) {
        rmSync(file, { recursive: true });
        mkdirSync(path.join(file, 'inside'), { recursive: true });
        writeFileSync(path.join(file, 'inside', 'x'), 'x');
      }
    },
  ],
  [
    'a file in the place of each folder',
    () => {
      for (const folder of ['cache/heads', 'cache/records', 'cache/transcripts']) {
        rmSync(own(folder), { recursive: true });
        writeFileSync(own(folder), 'x');
      }
    },
  ],
])('%s stops no verb', async (_what, disturb) => {
  const verbs: Record<string, (opened: OpenedRepository) => Promise<unknown>> = {
    capture: ({ repository }) => capture({ repository, transcript: log, message: 'Third' }),
    list: ({ repository }) => list({ repository }),
    timeline: ({ repository }) => timeline({ repository }),
    show: ({ repository }) => show({ repository }),
    at: ({ repository }) => at({ repository, selector: 'seq:1' }),
    diff: ({ repository }) => diff({ repository, from: 'seq:1' }),
    verify: ({ repository }) => verify({ repository, all: true }),
    ledger: ({ repository }) => ledger({ repository }),
    status: ({ repository, hooks, remotes }) => status({ repository, hooks, remotes }),
    rewind: ({ repository }) => rewind({ repository, selector: 'seq:1', force: true }),
    undo: ({ repository }) => undo({ repository, force: true }),
  };
  const failed: string[] = [];
  for (const [name, run] of Object.entries(verbs)) {
    disturb();
    await opened(run).catch((error: unknown) => failed.push(`${name}: ${String(error)}`));
  }
  expect(failed).toEqual([]);
});
