import { describe, expect, test } from 'vitest';
import { contextError } from '../../src/base/errors.js';
import { configGet, configList, configSet, configUnset, type SettingsFiles } from '../../src/ops/config.js';
import { keyRevoke, keyRotate, keyShow, keyTrust } from '../../src/ops/key.js';
import { list } from '../../src/ops/read/list.js';
import { status } from '../../src/ops/read/status.js';
import { appendFact, readFacts } from '../../src/timeline/facts.js';
import { addChain, addSnapshot, makeKey, makeWorld, MANUAL, OTHER, REPOSITORY, type World } from '../timeline/world.js';

const request = (world: World) => ({ keys: world.keys, repository: world.repository });
const verdicts = async (world: World) =>
  (await list({ repository: world.repository })).snapshots.map(({ verdict }) => verdict);
const facts = async (world: World) => (await readFacts(world.store, REPOSITORY)).facts.map(({ body }) => body);

describe('key', () => {
  test('trust gives a name here and as a signed fact', async () => {
    const world = makeWorld();
    const { signer } = makeKey();
    const shown = await keyTrust({ ...request(world), name: 'Ada', key: signer.slice('ed25519:'.length) });
    expect(shown.trusted).toEqual([{ name: 'Ada', key: signer }]);
    expect(await facts(world)).toMatchObject([{ sequence: 1, content: { kind: 'trust', key: signer, name: 'Ada' } }]);
  });

  test('trust refuses what is no key, keys of small order and names that a terminal would obey', async () => {
    const world = makeWorld();
    for (const key of ['', 'abc', `ed25519:${'0'.repeat(64)}`, `ed25519:01${'0'.repeat(62)}`]) {
      await expect(keyTrust({ ...request(world), name: 'x', key })).rejects.toMatchObject({ code: 'key_malformed' });
    }
    for (const name of ['', ' ', 'a\u001b[2J', 'x'.repeat(300)]) {
      const trust = keyTrust({ ...request(world), name, key: makeKey().signer });
      await expect(trust).rejects.toMatchObject({ code: 'argument_malformed' });
    }
    expect(await facts(world)).toEqual([]);
  });

  test('trust changes nothing where the store cannot take the fact', async () => {
    const world = makeWorld();
    const full = contextError('disk_full', { directory: '/project/.git' });
    Object.assign(world.repository, { enrol: () => Promise.reject(full) });
    const trust = keyTrust({ ...request(world), name: 'Ada', key: makeKey().signer });
    await expect(trust).rejects.toMatchObject({ code: 'disk_full' });
    expect(world.keys.named.size).toBe(0);
  });

  test('rotate is signed by the old key, and what it signed stays valid', async () => {
    const world = makeWorld();
    const old = world.keys.present?.signer;
    await addSnapshot(world);
    const shown = await keyRotate(request(world));
    await addSnapshot(world);
    expect(shown.former).toEqual([old]);
    expect(await facts(world)).toMatchObject([{ signer: old, content: { kind: 'rotate', key: shown.signer } }]);
    expect(await verdicts(world)).toEqual(['valid', 'valid']);
  });

  test("a colleague's rotated key keeps the name", async () => {
    const [mine, theirs] = [makeWorld(), makeWorld()];
    const shared = Object.assign(theirs.repository, { store: mine.store, local: mine.local });
    await keyTrust({ ...request(mine), name: 'Ada', key: theirs.keys.present?.signer ?? '' });
    await keyRotate({ keys: theirs.keys, repository: shared });
    await addSnapshot(mine, theirs.keys.present === undefined ? {} : { key: theirs.keys.present });
    expect(await verdicts(mine)).toEqual(['valid']);
  });

  test('rotate without a usable key is refused, unless it is lost', async () => {
    const world = makeWorld();
    world.keys.present = undefined;
    await expect(keyRotate(request(world))).rejects.toMatchObject({ code: 'key_unusable' });
    expect((await keyRotate({ ...request(world), lost: true })).signer).toBeDefined();
    expect(await facts(world)).toEqual([]);
  });

  test('rotate changes nothing where the store cannot take the fact', async () => {
    const world = makeWorld();
    const { present } = world.keys;
    await addSnapshot(world);
    const full = contextError('disk_full', { directory: '/project/.git' });
    Object.assign(world.repository, { enrol: () => Promise.reject(full) });
    await expect(keyRotate(request(world))).rejects.toMatchObject({ code: 'disk_full' });
    expect([world.keys.present, world.keys.formers]).toEqual([present, []]);
  });

  test('rotate changes nothing where the names of keys cannot be read', async () => {
    const world = makeWorld();
    const { present } = world.keys;
    world.keys.trustedKeys = () => Promise.reject(contextError('settings_unreadable', { path: 'x', reason: 'torn' }));
    await expect(keyRotate(request(world))).rejects.toMatchObject({ code: 'settings_unreadable' });
    expect(world.keys.present).toBe(present);
    expect(await facts(world)).toEqual([]);
  });

  test('revoke spares what the key signed until now where one says so, and nothing that comes later', async () => {
    const world = makeWorld();
    const stolen = world.keys.present ?? makeKey();
    const manual = await addChain(world, 3);
    const other = await addChain(world, 2, { timeline: OTHER });
    await world.keys.rotate();
    await addSnapshot(world);
    const shown = await keyRevoke({ ...request(world), key: stolen.signer, untilNow: true, reason: 'laptop lost' });
    expect(shown.revoked).toEqual([
      { key: stolen.signer, lastGood: [manual[2]?.id, other[1]?.id].sort(), reason: 'laptop lost' },
    ]);
    await addSnapshot(world, { key: stolen });
    expect(await verdicts(world)).toEqual(['revoked', 'valid', 'valid', 'valid', 'valid']);
  });

  test('revoke takes any selector for the last good snapshot, and the name of a key', async () => {
    const world = makeWorld();
    const ada = makeKey();
    await keyTrust({ ...request(world), name: 'Ada', key: ada.signer });
    const mine = await addChain(world, 2);
    const hers = await addSnapshot(world, { key: ada });
    await addSnapshot(world, { key: ada });
    const lastGood = ['seq:1', hers.id.slice(0, 12)];
    const { revoked } = await keyRevoke({ ...request(world), key: 'Ada', lastGood });
    expect(revoked).toMatchObject([{ key: ada.signer, lastGood: [mine[0]?.id, hers.id].sort() }]);
    expect(await verdicts(world)).toEqual(['revoked', 'valid', 'valid', 'valid']);
  });

  test('revoke spares nothing where nobody says what was good', async () => {
    const world = makeWorld();
    const stolen = world.keys.present?.signer ?? '';
    await addChain(world, 2);
    await keyRotate(request(world));
    await keyRevoke({ ...request(world), key: stolen });
    expect(await verdicts(world)).toEqual(['revoked', 'revoked']);
  });

  test('a secret in a name or a reason is removed before it is signed', async () => {
    const world = makeWorld();
    const [key, secret] = [makeKey().signer, `ghp_${'aB3dE5fG7h'.repeat(3)}aB3dE5`];
    await keyTrust({ ...request(world), name: `Ada ${secret}`, key });
    await keyRevoke({ ...request(world), key, reason: `${secret} was on the laptop` });
    expect(JSON.stringify([await facts(world), await keyShow(request(world)), [...world.keys.named]])).not.toContain(
      secret,
    );
    expect(await facts(world)).toMatchObject([
      { content: { name: 'Ada [REDACTED:github-token]' } },
      { content: { reason: '[REDACTED:github-token] was on the laptop' } },
    ]);
  });

  test('a name of two keys revokes neither', async () => {
    const world = makeWorld();
    for (const { signer: key } of [makeKey(), makeKey()]) await keyTrust({ ...request(world), name: 'Ada', key });
    await expect(keyRevoke({ ...request(world), key: 'Ada' })).rejects.toMatchObject({ code: 'key_malformed' });
    expect((await keyShow(request(world))).revoked).toEqual([]);
  });

  test("somebody else's revocation of one's own key does not count, and is not shown as one", async () => {
    const [mine, theirs] = [makeWorld(), makeWorld()];
    const shared = Object.assign(theirs.repository, { store: mine.store, local: mine.local });
    const key = mine.keys.present?.signer ?? '';
    expect((await keyRevoke({ keys: theirs.keys, repository: shared, key })).revoked).toMatchObject([{ key }]);
    expect((await keyShow(request(mine))).revoked).toEqual([]);
  });

  test('status warns of signing with a revoked key, until it is rotated', async () => {
    const world = makeWorld();
    const codes = async () => (await status({ repository: world.repository })).warnings.map(({ code }) => code);
    await addSnapshot(world);
    expect(await codes()).toEqual([]);
    await keyRevoke({ ...request(world), key: world.keys.present?.signer ?? '' });
    expect(await codes()).toEqual(['key_revoked']);
    await keyRotate(request(world));
    expect(await codes()).toEqual([]);
  });

  test('revoke without a repository, without a key or with a last good snapshot that is not here is refused', async () => {
    const world = makeWorld();
    const key = makeKey().signer;
    await expect(keyRevoke({ keys: world.keys, key })).rejects.toMatchObject({ kind: 'usage' });
    await addSnapshot(world);
    await expect(keyRevoke({ ...request(world), key, lastGood: ['f'.repeat(64)] })).rejects.toMatchObject({
      code: 'snapshot_not_found',
    });
    world.keys.present = undefined;
    await expect(keyRevoke({ ...request(world), key })).rejects.toMatchObject({ code: 'key_unusable' });
  });

  test('show works outside a repository', async () => {
    const { keys } = makeWorld();
    expect(await keyShow({ keys })).toMatchObject({
      signer: keys.present?.signer,
      former: [],
      trusted: [],
      revoked: [],
    });
  });
});

describe('facts', () => {
  const writer = (world: World) => {
    const { store, replica, clock } = world.repository;
    return { store, key: world.keys.present ?? makeKey(), repository: REPOSITORY, replica, clock };
  };

  test('written at the same time all arrive, in one chain', async () => {
    const world = makeWorld();
    const [snapshot] = await addChain(world, 1);
    const names = Array.from({ length: 10 }, (_, n) => `name ${String(n)}`);
    await Promise.all(
      names.map((name) => appendFact(writer(world), { kind: 'name', snapshot: snapshot?.id ?? '', name })),
    );
    const bodies = await facts(world);
    expect(bodies.map(({ sequence }) => sequence)).toEqual(names.map((_, n) => n + 1));
    expect(bodies[0]?.seen).toEqual([{ timeline: MANUAL, sequence: 1, id: snapshot?.id }]);
    expect(new Set(bodies.map(({ content }) => (content.kind === 'name' ? content.name : '')))).toEqual(new Set(names));
  });

  test('of another repository, writer or chain are problems and are not believed', async () => {
    const world = makeWorld();
    const [snapshot] = await addChain(world, 1);
    const content = { kind: 'pin', snapshot: snapshot?.id ?? '' } as const;
    const first = await appendFact(writer(world), content);
    const second = await appendFact(writer(world), content);
    const { refs } = world.store.backing;
    const ref = [...refs.keys()].find((name) => name.startsWith('facts/')) ?? '';
    expect((await readFacts(world.store, 'f'.repeat(32))).problems).toHaveLength(2);
    refs.set(`facts/${'0'.repeat(12)}/${'1'.repeat(32)}`, second.commit);
    const copied = await readFacts(world.store, REPOSITORY);
    expect([copied.facts.length, copied.problems.length]).toEqual([2, 2]);
    refs.delete(`facts/${'0'.repeat(12)}/${'1'.repeat(32)}`);
    world.store.backing.objects.delete(first.commit);
    const broken = await readFacts(world.store, REPOSITORY);
    expect(broken.facts.map(({ id }) => id)).toEqual([second.id]);
    expect(broken.problems).toHaveLength(1);
    refs.set(ref, first.commit);
  });
});

describe('config', () => {
  function settingsFiles(layers: Record<string, Record<string, unknown>>): SettingsFiles & { layers: typeof layers } {
    return {
      layers,
      load: (layer) => Promise.resolve(layers[layer]),
      save: (layer, value) => Promise.resolve(void (layers[layer] = { ...value })),
      path: (layer) => `/settings/${layer}.json`,
    };
  }

  test('local wins over project over user over the default, field by field', async () => {
    const files = settingsFiles({
      user: { 'capture.maxFileBytes': 1, 'capture.maxNewBytes': 1, later: true },
      project: { capture: { maxNewBytes: 2 } },
      local: { 'capture.transcript': false },
    });
    const { settings, unknown } = await configList({ files });
    expect(settings.map(({ key, value, layer }) => [key, value, layer])).toEqual([
      ['capture.maxFileBytes', 1, 'user'],
      ['capture.maxNewBytes', 2, 'project'],
      ['capture.directoryCache', true, 'default'],
      ['capture.transcript', false, 'local'],
      ['ledger.prices', '', 'default'],
    ]);
    expect(unknown).toEqual([{ key: 'later', path: '/settings/user.json' }]);
  });

  test('set reads sizes and switches, keeps what it does not know, and unset takes it back', async () => {
    const files = settingsFiles({ user: { capture: { maxFileBytes: 1, later: 'kept' } } });
    expect(await configSet({ files, key: 'capture.maxFileBytes', value: '50MiB' })).toMatchObject({
      value: 52_428_800,
      layer: 'user',
    });
    expect(files.layers['user']).toEqual({ capture: { later: 'kept' }, 'capture.maxFileBytes': 52_428_800 });
    await configSet({ files, key: 'capture.transcript', value: 'off', layer: 'local' });
    expect(await configGet({ files, key: 'capture.transcript' })).toMatchObject({ value: false, layer: 'local' });
    expect(await configUnset({ files, key: 'capture.maxFileBytes' })).toMatchObject({ layer: 'default' });
    expect(files.layers['user']).toEqual({ capture: { later: 'kept' } });
  });

  test('what only the user may choose is set there alone, and passed over where a repository has it', async () => {
    const files = settingsFiles({ project: { 'ledger.prices': '/tmp/cheap.json' } });
    const key = 'ledger.prices';
    expect(await configGet({ files, key })).toMatchObject({ value: '', layer: 'default' });
    expect((await configList({ files })).refused).toEqual([{ key, path: '/settings/project.json' }]);
    for (const layer of ['project', 'local'] as const)
      await expect(configSet({ files, key, value: '/p.json', layer })).rejects.toMatchObject({
        code: 'setting_malformed',
      });
    await expect(configSet({ files, key, value: 'p.json' })).rejects.toMatchObject({ code: 'setting_malformed' });
    expect(await configSet({ files, key, value: '/p.json' })).toMatchObject({ value: '/p.json', layer: 'user' });
  });

  test('what is no setting or no value of its type is refused and changes nothing', async () => {
    const files = settingsFiles({});
    await expect(configSet({ files, key: 'nope', value: '1' })).rejects.toMatchObject({ code: 'unknown_setting' });
    await expect(configGet({ files, key: 'toString' })).rejects.toMatchObject({ code: 'unknown_setting' });
    for (const [key, value] of [
      ['capture.maxFileBytes', 'many'],
      ['capture.maxFileBytes', '-1'],
      ['capture.transcript', 'maybe'],
    ] as const) {
      await expect(configSet({ files, key, value })).rejects.toMatchObject({ code: 'setting_malformed' });
    }
    expect(files.layers).toEqual({});
    const wrong = settingsFiles({ user: { 'capture.maxFileBytes': 'big' } });
    await expect(configList({ files: wrong })).rejects.toMatchObject({ code: 'setting_malformed' });
  });
});
