/**
 * Changes bundles as somebody would who knows how they are made. The law: what is refused has changed nothing, and what is
 * taken in is, written again, byte for byte what was given; so there is no second spelling and no place to hide a byte.
 */
import { BLOCK_BYTES } from '../../../src/format/ustar.js';
import { addSnapshot, makeKey, makeWorld, testKeys, type World } from '../world.js';
import {
  archiveOf,
  filesOf,
  keptBundle,
  oddHeader,
  publishBytes,
  refusalBy,
  withIndex,
  type ArchiveFile,
} from './bundles.js';

export interface Campaign {
  readonly count: number;
  readonly seed: number;
  readonly progress?: (done: number) => void;
}

export interface CampaignResult {
  readonly mutations: number;
  readonly refused: number;
  /** Those that left something out and said so: a bundle of less. */
  readonly taken: number;
  readonly codes: Readonly<Record<string, number>>;
}

/** A small bundle with every kind of entry, made by another user. */
export async function sampleBundle(): Promise<Buffer> {
  const world = makeWorld('sha1', testKeys(makeKey()));
  await addSnapshot(world, { body: { message: 'before' } });
  await addSnapshot(world, {
    files: { 'a.txt': 'one\n', 'd/b.txt': 'two\n', 'd/run.sh': '#!/bin/sh\n', 'other.txt': 'stays here\n' },
    modes: { 'd/run.sh': '100755' },
    transcript: ['{"line":0}\n', '{"line":1}\n'],
    content: ['a blob of an item'],
    body: { message: 'to be published', tags: ['safe'] },
  });
  return (await publishBytes(world, { files: ['d/b.txt', 'd/run.sh'] })).bytes;
}

/** Another user's world, where a bundle comes in. */
export function receiver(): World {
  return makeWorld('sha1', testKeys(makeKey()));
}

/** Runs the campaign; throws with the seed and the kind at the first mutation that breaks the law. */
export async function runMutations({ count, seed, progress }: Campaign): Promise<CampaignResult> {
  const original = await sampleBundle();
  const files = filesOf(original);
  const codes: Record<string, number> = {};
  let [refused, taken] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const random = randomness(seed + at);
    const [kind, mutate] = random.pick(MUTATIONS);
    const bytes = mutate({ original, files, random });
    if (bytes.equals(original)) continue;
    const world = receiver();
    const where = `mutation ${String(at)} (${kind}) of seed ${String(seed)}`;
    const error = await refusalBy(world, bytes, { again: random.below(2) === 0, piece: 1 + random.below(2000) });
    if (error === undefined) {
      taken += 1;
      const id = (JSON.parse(files[0]?.content.toString('utf8') ?? '') as { snapshots: { id: string }[] }).snapshots[0]
        ?.id;
      const kept = await keptBundle(world, id ?? '');
      if (!kept.equals(bytes)) throw new Error(`${where} was taken in and is something else now`);
    } else {
      refused += 1;
      const verdict = typeof error.data['verdict'] === 'string' ? error.data['verdict'] : error.code;
      if (error.kind !== 'corrupt' && error.kind !== 'too_new') throw new Error(`${where}: ${error.message}`);
      codes[verdict] = (codes[verdict] ?? 0) + 1;
    }
    if (at % 500 === 499) progress?.(at + 1);
  }
  return { mutations: refused + taken, refused, taken, codes };
}

interface Subject {
  readonly original: Buffer;
  readonly files: readonly ArchiveFile[];
  readonly random: Randomness;
}

interface Randomness {
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
}

// mulberry32
function randomness(seed: number): Randomness {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  next();
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (values) => values[below(values.length)] as never };
}

const EVIL_NAMES = [
  ...[
    '../x',
    '/etc/passwd',
    '.git/config',
    '.GIT/hooks/post-checkout',
    'a/../../b',
    'x:stream',
    'con',
    'C:\\x',
    'a\\b',
  ],
  ...[
    '.g\u200cit/config',
    'trail.',
    'trail ',
    '',
    '.',
    '..',
    'a//b',
    'nul\0byte',
    'esc\u001b[31m',
    'new\nline',
    '.manifest',
  ],
];

type Mutation = (subject: Subject) => Buffer;

/** Files with one of them changed. */
function change(files: readonly ArchiveFile[], at: number, edit: (file: ArchiveFile) => ArchiveFile): Buffer {
  return archiveOf(files.map((file, index) => (index === at ? edit(file) : file)));
}

const MUTATIONS: readonly (readonly [string, Mutation])[] = [
  [
    'a bit flipped',
    ({ original, random }) =>
      edited(original, (bytes) => void (bytes[random.below(bytes.length)]! ^= 1 << random.below(8))),
  ],
  ['cut', ({ original, random }) => Buffer.from(original.subarray(0, random.below(original.length)))],
  [
    'something behind',
    ({ original, random }) => Buffer.concat([original, Buffer.alloc(1 + random.below(1024), random.below(2))]),
  ],
  ['a block taken out', ({ original, random }) => withoutBlock(original, random)],
  ['a block doubled', ({ original, random }) => doubledBlock(original, random)],
  ['a file taken out', ({ files, random }) => archiveOf(without(files, random.below(files.length)))],
  ['a file doubled', ({ files, random }) => doubled(files, random)],
  ['two files exchanged', ({ files, random }) => exchanged(files, random)],
  [
    'a file renamed',
    ({ files, random }) =>
      change(files, random.below(files.length), (file) => ({ ...file, path: renamed(file.path, random) })),
  ],
  [
    'a byte of a file changed',
    ({ files, random }) =>
      change(files, random.below(files.length), (file) => ({ ...file, content: flipped(file.content, random) })),
  ],
  [
    'a file longer',
    ({ files, random }) =>
      change(files, random.below(files.length), (file) => ({
        ...file,
        content: Buffer.concat([file.content, Buffer.from('x')]),
      })),
  ],
  [
    'a file shorter',
    ({ files, random }) =>
      change(files, random.below(files.length), (file) => ({ ...file, content: file.content.subarray(0, -1) })),
  ],
  [
    'a file exchanged for another one',
    ({ files, random }) =>
      change(files, random.below(files.length), (file) => ({ ...file, content: random.pick(files).content })),
  ],
  ['a file added', ({ files, random }) => added(files, random)],
  ['an odd header', ({ original, files, random }) => oddly(original, files, random)],
  ['another index', ({ files, random }) => archiveOf(indexChanged(files, random))],
  ['less, and said so', ({ files, random }) => archiveOf(less(files, random))],
  ['a line of a manifest changed', ({ files, random }) => archiveOf(manifestChanged(files, random))],
];

function edited(original: Buffer, edit: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(original);
  edit(bytes);
  return bytes;
}

function flipped(content: Buffer, random: Randomness): Buffer {
  if (content.length === 0) return Buffer.from('x');
  return edited(content, (bytes) => void (bytes[random.below(bytes.length)]! ^= 1 << random.below(8)));
}

function blockStart(original: Buffer, random: Randomness): number {
  return BLOCK_BYTES * random.below(original.length / BLOCK_BYTES);
}

function withoutBlock(original: Buffer, random: Randomness): Buffer {
  const at = blockStart(original, random);
  return Buffer.concat([original.subarray(0, at), original.subarray(at + BLOCK_BYTES)]);
}

function doubledBlock(original: Buffer, random: Randomness): Buffer {
  const at = blockStart(original, random);
  return Buffer.concat([original.subarray(0, at + BLOCK_BYTES), original.subarray(at)]);
}

function without(files: readonly ArchiveFile[], at: number): readonly ArchiveFile[] {
  return files.filter((_, index) => index !== at);
}

function doubled(files: readonly ArchiveFile[], random: Randomness): Buffer {
  const at = random.below(files.length);
  const file = files[at];
  return archiveOf(file === undefined ? files : files.toSpliced(random.below(files.length + 1), 0, file));
}

function exchanged(files: readonly ArchiveFile[], random: Randomness): Buffer {
  const [a, b] = [random.below(files.length), random.below(files.length)];
  const [first, second] = [files[a], files[b]];
  return archiveOf(files.map((file, at) => (at === a ? second : at === b ? first : file) ?? file));
}

function renamed(path: string, random: Randomness): string {
  const name = random.pick(EVIL_NAMES);
  return random.below(2) === 0 ? name : `${path.slice(0, path.lastIndexOf('/') + 1)}${name}`;
}

function added(files: readonly ArchiveFile[], random: Randomness): Buffer {
  const near = random.pick(files).path;
  const path = random.below(2) === 0 ? renamed(near, random) : `${near}x`;
  return archiveOf(files.toSpliced(random.below(files.length + 1), 0, { path, content: Buffer.from('stranger') }));
}

/** Type of entry, mode, owner, time, magic, size in other spellings: each with a right checksum. */
const ODD_FIELDS: readonly Readonly<Record<number, string>>[] = [
  ...['1', '2', '3', '5', '6', '7', 'L', 'x', 'g', '\0'].map((type) => ({ 156: type, 157: '../../etc/passwd' })),
  ...[{ 100: '0000777\0' }, { 100: '0004755\0' }, { 108: '0001750\0' }, { 136: '14000000000\0' }, { 257: 'ustar  \0' }],
  ...[
    { 124: '77777777777\0' },
    { 124: '\x80\0\0\0\0\0\0\0\0\0\x01\x00' },
    { 124: '       12 ' },
    { 265: 'root' },
    { 345: '../..' },
  ],
];

function oddly(original: Buffer, files: readonly ArchiveFile[], random: Randomness): Buffer {
  let at = 0;
  for (const file of files.slice(0, random.below(files.length))) {
    at += BLOCK_BYTES + Math.ceil(file.content.length / BLOCK_BYTES) * BLOCK_BYTES;
  }
  const path = original.toString('latin1', at, original.indexOf(0, at));
  const bytes = Number.parseInt(original.toString('latin1', at + 124, at + 135), 8);
  const header = oddHeader({ path, bytes, fields: random.pick(ODD_FIELDS) });
  return edited(original, (all) => void header.copy(all, at));
}

function indexChanged(files: readonly ArchiveFile[], random: Randomness): readonly ArchiveFile[] {
  return withIndex(files, (index) => {
    const [snapshot] = index.snapshots;
    if (snapshot === undefined) return;
    const name = random.pick([
      ...EVIL_NAMES,
      'worktree',
      'index',
      'transcript',
      'transcript/s1/00/00/07.jsonl',
      'a.txt',
    ]);
    const acts: readonly (() => void)[] = [
      () => void snapshot.slices.splice(random.below(snapshot.slices.length), 1),
      () => void snapshot.slices.push(name),
      () => void snapshot.withheld.push(name),
      () => void snapshot.files.push(name),
      () => void snapshot.files.splice(0, 1),
      () => void (snapshot.id = 'ab'.repeat(32)),
      () => void index.snapshots.push({ ...snapshot, id: 'cd'.repeat(32) }),
      () => void index.snapshots.push(snapshot),
      () => void index.snapshots.splice(0),
      () => void (index.format = 'savepoint.bundle/2'),
      () => void ((index as unknown as Record<string, unknown>)['more'] = name),
      () => void ((snapshot as unknown as Record<string, unknown>)['more'] = name),
    ];
    random.pick(acts)();
  });
}

/** Leaves a slice out, or one file of a slice, and says so: what a publisher may do. */
function less(files: readonly ArchiveFile[], random: Randomness): readonly ArchiveFile[] {
  const slices = ['content', 'filesystem', 'transcript'];
  if (random.below(2) === 0) {
    const slice = random.pick(slices);
    const kept = files.filter(({ path }) => ![slice, `${slice}.json`].includes(path.split('/')[1] ?? ''));
    return withIndex(kept, ({ snapshots: [snapshot] }) => {
      if (snapshot !== undefined) snapshot.slices = snapshot.slices.filter((name) => name !== slice);
    });
  }
  const inFolder = files.filter(({ path }) => /\/(?:transcript|content)\/.*\/[^.][^/]*$/.test(path));
  const gone = random.pick(inFolder).path;
  return withIndex(
    files.filter(({ path }) => path !== gone),
    ({ snapshots: [snapshot] }) => void snapshot?.withheld.push(gone.slice(gone.indexOf('/') + 1)),
  );
}

function manifestChanged(files: readonly ArchiveFile[], random: Randomness): readonly ArchiveFile[] {
  const manifests = files.flatMap(({ path }, at) => (path.endsWith('/.manifest') ? [at] : []));
  const at = random.pick(manifests);
  return files.map((file, index) => {
    if (index !== at) return file;
    const lines = file.content.toString('latin1').split('\n').slice(0, -1);
    const line = random.below(lines.length);
    const [digest = '', size = '', name = ''] = (lines[line] ?? '').split(' ');
    const forms = [
      `${'0'.repeat(64)} ${size} ${name}`,
      `${digest} 99999999999999999999 ${name}`,
      `${digest} 0${size} ${name}`,
      `${digest} ${size} ${random.pick(EVIL_NAMES)}`,
      `${digest} ${size} ${name.toUpperCase()}`,
    ];
    lines[line] = random.pick(forms);
    return { ...file, content: Buffer.from(`${lines.join('\n')}\n`, 'latin1') };
  });
}
