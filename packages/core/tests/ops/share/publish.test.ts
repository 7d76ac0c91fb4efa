/** What leaves, what stays, and what refuses to leave at all. */
import { beforeEach, describe, expect, test } from 'vitest';
import { makeKey, addSnapshot, addChain, makeWorld, testKeys, type World } from '../../timeline/world.js';
import { contentOf, filesOf, publishBytes, storeText } from '../../timeline/bundle/bundles.js';
import { planPublish } from '../../../src/timeline/publish/plan.js';
import { resolveSelector } from '../../../src/timeline/select/select.js';
import { viewOf } from '../../../src/ops/repository/view-of.js';
import { SEARCH } from '../../../src/timeline/publish/gate.js';
import type { SnapshotBody } from '../../../src/model/snapshot.js';
import { publish } from '../../../src/ops/share/publish.js';
import { shelvedPlaces } from '../../../src/timeline/shelf/shelf.js';
import { listFolder } from '../../../src/timeline/snapshot/folders.js';

// Put together here, so that this repository itself holds no secret.
const SECRET = ['ghp_', 'a8Fk2LmQ9xZr4TvB7nYc1DwE6hJs3Gu5PoXi'].join('');
const LOG = 'transcript/s1/00/00/';

let world: World;
beforeEach(() => {
  world = makeWorld();
});

async function publishedPaths(): Promise<readonly string[]> {
  const [place] = await shelvedPlaces(world.store, 'published/');
  return (await listFolder((id) => world.store.tree(id), place?.tree)).map(({ path }) => path);
}

describe('publish', () => {
  test('writes everything but the worktree and what is staged, and the same bytes each time', async () => {
    await addChain(world, 2);
    const { bytes, result } = await publishBytes(world);
    const paths = filesOf(bytes).map(({ path }) => path.slice(path.indexOf('/') + 1));
    expect(paths).toEqual([
      'bundle.json',
      'snapshot.json',
      'signature.json',
      'content/.manifest',
      expect.stringMatching(/^content\/[0-9a-f]{2}\/\.manifest$/),
      expect.stringMatching(/^content\/[0-9a-f]{2}\/[0-9a-f]{38}$/),
      'filesystem.json',
      'transcript/.manifest',
      'transcript/s1/.manifest',
      'transcript/s1/00/.manifest',
      'transcript/s1/00/00/.manifest',
      `${LOG}00.json`,
      `${LOG}00.jsonl`,
      `${LOG}01.json`,
      `${LOG}01.jsonl`,
      'transcript/s1/source.json',
    ]);
    expect(bytes.length).toBe(result.bytes);
    expect(bytes.includes('version 2')).toBe(false);
    expect(bytes.includes('a.txt')).toBe(false);
    expect((await publishBytes(world)).bytes.equals(bytes)).toBe(true);
    expect(result.withheld.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
      'index: by_name_only',
      'worktree: by_name_only',
    ]);
  });

  test('keeps under a ref what left, and publishing more only adds', async () => {
    await addChain(world, 1);
    await publishBytes(world, { slices: ['filesystem'] });
    expect(await publishedPaths()).toEqual(['filesystem.json', 'signature.json', 'snapshot.json']);
    const { result } = await publishBytes(world, { slices: ['transcript'], files: ['d/b.txt'] });
    expect(result.added).toBeGreaterThan(3);
    const paths = await publishedPaths();
    expect(paths).toContain('filesystem.json');
    expect(paths).toContain('worktree/d/b.txt');
    const [ref] = await world.store.refs('published/');
    expect((await publishBytes(world, { slices: ['transcript'] })).result.added).toBe(0);
    expect(await world.store.refs('published/')).toEqual([ref]);
  });

  test('--dry-run lists exactly what would leave, and neither writes nor records anything', async () => {
    await addChain(world, 1);
    const before = storeText(world);
    const request = { repository: world.repository, files: ['a.txt'] };
    const planned = await publish({ ...request, dryRun: true });
    expect(storeText(world)).toBe(before);
    const { result } = await publishBytes(world, { files: ['a.txt'] });
    expect(result.files).toEqual(planned.files);
    expect(result.withheld).toEqual(planned.withheld);
    expect(result.bytes).toBe(planned.bytes);
  });

  test('sends named files of the worktree with their modes, and nothing beside them but names', async () => {
    await addSnapshot(world, {
      files: { 'src/run.sh': '#!/bin/sh\n', 'src/other.txt': 'stays here\n' },
      modes: { 'src/run.sh': '100755' },
    });
    const { bytes } = await publishBytes(world, { files: ['src/run.sh'] });
    expect(bytes.includes('#!/bin/sh')).toBe(true);
    expect(bytes.includes('stays here')).toBe(false);
    // The tree that proves the one names the other.
    expect(bytes.includes('other.txt')).toBe(true);
  });

  test.each([
    ['a link', { files: ['link'] }, 'path_refused'],
    ['a file that is not there', { files: ['nowhere.txt'] }, 'path_not_found'],
    ['a file that was left out', { files: ['build/big.bin'] }, 'path_left_out'],
    ['a path out of it', { files: ['../a.txt'] }, 'path_refused'],
    ['the worktree as a slice', { slices: ['worktree'] }, 'bundle_impossible'],
    ['what is staged as a slice', { slices: ['index'] }, 'bundle_impossible'],
    ['a slice that it does not have', { slices: ['ledger'] }, 'slice_not_found'],
    ['another format', { format: 'zip' }, 'argument_malformed'],
  ])('refuses %s, and nothing leaves', async (_, request, code) => {
    const files = { 'a.txt': 'x', link: 'a.txt' };
    const filesystem = { ignored: [{ path: 'build/' }] };
    await addSnapshot(world, { files, modes: { link: '120000' }, staged: { b: 'y' }, filesystem });
    const before = storeText(world);
    await expect(publishBytes(world, request)).rejects.toMatchObject({ code });
    expect(storeText(world)).toBe(before);
  });

  test('refuses a snapshot that nobody signed, and one whose signature does not hold', async () => {
    await addSnapshot(world, { key: null });
    await expect(publishBytes(world)).rejects.toMatchObject({ code: 'bundle_impossible' });
    await addSnapshot(world, { body: { signer: makeKey().signer } });
    await expect(publishBytes(world)).rejects.toMatchObject({ code: 'signature_broken' });
  });

  test('refuses to publish what the store holds otherwise than it was signed', async () => {
    await addSnapshot(world, {
      body: { slices: [{ name: 'filesystem', algorithm: 'blake3', digest: 'ab'.repeat(32), bytes: 1, parts: 1 }] },
    });
    await expect(publishBytes(world)).rejects.toMatchObject({ code: 'digest_mismatch' });
  });

  test('takes nothing back that it could not give: a file that cannot be written records nothing', async () => {
    await addChain(world, 1);
    const before = storeText(world);
    const failing = () => ({
      write: () => Promise.reject(new Error('disk full')),
      finish: () => Promise.resolve(),
      discard: () => Promise.resolve(),
    });
    await expect(publishBytes(world, { output: failing })).rejects.toThrow('disk full');
    expect(storeText(world)).toBe(before);
  });
});

describe('the gate', () => {
  test('keeps a part with a secret here as a whole, and says which', async () => {
    await addSnapshot(world, { transcript: ['{"line":0}\n', `{"text":"my token is ${SECRET}"}\n`, '{"line":2}\n'] });
    const { bytes, result } = await publishBytes(world);
    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.includes('my token is')).toBe(false);
    expect(bytes.includes('"line":2')).toBe(true);
    expect(result.secrets).toBe(1);
    expect(result.withheld).toContainEqual({
      path: `${LOG}01.jsonl`,
      reason: 'secret',
      kind: 'github-token',
      bytes: 64,
    });
    expect(JSON.stringify(result)).not.toContain(SECRET);
    const index = JSON.parse(contentOf(filesOf(bytes), 'bundle.json').toString()) as {
      snapshots: { withheld: string[] }[];
    };
    expect(index.snapshots[0]?.withheld).toEqual([`${LOG}01.jsonl`]);
    expect(await publishedPaths()).toContain('withheld.json');
  });

  test('sees a secret that is cut by the border of two parts, and keeps both', async () => {
    const line = `{"text":"my token is ${SECRET}"}\n`;
    await addSnapshot(world, { transcript: ['{"line":0}\n', line.slice(0, 40), line.slice(40), '{"line":3}\n'] });
    const { result } = await publishBytes(world);
    expect(result.withheld.filter(({ reason }) => reason === 'secret').map(({ path }) => path)).toEqual([
      `${LOG}01.jsonl`,
      `${LOG}02.jsonl`,
    ]);
  });

  test('does not take the marks of an earlier redaction for secrets', async () => {
    await addSnapshot(world, {
      transcript: ['{"text":"my token is [REDACTED:github-token]"}\n'],
      body: { message: 'with [REDACTED:aws-key]' },
    });
    expect((await publishBytes(world)).result.secrets).toBe(0);
  });

  test('finds no secret in the ids, digests and signatures of an ordinary snapshot', async () => {
    const chain = await addChain(world, 3);
    await addSnapshot(world, {
      body: {
        origin: { kind: 'rewind', from: chain[0]?.id ?? '', operation: '6b0f2d4c8e1a3957b2d4f60718293a4b' },
        seen: [{ timeline: '7c'.repeat(16), sequence: 3, id: chain[1]?.id ?? '' }],
        session: { agent: 'claude-code', id: 'b9f7c2e0-1d5a-4f0e-9a51-5f1d0c8b7a66' },
        anchor: {
          commit: '4982476d47ff625e25e4a405ff90b7780e98e581',
          branch: 'main',
          dirty: true,
          objectFormat: 'sha1',
        },
      },
    });
    expect((await publishBytes(world)).result.secrets).toBe(0);
  });

  test.each([
    ['message', { message: `use ${SECRET}` }],
    ['tags[0]', { tags: [SECRET] }],
    ['anchor.branch', { anchor: { branch: SECRET, dirty: false, objectFormat: 'sha1' as const } }],
    ['session.id', { session: { agent: 'claude-code', id: SECRET } }],
    ['boundaries[0].path', { boundaries: [{ path: SECRET, kind: 'special' as const }] }],
    ['later.words', { later: { words: SECRET } }],
  ])('refuses a secret in %s of the body, and names the place and the kind only', async (place, body) => {
    await addSnapshot(world, { body: body as Partial<SnapshotBody> });
    const before = storeText(world);
    const error = await publishBytes(world).then(
      () => undefined,
      (reason: unknown) => reason as { code: string; data: unknown; message: string },
    );
    expect(error).toMatchObject({ code: 'secret_found', kind: 'refused', data: { place, secret: 'github-token' } });
    expect(JSON.stringify([error?.message, error?.data])).not.toContain(SECRET);
    expect(storeText(world)).toBe(before);
  });

  test('keeps a file of the worktree here that has a secret in it, or beside a name that is one', async () => {
    await addSnapshot(world, {
      files: { 'a.txt': 'fine\n', 'b.env': `TOKEN=${SECRET}\n`, [`d/${SECRET}`]: 'x', 'd/e.txt': 'y' },
    });
    const { bytes, result } = await publishBytes(world, { files: ['a.txt', 'b.env', 'd/e.txt'] });
    expect(bytes.includes(SECRET)).toBe(false);
    expect(result.withheld.filter(({ reason }) => reason === 'secret').map(({ path }) => path)).toEqual([
      'worktree/b.env',
      'worktree/d/e.txt',
    ]);
    expect(result.files.map(({ path }) => path)).toContain('worktree/a.txt');
  });

  test('keeps worktree bytes here that lie in content/', async () => {
    const { id } = await addSnapshot(world, { content: ['in conflict', 'of an item'] });
    void id;
    const blobs = (await publishBytes(world, { dryRun: true })).result.files.filter(({ slice }) => slice === 'content');
    expect(blobs).toHaveLength(2);
    const [first = { path: '' }] = blobs;
    const blob = first.path.replace('content/', '').replace('/', '');
    await addSnapshot(world, {
      content: ['in conflict', 'of an item'],
      filesystem: { diverted: [{ path: '.gitmodules', type: 'link', mode: '0777', blob }] },
    });
    const { result } = await publishBytes(world);
    expect(result.withheld).toContainEqual(expect.objectContaining({ path: first.path, reason: 'worktree_content' }));
  });

  test('lets nothing leave when the search itself fails, and does not repeat what it was looking at', async () => {
    await addSnapshot(world, { transcript: [`{"text":"${SECRET}"}\n`] });
    const { snapshot } = await resolveSelector(viewOf(world.repository), 'head');
    const line = (bytes: Uint8Array) => {
      throw new TypeError(`cannot read ${Buffer.from(bytes).toString()}`);
    };
    const error = await planPublish({ store: world.store, snapshot, files: [], search: { ...SEARCH, line } }).catch(
      String,
    );
    expect(error).toContain('could not be searched');
    expect(error).not.toContain(SECRET);
  });
});

test('two users with the same snapshot publish the same bytes, in either order of slices', async () => {
  await addChain(world, 2);
  const { bytes } = await publishBytes(world, { slices: ['transcript', 'filesystem'] });
  const elsewhere = { ...world, repository: { ...world.repository, replica: 'f'.repeat(32), keys: testKeys() } };
  expect((await publishBytes(elsewhere, { slices: ['filesystem', 'transcript'] })).bytes.equals(bytes)).toBe(true);
});
