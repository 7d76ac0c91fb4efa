/** T17: every tampering with the stored chain is detected and has its own verdict, offline. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository, verify as verifyAllOf } from '@savepoint/core';
import {
  blake3,
  cleanEnvironment,
  differences,
  fakeAgent,
  fixtureAt,
  observe,
  plainRepository,
  storedSnapshots,
  type FixtureRepository,
} from '@savepoint/testkit';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { act, run } from './support/acts.js';
import { Forger } from './support/tampering.js';

const LENGTH = 20;
let fixture: FixtureRepository;
let forger: Forger;

async function chainOf(length: number): Promise<FixtureRepository> {
  const made = plainRepository();
  const agent = fakeAgent({ configDirectory: join(made.home, '.claude'), cwd: made.root });
  for (let round = 1; round <= length; round += 1) {
    agent.play(1);
    made.write('src/one.txt', `version ${String(round)}\n`);
    const args = ['--json', 'capture', '-m', `number ${String(round)}`, '--tag', 'chain', '--transcript', agent.file];
    const answer = await run(made, args);
    expect(answer.code, answer.stderr).toBe(0);
  }
  return made;
}

/** As the program opens it, but in this process: what is asked of it is the verdict. */
async function verifyHere(place: FixtureRepository): Promise<Verified> {
  const before = observe(place);
  const env = cleanEnvironment(place.home);
  const { repository } = await openRepository({ directory: place.root, env, home: place.home });
  try {
    const { results, completeness, exitCode } = await verifyAllOf({ repository, all: true });
    const verdicts = new Map(results.map(({ sequence = 0, verdict }) => [sequence, verdict]));
    return { exit: exitCode, verdicts, all: results.map(({ verdict }) => verdict), completeness };
  } finally {
    await repository.close();
    expect(differences(before, observe(place)), 'verify changed something').toEqual([]);
  }
}

/** Through the program for the first of a table, and in this process for the others. */
function verifyRow(place: FixtureRepository, isFirst: boolean): Promise<Verified> {
  return isFirst ? verifyAll(place) : verifyHere(place);
}

interface Verified {
  readonly exit: number;
  /** By sequence. */
  readonly verdicts: ReadonlyMap<number, string>;
  readonly all: readonly string[];
  readonly completeness: string;
}

async function verifyAll(place: FixtureRepository, ...options: readonly string[]): Promise<Verified> {
  const answer = await act(place, ['--json', 'verify', '--all', ...options]);
  const { results, completeness } = answer.json();
  const verdicts = new Map(results.map(({ sequence = 0, verdict }) => [sequence, verdict]));
  return { exit: answer.code, verdicts, all: results.map(({ verdict }) => verdict), completeness };
}

beforeAll(async () => {
  fixture = await chainOf(LENGTH);
  forger = new Forger(fixture);
});

afterEach(() => {
  forger.restore();
});

describe('a chain of 20', () => {
  it('is valid as it is, and its completeness is not proven without a witness', async () => {
    const { exit, all, completeness } = await verifyAll(fixture, '--deep');
    expect({ exit, completeness }).toEqual({ exit: 0, completeness: 'not_proven' });
    expect(all).toEqual(Array.from({ length: LENGTH }, () => 'valid'));
  });

  it('is valid again when it is rebuilt from the same trees', async () => {
    forger.rebuild(forger.trees());
    expect(new Forger(fixture).chain).toEqual(forger.chain);
  });
});

describe('a change in the body', () => {
  const FIELDS: Readonly<Record<string, (body: Record<string, unknown>) => void>> = {
    message: (body) => (body['message'] = 'another message'),
    tags: (body) => (body['tags'] = ['chain', 'forged']),
    createdAt: (body) => (body['createdAt'] = '2020-01-01T00:00:00.000Z'),
    trigger: (body) => (body['trigger'] = { kind: 'automatic', reason: 'forged' }),
    anchor: (body) => (body['anchor'] = { ...(body['anchor'] as object), dirty: false }),
    complete: (body) => (body['complete'] = false),
    redactions: (body) => (body['redactions'] = { count: 99, kinds: {} }),
    totals: (body) => (body['totals'] = { bytes: 1, files: 1 }),
    omitted: (body) => {
      body['omitted'] = [{ path: 'x', reason: 'unreadable' }];
      body['complete'] = false;
    },
    boundaries: (body) => (body['boundaries'] = [{ kind: 'special', path: 'x' }]),
    seen: (body) => (body['seen'] = [{ id: 'ab'.repeat(32), sequence: 7, timeline: 'cd'.repeat(16) }]),
    session: (body) => (body['session'] = { agent: 'claude-code', id: 'another' }),
    'an unknown field': (body) => (body['zzz'] = 'unknown'),
  };

  it.each(Object.entries(FIELDS))('of %s breaks the signature', async (field, change) => {
    forger.editFile(7, 'snapshot.json', (text) => {
      const body = JSON.parse(text) as Record<string, unknown>;
      change(body);
      return JSON.stringify(body);
    });
    const { exit, verdicts } = await verifyRow(fixture, field === 'message');
    expect(exit).toBe(15);
    expect(verdicts.get(7)).toBe('bad_signature');
    expect(verdicts.get(6)).toBe('valid');
    // The next one names the parent that was there before.
    expect(verdicts.get(8)).toBe('broken_chain');
  });

  it.each([
    ['timeline', /"timeline":"[0-9a-f]{32}"/, `"timeline":"${'0'.repeat(32)}"`],
    ['sequence', /"sequence":7/, '"sequence":70'],
    ['repository', /"repository":"[0-9a-f]{32}"/, `"repository":"${'0'.repeat(32)}"`],
    ['signer', /"signer":"ed25519:[0-9a-f]{64}"/, `"signer":"ed25519:${'1'.repeat(64)}"`],
    ['slices', /"digest":"[0-9a-f]{2}/, '"digest":"00'],
    ['parents', /"parents":\["[0-9a-f]{2}/, '"parents":["00'],
    ['format', /"format":"savepoint.snapshot\/1"/, '"format":"savepoint.snapshot/9"'],
  ])('of %s is detected', async (field, find, replacement) => {
    forger.editFile(7, 'snapshot.json', (text) => {
      expect(text).toMatch(find);
      return text.replace(find, replacement);
    });
    const { exit, all } = await verifyRow(fixture, field === 'timeline');
    expect(exit).toBe(15);
    expect(all.filter((verdict) => verdict !== 'valid').length).toBeGreaterThanOrEqual(1);
    expect(all).toHaveLength(LENGTH);
  });

  it.each([
    ['a blank', (text: string) => text.replace('{', '{ ')],
    ['a line end', (text: string) => `${text}\n`],
    ['a repeated key', (text: string) => text.replace('"message"', '"format":"savepoint.snapshot/1","message"')],
    ['another spelling of a letter', (text: string) => text.replace('number', '\\u006eumber')],
  ])('by %s is not canonical', async (what, change) => {
    forger.editFile(7, 'snapshot.json', change);
    const { exit, verdicts, all } = await verifyRow(fixture, what === 'a blank');
    expect(exit).toBe(15);
    expect([verdicts.get(7), ...all]).toContain('not_canonical');
  });

  it.each([
    ['not JSON', () => 'not JSON'],
    ['empty', () => ''],
    ['another value', () => '[]'],
    ['deeply nested', () => '['.repeat(100_000)],
  ])('that leaves it %s is reported, not a crash', async (_, change) => {
    forger.editFile(7, 'snapshot.json', change);
    const answer = await act(fixture, ['--json', 'verify', '--all']);
    expect(answer.code).toBe(15);
    expect(answer.json().results.length).toBeGreaterThanOrEqual(LENGTH - 1);
  });
});

describe('a change of the signature', () => {
  it.each([
    [
      'one digit',
      (text: string) => text.replace(/"value":"(.)/, (_, digit: string) => `"value":"${digit === '0' ? '1' : '0'}`),
    ],
    ['all zeros', (text: string) => text.replace(/"value":"[0-9a-f]+"/, `"value":"${'0'.repeat(128)}"`)],
    ['another signer', (text: string) => text.replace(/ed25519:[0-9a-f]{2}/, 'ed25519:00')],
    ['rubbish', () => '{}'],
  ])('(%s) is a bad signature', async (what, change) => {
    forger.editFile(7, 'signature.json', change);
    const { exit, verdicts } = await verifyRow(fixture, what === 'one digit');
    expect({ exit, verdict: verdicts.get(7), next: verdicts.get(8) }).toEqual({
      exit: 15,
      verdict: 'bad_signature',
      next: 'valid',
    });
  });

  it('that removes it is never valid', async () => {
    forger.edit(7, (root) => root.delete('signature.json'));
    const { exit, verdicts } = await verifyAll(fixture);
    expect([14, 15]).toContain(exit);
    expect(['unsigned', 'bad_signature', 'missing_object']).toContain(verdicts.get(7));
  });

  it('with another key over the whole chain is an unknown signer, never the own one', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
    let parent: string | undefined;
    const trees = forger.trees().map((tree) =>
      forger.editTree(tree, (root) => {
        const body = JSON.parse(forger.text(root.get('snapshot.json'))) as Record<string, unknown>;
        body['signer'] = `ed25519:${raw}`;
        if (parent !== undefined) body['parents'] = [parent];
        const text = JSON.stringify(body);
        parent = blake3(Buffer.from(text, 'utf8'));
        const value = sign(null, Buffer.from(`savepoint.snapshot/1\n${parent}`), privateKey).toString('hex');
        const signature = { algorithm: 'ed25519', signer: `ed25519:${raw}`, value };
        root.set('snapshot.json', forger.blob(text));
        root.set('signature.json', forger.blob(JSON.stringify(signature)));
      }),
    );
    forger.rebuild(trees);
    const { exit, all } = await verifyAll(fixture);
    expect(exit).toBe(0);
    expect(new Set(all)).toEqual(new Set(['valid_unknown_signer']));
  });
});

describe('a change of the content', () => {
  const flip = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)]);

  it.each(['worktree', 'index', 'transcript'])('in %s is a digest mismatch', async (folder) => {
    forger.editBelow(7, folder, flip);
    const { exit, verdicts } = await verifyRow(fixture, folder === 'worktree');
    expect({ exit, verdict: verdicts.get(7), next: verdicts.get(8) }).toEqual({
      exit: 15,
      verdict: 'digest_mismatch',
      next: 'valid',
    });
  });

  it.each(['filesystem.json', 'index.json'])('in %s is a digest mismatch', async (name) => {
    forger.editFile(7, name, (text) => text.replace(/"0?\w/, (found) => `${found.slice(0, -1)}x`));
    const { exit, verdicts } = await verifyRow(fixture, name === 'filesystem.json');
    expect({ exit, verdict: verdicts.get(7) }).toEqual({ exit: 15, verdict: 'digest_mismatch' });
  });

  it.each(['worktree', 'filesystem.json', 'transcript'])('that takes %s away is a missing object', async (name) => {
    forger.edit(7, (root) => root.delete(name));
    const { exit, verdicts } = await verifyRow(fixture, name === 'worktree');
    expect({ exit, verdict: verdicts.get(7) }).toEqual({ exit: 15, verdict: 'missing_object' });
  });

  it('that adds something at the root is an unexpected entry', async () => {
    forger.edit(7, (root) => root.set('extra.json', forger.blob('{}')));
    const { exit, verdicts } = await verifyAll(fixture);
    expect({ exit, verdict: verdicts.get(7) }).toEqual({ exit: 15, verdict: 'unexpected_entry' });
  });

  it('that turns a slice into another kind of entry is detected', async () => {
    forger.edit(7, (root) => root.set('worktree', forger.blob('a file')));
    const { exit, verdicts } = await verifyAll(fixture);
    expect(exit).toBe(15);
    expect(verdicts.get(7)).not.toBe('valid');
  });
});

describe('a change of the chain', () => {
  it('that drops one from the middle is broken', async () => {
    const trees = forger.trees();
    forger.rebuild([...trees.slice(0, 9), ...trees.slice(10)]);
    const { exit, all } = await verifyAll(fixture);
    expect(exit).toBe(15);
    expect(all).toContain('broken_chain');
  });

  it('that swaps two is broken', async () => {
    const trees = forger.trees();
    [trees[4], trees[5]] = [trees[5] ?? '', trees[4] ?? ''];
    forger.rebuild(trees);
    const { exit, all } = await verifyHere(fixture);
    expect(exit).toBe(15);
    expect(all).toContain('broken_chain');
  });

  it('that drops the first is broken', async () => {
    forger.rebuild(forger.trees().slice(1));
    const { exit, all } = await verifyHere(fixture);
    expect(exit).toBe(15);
    expect(all).toContain('broken_chain');
  });

  it('that cuts the tail without a witness cannot be seen, and verify says so', async () => {
    forger.move(forger.chain[LENGTH - 4] ?? '');
    const answer = await act(fixture, ['verify', '--all']);
    expect(answer.code).toBe(0);
    expect(answer.stdout).toMatch(/not proven/i);
    expect((await verifyAll(fixture)).completeness).toBe('not_proven');
  });

  it('that puts in a valid snapshot of another repository is foreign', async () => {
    const other = await chainOf(2);
    const store = join(other.root, '.git/objects');
    const [, tree = ''] = new Forger(other).trees();
    const alternates = fixture.path('.git/objects/info/alternates');
    try {
      writeFileSync(alternates, `${store}\n`);
      const trees = forger.trees();
      trees[1] = tree;
      forger.rebuild(trees);
      const { exit, all } = await verifyAll(fixture);
      expect(exit).toBe(15);
      expect(all).toContain('foreign_repository');
    } finally {
      forger.restore();
      rmSync(alternates);
    }
  });
});

describe('with a second timeline', () => {
  async function twoTimelines(): Promise<{
    readonly main: FixtureRepository;
    readonly forger: Forger;
    readonly other: string;
  }> {
    const main = plainRepository();
    const linked = fixtureAt(main.base, join(main.base, 'linked'));
    main.git('worktree', 'add', '-q', '-b', 'side', linked.root);
    for (let round = 1; round <= 5; round += 1) {
      main.write('src/one.txt', `version ${String(round)}\n`);
      expect((await run(main, ['capture'])).code).toBe(0);
    }
    const [timeline = ''] = storedSnapshots(main).map((snapshot) => snapshot.timeline);
    expect((await run(linked, ['capture'])).code).toBe(0);
    const other = storedSnapshots(main).find((snapshot) => snapshot.timeline !== timeline)?.timeline ?? '';
    return { main, forger: new Forger(main, timeline), other };
  }

  it('a cut tail is detected by the witness of the other', async () => {
    const { main, forger: cutter } = await twoTimelines();
    expect((await verifyAll(main)).exit).toBe(0);
    cutter.move(cutter.chain[1] ?? '');
    const { exit, all } = await verifyAll(main);
    expect(exit).toBe(15);
    expect(all).toContain('truncated');
    main.git('update-ref', '-d', `refs/savepoint/v1/timelines/${cutter.timeline}`);
    const gone = await verifyAll(main);
    expect(gone.exit).toBe(15);
    expect(gone.all).toContain('truncated');
  });

  it('a snapshot of the other in its place is in the wrong place', async () => {
    const { main, forger: mover, other } = await twoTimelines();
    mover.move(main.git('rev-parse', `refs/savepoint/v1/timelines/${other}`));
    const { exit, all } = await verifyAll(main);
    expect(exit).toBe(15);
    expect(all).toContain('wrong_place');
  });
});

describe('damage to objects', () => {
  it('that are gone is named as missing, and those that are rotten are found with --deep', async () => {
    const place = await chainOf(3);
    place.git('reset', '-q', '--hard');
    place.write('only here.txt', 'found in the last snapshot only\n');
    expect((await run(place, ['capture'])).code).toBe(0);
    const head = storedSnapshots(place)[0];
    // One loose object for each, so that one file can be damaged.
    place.run({ args: ['-c', 'gc.auto=0', 'unpack-objects', '-q'], input: packOf(place) });
    const blob = place.git('rev-parse', `${head?.commit ?? ''}:worktree/only here.txt`);
    const file = place.path('.git/objects', blob.slice(0, 2), blob.slice(2));
    expect(existsSync(file)).toBe(true);
    const bytes = readFileSync(file);
    chmodSync(file, 0o644);
    writeFileSync(file, Buffer.concat([bytes.subarray(0, bytes.length - 4), Buffer.from('rot!')]));
    const rotten = await verifyAll(place, '--deep');
    expect(rotten.exit).toBe(15);
    expect(['digest_mismatch', 'missing_object']).toContain(rotten.verdicts.get(head?.body.sequence ?? 0));
    rmSync(file);
    const missing = await verifyAll(place, '--deep');
    expect(missing.exit).toBe(15);
    expect(missing.verdicts.get(head?.body.sequence ?? 0)).toBe('missing_object');
  });
});

/** Returns all objects as one pack and takes the packs away. */
function packOf(place: FixtureRepository): Buffer {
  place.git('repack', '-a', '-d', '-q');
  const pack = place.run({ args: ['pack-objects', '--all', '--reflog', '--indexed-objects', '--stdout', '-q'] }).stdout;
  const folder = place.path('.git/objects/pack');
  rmSync(folder, { recursive: true });
  return pack;
}
