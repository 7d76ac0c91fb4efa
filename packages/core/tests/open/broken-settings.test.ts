/** Settings that cannot be read: who only reads goes on and says so, who records something stops. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  at,
  capture,
  configSet,
  diff,
  ledger,
  list,
  openHistory,
  openRepository,
  operations,
  restore,
  rewind,
  show,
  status,
  timeline,
  verify,
  type OpenedRepository,
} from '../../src/index.js';

let fixture: FixtureRepository;
let file: string;

const request = () => ({ directory: fixture.root, env: cleanEnvironment(fixture.home), home: fixture.home });

async function opened<T>(work: (opened: OpenedRepository) => Promise<T>): Promise<T> {
  const one = await openRepository(request());
  try {
    return await work(one);
  } finally {
    await one.repository.close();
  }
}

beforeEach(async () => {
  fixture = unbornRepository();
  fixture.write('a.txt', 'one\n');
  await opened(({ repository }) => capture({ repository, transcript: false, message: 'First' }));
  fixture.write('a.txt', 'two\n');
  file = fixture.path('.savepoint/settings.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{"capture.transcript": false,}');
});

describe('a settings file that cannot be read', () => {
  test('stops no verb that only reads, and is named', async () => {
    const { repository, warnings } = await openHistory(request());
    expect(warnings).toEqual([
      expect.stringMatching(/settings\.json cannot be read: .*\. What only reads goes on without it; nothing/),
    ]);
    expect((await list({ repository })).snapshots).toHaveLength(1);
    expect((await timeline({ repository })).snapshots).toHaveLength(1);
    expect((await show({ repository })).message).toBe('First');
    expect((await at({ repository, selector: 'seq:1' })).snapshot.message).toBe('First');
    expect((await verify({ repository, all: true })).exitCode).toBe(0);
    await repository.close();
    await opened(async ({ repository, hooks, remotes, warnings }) => {
      expect(warnings).toHaveLength(1);
      expect((await diff({ repository, from: 'head' })).files.map(({ path }) => path)).toContain('a.txt');
      expect((await ledger({ repository })).entries).toEqual([]);
      expect((await operations({ repository })).operations).toEqual([]);
      const { warnings: told } = await status({ repository, hooks, remotes });
      expect(told).toContainEqual(expect.objectContaining({ code: 'settings_unreadable' }));
    });
  });

  test('stops whatever captures, before anything is changed, and status tells of it', async () => {
    const before = fixture.git('for-each-ref');
    await opened(async ({ repository }) => {
      const code = 'settings_unreadable';
      await expect(capture({ repository, message: 'Second' })).rejects.toMatchObject({ code });
      // Also where no setting was asked for the log: other settings decide on files.
      await expect(capture({ repository, transcript: false })).rejects.toMatchObject({ code });
      await expect(rewind({ repository, selector: 'seq:1' })).rejects.toMatchObject({ code });
      await expect(restore({ repository, selector: 'seq:1' })).rejects.toMatchObject({ code });
    });
    expect(fixture.git('for-each-ref')).toBe(before);
    expect(readFileSync(fixture.path('a.txt'), 'utf8')).toBe('two\n');
    rmSync(file);
    const told = await opened(({ repository, hooks, remotes }) => status({ repository, hooks, remotes }));
    expect(told.failures.count).toBe(2);
  });

  test('stops no change of another layer that needs nothing of it, and none is half done', async () => {
    writeFileSync(file, '{"capture.maxNewBytes": "many", "capture.transcript": false}');
    await opened(async ({ settingsFiles: files }) => {
      await configSet({ files, key: 'capture.maxFileBytes', value: '1k', layer: 'local' });
      const repaired = await configSet({ files, key: 'capture.maxNewBytes', value: '2k', layer: 'project' });
      expect(repaired).toMatchObject({ value: 2048, layer: 'project' });
    });
    writeFileSync(file, '{');
    await opened(async ({ settingsFiles: files }) => {
      const change = configSet({ files, key: 'capture.maxFileBytes', value: '5k', layer: 'local' });
      await expect(change).rejects.toMatchObject({ code: 'settings_unreadable' });
      expect(await files.load('local')).toEqual({ 'capture.maxFileBytes': 1024 });
    });
  });
});
