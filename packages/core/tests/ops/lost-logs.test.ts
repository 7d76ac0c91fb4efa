/** An agent deletes, stubs, cuts, rewrites or rotates its log after a capture: the longer version and its records stay. */
import * as fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../testkit/src/repositories/temporary.js';
import { codex } from '../../src/agents/codex/codex.js';
import { openLogFile } from '../../src/agents/log-file.js';
import { capture, type CaptureResult } from '../../src/ops/capture.js';
import { ledger } from '../../src/ops/read/ledger.js';
import { show, showFile } from '../../src/ops/read/show.js';
import { verify } from '../../src/ops/read/verify.js';
import type { Repository } from '../../src/ops/repository/repository.js';
import { makeWorld, type World } from '../timeline/world.js';

const SESSION = '01a1fbc4-8cff-7ca1-8f0d-4d22176ec0b9';
const OTHER = '01a1fbc4-ffff-7ca1-8f0d-4d22176ec0b9';
const NAME = `rollout-2026-11-21T01-42-04-${SESSION}.jsonl`;
const LOG = fs.readFileSync(path.join(import.meta.dirname, '../fixtures/agents/codex/sessions/2026/11/21', NAME));

interface Bench {
  readonly repository: Repository;
  readonly file: string;
  capture(file?: string): Promise<CaptureResult>;
  /** Each session of the newest snapshot, with its requests. */
  sessions(): Promise<Record<string, number>>;
  shrunk(): Promise<readonly (readonly { readonly from: number; readonly to: number }[] | undefined)[]>;
}

function bench(): Bench {
  const world = makeWorld();
  world.scan = { files: { 'a.txt': 'a\n' } };
  const repository = repositoryOf(world);
  const file = path.join(temporaryDirectory(), NAME);
  fs.writeFileSync(file, LOG);
  return {
    repository,
    file,
    capture: (named = file) => {
      world.now += 1000;
      return capture({ repository, transcript: named, message: 'x' });
    },
    sessions: async () => {
      const { conversation } = await show({ repository });
      return Object.fromEntries((conversation?.sessions ?? []).map(({ id, totals }) => [id, totals.requests]));
    },
    shrunk: async () => (await show({ repository })).transcripts.map((source) => source.shrunk),
  };
}

function repositoryOf(world: World): Repository {
  return {
    ...world.repository,
    agents: [codex({ home: undefined })],
    openLog: (file) => Promise.resolve(openLogFile(file)),
    enrol: () => Promise.resolve(repositoryOf(world)),
  };
}

async function stored({ repository }: Bench, name = 'transcript'): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of await showFile({ repository, path: name })) pieces.push(piece);
  return Buffer.concat(pieces);
}

describe('a log that was captured', () => {
  it('and is deleted since: that it is gone is said, and what was captured stays', async () => {
    const here = bench();
    await here.capture();
    fs.rmSync(here.file);
    await expect(here.capture()).rejects.toMatchObject({ code: 'file_not_found' });
    await capture({ repository: here.repository, transcript: false, message: 'later' });
    expect(await here.sessions()).toEqual({ [SESSION]: 11 });
    expect((await stored(here)).equals(LOG)).toBe(true);
  });

  it.each<[string, number]>([
    ['stubbed', 0],
    ['cut in the middle of a line', 40_000],
  ])('and is %s since: the longer copy and its records stay, and the shrinkage is recorded once', async (_, to) => {
    const here = bench();
    await here.capture();
    fs.truncateSync(here.file, to);
    const location = { agent: 'codex', session: SESSION, file: here.file, modified: 0 };
    // A stub says nothing of whose it is; the agent's folder does.
    const agents = [{ ...codex({ home: undefined }), identify: () => Promise.resolve(location) }];
    const repository: Repository = { ...here.repository, agents, enrol: () => Promise.resolve(repository) };
    for (let times = 0; times < 2; times += 1) await capture({ repository, transcript: here.file, message: 'y' });
    expect(await here.sessions()).toEqual({ [SESSION]: 11 });
    expect(await here.shrunk()).toMatchObject([[{ from: LOG.length, to }]]);
    expect((await stored(here)).equals(LOG)).toBe(true);
  });

  it('and is written anew with other ids: both are kept, each with its records', async () => {
    const here = bench();
    await here.capture();
    fs.writeFileSync(here.file, LOG.toString().replaceAll('resp_', 'resq_').slice(0, 60_000));
    await here.capture();
    const sessions = await here.sessions();
    expect(Object.keys(sessions)).toEqual([SESSION, `${SESSION}.2`]);
    expect(sessions[SESSION]).toBe(11);
    const { results } = await verify({ repository: here.repository, all: true, deep: true });
    expect(new Set(results.map(({ verdict }) => verdict))).toEqual(new Set(['valid']));
  });

  it('and is written anew: the newest version is shown, and each by the name of its folder', async () => {
    const here = bench();
    await here.capture();
    const texts = ['resq_', 'resr_'].map((name) => LOG.toString().replaceAll('resp_', name));
    for (const text of texts) {
      fs.writeFileSync(here.file, text);
      await here.capture();
    }
    const [second = '', third = ''] = texts;
    const shown = async (name: string): Promise<string> => (await stored(here, name)).toString();
    expect(await shown('transcript')).toBe(third);
    expect(await shown(`transcript/${SESSION}.3`)).toBe(third);
    expect(await shown(`transcript/${SESSION}.2`)).toBe(second);
    expect(await shown(`transcript/${SESSION}`)).toBe(third);
    expect(await shown(`transcript/${SESSION}.1`)).toBe(LOG.toString());
    await expect(shown(`transcript/${SESSION}.4`)).rejects.toMatchObject({ code: 'path_not_found' });
  });

  it('and is rotated, gone on from under another id: requests of both count once', async () => {
    const here = bench();
    await here.capture();
    const next = path.join(path.dirname(here.file), NAME.replace(SESSION, OTHER));
    fs.writeFileSync(
      next,
      LOG.toString()
        .replace(`"id":"${SESSION}"`, `"id":"${OTHER}"`)
        .replaceAll(`"session_id":"${SESSION}"`, `"session_id":"${OTHER}"`),
    );
    fs.rmSync(here.file);
    await here.capture(next);
    expect(await here.sessions()).toEqual({ [SESSION]: 11, [OTHER]: 11 });
    const { totals, entries } = await ledger({ repository: here.repository });
    expect([totals.requests, totals.input, totals.output]).toEqual([11, 8800, 550]);
    expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(11);
  });
});
