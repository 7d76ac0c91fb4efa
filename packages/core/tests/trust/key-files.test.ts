import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openKeyFiles } from '../../src/trust/key-files.js';
import { signText, verifySignature } from '../../src/trust/signature.js';
import { countingRandom, keyOf } from './keys.js';

let home: string;
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-keys-'));
});
afterEach(() => {
  fs.chmodSync(home, 0o700);
  fs.rmSync(home, { recursive: true, force: true });
});

const folder = (...names: string[]) => path.join(home, 'savepoint', 'keys', ...names);
const modeOf = (file: string) => (fs.statSync(file).mode & 0o777).toString(8);
const open = () => openKeyFiles({ configHome: home });
const signerIn = async () => (await open().signingKey())?.signer;
const isRoot = os.userInfo().uid === 0;

describe('the first use', () => {
  it('makes a key that stays, private to the user', async () => {
    const ring = open();
    const key = await ring.signingKey();
    expect(ring.problem()).toBeUndefined();
    expect(await signerIn()).toBe(key?.signer);
    expect([modeOf(folder()), modeOf(folder('own.json'))]).toEqual(['700', '600']);
    expect(ring.location).toBe(folder('own.json'));
    expect(await ring.ownKeys()).toEqual([key?.signer]);
  });

  it('leaves nothing else behind', async () => {
    await open().signingKey();
    expect(fs.readdirSync(folder())).toEqual(['own.json']);
  });

  it('writes nothing before somebody needs the key', async () => {
    const ring = open();
    expect(await ring.ownKeys()).toEqual([]);
    expect((await ring.trustedKeys()).size).toBe(0);
    expect(fs.readdirSync(home)).toEqual([]);
  });

  it('signs what verifies', async () => {
    const key = await open().signingKey();
    if (key === undefined) throw new Error('there is no key');
    const id = 'a'.repeat(64);
    const signature = signText(key, 'savepoint.snapshot/1', id);
    expect(verifySignature({ signer: key.signer, format: 'savepoint.snapshot/1', id, signature })).toBe(true);
  });

  it('keeps the modes whatever the umask is', async () => {
    const before = process.umask(0);
    try {
      await open().signingKey();
    } finally {
      process.umask(before);
    }
    expect([modeOf(folder()), modeOf(folder('own.json'))]).toEqual(['700', '600']);
  });

  it('gives 50 processes at once one and the same key', async () => {
    const signers = new Set(await inProcesses(50, '(await ring.signingKey())?.signer ?? ring.problem()'));
    expect([...signers]).toEqual([expect.stringMatching(/^ed25519:[0-9a-f]{64}$/)]);
    expect(fs.readdirSync(folder())).toEqual(['own.json']);
  });
});

/** Evaluates an expression on a key ring in that many processes at the same moment; returns what each printed. */
async function inProcesses(count: number, expression: string): Promise<string[]> {
  const scripts = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-key-processes-'));
  try {
    const script = path.join(scripts, 'ring.mjs');
    await build({
      stdin: {
        contents: `import { openKeyFiles } from './key-files.ts';
          while (Date.now() < Number(process.argv[3])) {}
          const ring = openKeyFiles({ configHome: process.argv[2] });
          process.stdout.write(${expression});`,
        resolveDir: path.join(import.meta.dirname, '../../src/trust'),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const start = String(Date.now() + 500 + 20 * count);
    return await Promise.all(Array.from({ length: count }, () => run(script, [home, start])));
  } finally {
    fs.rmSync(scripts, { recursive: true });
  }
}

function run(script: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: {} });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
    child.on('error', reject);
    child.on('close', () => {
      resolve(output);
    });
  });
}

describe('a key that cannot be used', () => {
  const expectProblem = async (problem: RegExp) => {
    const ring = open();
    expect(await ring.signingKey()).toBeUndefined();
    expect(ring.problem()).toMatch(problem);
  };

  it.each(['0640', '0604', '0660', '0644', '0666', '0620'])(
    'because its mode is %s is named, and not repaired',
    async (mode) => {
      await open().signingKey();
      fs.chmodSync(folder('own.json'), Number.parseInt(mode, 8));
      await expectProblem(new RegExp(`mode ${mode}`));
      expect(modeOf(folder('own.json'))).toBe(mode.slice(1));
    },
  );

  it('is usable again once it is private again', async () => {
    const ring = open();
    const key = await ring.signingKey();
    fs.chmodSync(folder('own.json'), 0o644);
    expect(await ring.signingKey()).toBeUndefined();
    fs.chmodSync(folder('own.json'), 0o600);
    expect((await ring.signingKey())?.signer).toBe(key?.signer);
    expect(ring.problem()).toBeUndefined();
  });

  it.each<[string, string]>([
    ['empty', ''],
    ['garbage', '\0\xff'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['a short seed', JSON.stringify({ algorithm: 'ed25519', seed: '1', signer: keyOf('1').signer })],
    ['another algorithm', JSON.stringify({ algorithm: 'rsa', seed: '1'.repeat(64), signer: keyOf('1').signer })],
    [
      'a seed of another key',
      JSON.stringify({ algorithm: 'ed25519', seed: '2'.repeat(64), signer: keyOf('1').signer }),
    ],
  ])('because it is %s is named, and left alone', async (_, content) => {
    fs.mkdirSync(folder(), { recursive: true });
    fs.writeFileSync(folder('own.json'), content, { mode: 0o600 });
    await expectProblem(/does not hold a signing key/);
    expect(fs.readFileSync(folder('own.json'), 'utf8')).toBe(Buffer.from(content).toString('utf8'));
    // Whose it is to be can be told even of a seed that does not fit.
    expect(await open().ownKeys()).toEqual(content.includes('2222') ? [keyOf('1').signer] : []);
  });

  it('because it is a directory is named', async () => {
    fs.mkdirSync(folder('own.json'), { recursive: true });
    await expectProblem(/cannot be used/);
  });

  it('because a file stands where the folder should be is named', async () => {
    fs.writeFileSync(path.join(home, 'savepoint'), '');
    await expectProblem(/cannot be used \((ENOTDIR|EEXIST)\)/);
  });

  it.skipIf(isRoot)('because it may not be read is named', async () => {
    await open().signingKey();
    fs.chmodSync(folder('own.json'), 0);
    await expectProblem(/EACCES/);
  });

  it.skipIf(isRoot)('because the home is read-only is named', async () => {
    fs.chmodSync(home, 0o500);
    await expectProblem(/EACCES/);
  });

  it.each([undefined, '', 'relative/path'])(
    'because the home is %j is named, and nothing is written',
    async (configHome) => {
      const ring = openKeyFiles({ configHome });
      expect(await ring.signingKey()).toBeUndefined();
      expect(ring.problem()).toContain('no home directory');
      expect(await ring.ownKeys()).toEqual([]);
      expect(await ring.trustedKeys()).toEqual(new Map());
      await expect(ring.rotate()).rejects.toMatchObject({ code: 'keys_unwritable' });
      await expect(ring.trust(keyOf('1').signer, 'Ada')).rejects.toMatchObject({ code: 'keys_unwritable' });
    },
  );
});

describe('the secret of what is remembered', () => {
  const secret = (make = false) => open().memorySecret({ make });

  it('is made where there is a key and it is asked for, and stays', async () => {
    expect(await secret(true)).toBeUndefined();
    expect(fs.readdirSync(home)).toEqual([]);
    await open().signingKey();
    expect(await secret()).toBeUndefined();
    const made = await secret(true);
    expect(made).toHaveLength(32);
    expect([await secret(), await secret(true)]).toEqual([made, made]);
    expect(modeOf(folder('memory.key'))).toBe('600');
  });

  it.each([
    ['others can read', (file: string) => fs.chmodSync(file, 0o640)],
    ['is empty', (file: string) => fs.writeFileSync(file, '')],
    ['is no secret', (file: string) => fs.writeFileSync(file, 'a'.repeat(63))],
  ])('is not used where it %s, and left alone', async (_, damage) => {
    await open().signingKey();
    await secret(true);
    damage(folder('memory.key'));
    const before = fs.readFileSync(folder('memory.key'));
    expect([await secret(), await secret(true)]).toEqual([undefined, undefined]);
    expect(fs.readFileSync(folder('memory.key'))).toEqual(before);
  });
});

describe('rotate', () => {
  it('makes a new key and keeps the former one', async () => {
    const ring = open();
    const first = await ring.signingKey();
    const { former, current } = await ring.rotate();
    expect(former?.signer).toBe(first?.signer);
    expect(current.signer).not.toBe(first?.signer);
    expect((await ring.signingKey())?.signer).toBe(current.signer);
    expect(await open().ownKeys()).toEqual([current.signer, first?.signer]);
    expect(modeOf(folder('own.json'))).toBe('600');
    for (const name of fs.readdirSync(folder('former'))) expect(modeOf(folder('former', name))).toBe('600');
    expect(modeOf(folder('former'))).toBe('700');
  });

  it('hands out the former key once more, so that it can sign the rotation', async () => {
    const ring = open();
    await ring.signingKey();
    const { former } = await ring.rotate();
    expect(former?.sign(new Uint8Array(3))).toHaveLength(64);
  });

  it('announces the new key while the old one is still the present one', async () => {
    const ring = open();
    const first = await ring.signingKey();
    const { current } = await ring.rotate(async (rotation) => {
      expect(rotation.former?.signer).toBe(first?.signer);
      expect((await open().signingKey())?.signer).toBe(first?.signer);
    });
    expect((await open().signingKey())?.signer).toBe(current.signer);
  });

  it('that cannot be announced changes nothing', async () => {
    const ring = open();
    const first = await ring.signingKey();
    await expect(ring.rotate(() => Promise.reject(new Error('the store is full')))).rejects.toThrow('full');
    expect(await open().ownKeys()).toEqual([first?.signer]);
    expect((await ring.signingKey())?.signer).toBe(first?.signer);
  });

  it('leaves the former keys in the order in which they were replaced', async () => {
    const ring = open();
    const made = [(await ring.signingKey())?.signer];
    for (let hour = 1; hour <= 6; hour += 1) {
      fs.utimesSync(folder('own.json'), hour * 3600, hour * 3600);
      made.unshift((await ring.rotate()).current.signer);
      const name = `${(made[1] ?? '').slice('ed25519:'.length)}.json`;
      fs.utimesSync(folder('former', name), hour * 3600, hour * 3600);
    }
    expect(await open().ownKeys()).toEqual(made);
  });

  it('is noticed by a program that runs for long', async () => {
    const [one, other] = [open(), open()];
    await one.signingKey();
    const { current } = await other.rotate();
    expect((await one.signingKey())?.signer).toBe(current.signer);
  });

  it('works without a key before', async () => {
    const { former, current } = await open().rotate();
    expect(former).toBeUndefined();
    expect(await open().ownKeys()).toEqual([current.signer]);
  });

  it('replaces a key that cannot be used, and deletes nothing', async () => {
    const signer = await signerIn();
    fs.chmodSync(folder('own.json'), 0o644);
    const { former, current } = await open().rotate();
    expect(former).toBeUndefined();
    expect(await open().ownKeys()).toEqual([current.signer, signer]);

    fs.writeFileSync(folder('own.json'), 'garbage');
    const again = await open().rotate();
    expect((await open().ownKeys())[0]).toBe(again.current.signer);
    const kept = fs.readdirSync(folder('former')).map((name) => fs.readFileSync(folder('former', name), 'utf8'));
    expect(kept).toContain('garbage');
  });

  it('loses no key when two happen at once', async () => {
    const ring = open();
    const first = await ring.signingKey();
    const rotated = await Promise.all(Array.from({ length: 8 }, () => open().rotate()));
    const all = [first?.signer, ...rotated.map(({ current }) => current.signer)].sort();
    expect([...(await ring.ownKeys())].sort()).toEqual(all);
  });

  it('loses no key when processes do it at once', async () => {
    const first = await signerIn();
    const rotated = await inProcesses(12, '(await ring.rotate()).current.signer');
    expect(new Set(rotated).size).toBe(12);
    expect([...(await open().ownKeys())].sort()).toEqual([first, ...rotated].sort());
  });

  it('takes its randomness from the port', async () => {
    const ring = openKeyFiles({ configHome: home, random: countingRandom() });
    const key = await ring.signingKey();
    const { current } = await ring.rotate();
    const again = fs.mkdtempSync(path.join(home, 'again-'));
    const same = openKeyFiles({ configHome: again, random: countingRandom() });
    expect([(await same.signingKey())?.signer, (await same.rotate()).current.signer]).toEqual([
      key?.signer,
      current.signer,
    ]);
  });
});

describe('trust', () => {
  const [ada, bob] = [keyOf('2').signer, keyOf('3').signer];

  it('gives keys names, and replaces a name', async () => {
    await open().trust(bob, 'Bob');
    await open().trust(ada, 'Eve');
    await open().trust(ada, 'Ada');
    expect([...(await open().trustedKeys())].sort()).toEqual(
      [
        [ada, 'Ada'],
        [bob, 'Bob'],
      ].sort(),
    );
    const stored = JSON.parse(fs.readFileSync(folder('trusted.json'), 'utf8')) as { keys: { key: string }[] };
    expect(stored.keys.map(({ key }) => key)).toEqual([ada, bob].sort());
    expect(modeOf(folder('trusted.json'))).toBe('600');
    expect(fs.readdirSync(folder())).toEqual(['trusted.json']);
  });

  it.each(['', 'ada', `ed25519:${'0'.repeat(64)}`, `ed25519:01${'0'.repeat(62)}`, bob.toUpperCase()])(
    'refuses %j as a key',
    async (key) => {
      await expect(open().trust(key, 'Ada')).rejects.toMatchObject({ code: 'key_malformed', kind: 'usage' });
      expect(fs.readdirSync(home)).toEqual([]);
    },
  );

  it.each(['', '{', '[]', '{"keys":1}', '{"keys":[{}]}', '{"keys":[{"key":"x","name":"Ada"}]}', '{"keys":[null]}'])(
    'says so when the file holds %j, and does not overwrite it',
    async (content) => {
      fs.mkdirSync(folder(), { recursive: true });
      fs.writeFileSync(folder('trusted.json'), content);
      await expect(open().trustedKeys()).rejects.toMatchObject({ code: 'settings_unreadable' });
      await expect(open().trust(ada, 'Ada')).rejects.toMatchObject({ code: 'settings_unreadable' });
      expect(fs.readFileSync(folder('trusted.json'), 'utf8')).toBe(content);
    },
  );

  it('says so when nothing can be written', async () => {
    fs.writeFileSync(path.join(home, 'savepoint'), '');
    await expect(open().trust(ada, 'Ada')).rejects.toMatchObject({ code: 'keys_unwritable' });
    await expect(open().rotate()).rejects.toMatchObject({ code: 'keys_unwritable' });
  });
});
