/** A generated worktree of everything that names, bytes, modes and attributes can do to a careless program. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { unbornRepository, type FixtureRepository } from './repositories/repository.js';

export interface TortureOptions {
  readonly autocrlf?: 'true' | 'input' | 'false';
  readonly seed?: number;
  /** Size of the big file. */
  readonly bigBytes?: number;
}

export interface TortureRepository extends FixtureRepository {
  /** Made when a clean, smudge or process filter runs. */
  readonly filterMarker: string;
  filterRan(): boolean;
  /** Ends the listener behind the socket file. */
  close(): void;
}

const CONTENTS: Readonly<Record<string, Uint8Array>> = {
  'lf.txt': Buffer.from('one\ntwo\nthree\n'),
  'crlf.txt': Buffer.from('one\r\ntwo\r\nthree\r\n'),
  'mixed.txt': Buffer.from('one\r\ntwo\nthree\rfour\r\n'),
  'no-final-newline.txt': Buffer.from('one\ntwo'),
  'empty.txt': Buffer.alloc(0),
  'utf16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('zwei\r\ndrei\n', 'utf16le')]),
  'latin1.txt': Buffer.from('gr\xfc\xdfe\r\n', 'latin1'),
  'not-utf8.txt': Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x0a]),
  'nul.bin': Buffer.from([0, 1, 0, 13, 10, 0, 255]),
  'ident.txt': Buffer.from('$Id: 0123456789012345678901234567890123456789 $\n$Id$\n'),
};

const ATTRIBUTES: Readonly<Record<string, string>> = {
  plain: '',
  auto: '* text=auto\n',
  text: '* text\n',
  crlf: '* text eol=crlf\n',
  lf: '* text eol=lf\n',
  ident: '* ident\n',
  encoding: '*.txt text working-tree-encoding=UTF-16LE-BOM\n',
  filtered: '* filter=failing\n',
  process: '* filter=process\n',
  lfs: '* filter=lfs diff=lfs merge=lfs -text\n',
};

const NFC = 'caf\u00e9.txt';
const NFD = 'cafe\u0301.txt';

/** Names that are hard to carry, one character per byte. */
export const HARD_NAMES: readonly string[] = [
  'new\nline',
  'tab\there',
  '"quoted"',
  "it's",
  'back\\slash',
  '-leading-dash',
  '--help',
  ':(glob)star',
  ':(glob)*',
  '*',
  '[ab]?',
  'dot.',
  'space ',
  ' space',
  '.hidden',
  'a$b`c',
  '#hash',
  '!bang',
  '%41',
  'caf\xe9 latin1',
  '\xff\xfe\x80',
  '\x01\x1b[31mred',
  Buffer.from(NFC).toString('latin1'),
  Buffer.from(NFD).toString('latin1'),
  'n'.repeat(255),
  'HEAD',
  'con',
  'snapshot.json',
];

/** Makes the worktree: half of it committed, half untracked, with ignored, special and empty things between. */
export async function tortureRepository(options: TortureOptions = {}): Promise<TortureRepository> {
  const { autocrlf = 'false', seed = 1, bigBytes = 5 << 20 } = options;
  const fixture = unbornRepository();
  const filterMarker = join(fixture.base, 'filter-ran');
  writeContents(fixture);
  writeNames(fixture);
  fixture.write('big.bin', pseudoRandom(seed, bigBytes));
  // Committed before the attributes and filters exist, so that git itself converts nothing.
  fixture.git('add', 'plain', 'names', 'filtered', 'crlf', 'lfs', 'big.bin');
  fixture.git('commit', '-qm', 'Half of it');
  writeAttributes(fixture);
  configureFilters(fixture, filterMarker);
  fixture.git('config', 'core.autocrlf', autocrlf);
  fixture.git('config', 'core.safecrlf', 'true');
  appendFileSync(fixture.path('filtered/lf.txt'), 'changed\n');
  writeModesAndLinks(fixture);
  writeIgnored(fixture);
  const server = await writeSpecial(fixture);
  return {
    ...fixture,
    filterMarker,
    filterRan: () => existsSync(filterMarker),
    close: () => server.close(),
  };
}

function writeContents(fixture: FixtureRepository): void {
  for (const folder of Object.keys(ATTRIBUTES)) {
    for (const [name, bytes] of Object.entries(CONTENTS)) fixture.write(`${folder}/${name}`, bytes);
  }
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345\n`;
  fixture.write('lfs/pointer.bin', pointer);
  fixture.write('lfs/real.bin', pseudoRandom(7, 4096));
}

function writeAttributes(fixture: FixtureRepository): void {
  for (const [folder, text] of Object.entries(ATTRIBUTES)) {
    if (text !== '') fixture.write(`${folder}/.gitattributes`, text);
  }
}

function writeNames(fixture: FixtureRepository): void {
  mkdirSync(fixture.path('names'));
  for (const name of HARD_NAMES) writeFileSync(bytesPath(fixture, `names/${name}`), `content of ${name}\n`, 'latin1');
  const long = `names/${'directory/'.repeat(29)}leaf-of-300`;
  fixture.write(long, 'deep\n');
  mkdirSync(bytesPath(fixture, 'names/dir\xff\n'));
  writeFileSync(bytesPath(fixture, 'names/dir\xff\n/file\xfe'), 'inside\n');
}

function bytesPath(fixture: FixtureRepository, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${fixture.root}/`), Buffer.from(path, 'latin1')]);
}

// A required filter that fails would make `git add` fail; one that runs at all leaves its mark.
function configureFilters(fixture: FixtureRepository, marker: string): void {
  const mark = `touch '${marker}'; exit 1`;
  for (const name of ['failing', 'lfs']) {
    fixture.git('config', `filter.${name}.clean`, mark);
    fixture.git('config', `filter.${name}.smudge`, mark);
    fixture.git('config', `filter.${name}.required`, 'true');
  }
  fixture.git('config', 'filter.process.process', mark);
  fixture.git('config', 'filter.process.required', 'true');
  fixture.git('config', 'diff.lfs.textconv', mark);
}

function writeModesAndLinks(fixture: FixtureRepository): void {
  const modes = { exec: 0o755, private: 0o600, readonly: 0o400, group: 0o664, 'exec-private': 0o700, odd: 0o751 };
  for (const [name, mode] of Object.entries(modes)) fixture.write(`modes/${name}`, `${name}\n`, mode);
  fixture.write('modes/closed/inside.txt', 'inside\n');
  chmodSync(fixture.path('modes/closed'), 0o700);
  mkdirSync(fixture.path('modes/empty-closed'), { mode: 0o700 });
  const links = {
    dangling: 'nowhere/at/all',
    'to-file': '../plain/lf.txt',
    'to-directory': '../plain',
    absolute: '/etc/hostname',
    outside: '../../../beside/victim.txt',
    loop: 'loop',
    'strange\ntarget': 'a\nb',
  };
  for (const [name, target] of Object.entries(links)) fixture.link(`links/${name}`, target);
  symlinkSync(Buffer.from('\xff\xfe', 'latin1'), bytesPath(fixture, 'links/to-bytes'));
  mkdirSync(fixture.path('void/a/b/c'), { recursive: true });
  mkdirSync(fixture.path('void/d'));
}

function writeIgnored(fixture: FixtureRepository): void {
  fixture.write('.gitignore', '*.log\n/ignored/\ncache/\n!keep.log\n');
  fixture.write('debug.log', 'ignored\n');
  fixture.write('keep.log', 'kept by an exception\n');
  fixture.write('ignored/a/b.txt', 'ignored\n');
  fixture.write('deep/cache/c.txt', 'ignored, and nothing else is in there\n');
  fixture.write('deep/nested/.gitignore', '*\n');
  fixture.write('deep/nested/all.txt', 'ignored by its own folder\n');
  fixture.write('deep/kept.txt', 'kept\n');
  fixture.write('.git/info/exclude', 'by-exclude.txt\n');
  fixture.write('by-exclude.txt', 'ignored by info/exclude\n');
}

/** A FIFO without a writer, at which a careless reader hangs, and a socket. */
async function writeSpecial(fixture: FixtureRepository): Promise<Server> {
  mkdirSync(fixture.path('special'));
  const { status } = spawnSync('mkfifo', [fixture.path('special/fifo')]);
  if (status !== 0) throw new Error('mkfifo failed');
  const server = createServer();
  server.unref();
  // The path of a socket may have at most about 100 bytes: bound by a relative name.
  const before = process.cwd();
  process.chdir(fixture.path('special'));
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen('socket', resolve);
    });
  } finally {
    process.chdir(before);
  }
  return server;
}

/** Returns bytes that do not compress and depend only on the seed (xorshift32). */
export function pseudoRandom(seed: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed | 0 || 1;
  for (let at = 0; at < length; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes;
}
