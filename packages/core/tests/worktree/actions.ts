/** What a user, an agent or a script may do in a worktree between two captures, as data, and how it is done for real. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { FixtureRepository } from '@savepoint/testkit';
import { onDisk } from './oracle.js';

// One character per byte. Few names, so that actions meet.
const NAMES = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'x.log', 'd/x.log', 'n', 'n/a', 'n/e/b'] as const;
const HARD_NAMES = [
  'new\nline',
  'quo"te',
  '\xff\xfe',
  '__proto__',
  'd/constructor',
  ':(glob)*',
  '-x',
  'd/ ',
  'n/.gitattributes',
] as const;
const IGNORE_FILES = ['.gitignore', 'd/.gitignore', 'd/e/.gitignore', '.git/info/exclude', '../excludes'] as const;
const PATTERNS = [
  '*.log',
  'd/',
  '/a',
  '!x.log',
  '.gitignore',
  '*',
  'e/',
  '# nothing',
  'd/e/*',
  '!d/e/a',
  'n',
  '__proto__',
  '!*',
] as const;
const TARGETS = ['a', 'd', 'd/e', '.', 'nowhere', '/etc/hostname', 'x'.repeat(60)] as const;
const MODES = [0o600, 0o400, 0o755, 0o644, 0o700, 0o666] as const;

const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...HARD_NAMES) },
);
const text = fc.constantFrom('', 'one\n', 'two\n', 'tri\n', 'a longer text\r\n', '\0\xff');

const simple = <K extends string>(kind: K) => fc.record({ kind: fc.constant(kind), name });

export const action = fc.oneof(
  { weight: 80, arbitrary: fc.record({ kind: fc.constant('write'), name, text }) },
  { weight: 40, arbitrary: simple('flip') },
  { weight: 10, arbitrary: simple('append') },
  { weight: 40, arbitrary: simple('delete') },
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('rename'), name, to: name }) },
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('chmod'), name, mode: fc.constantFrom(...MODES) }) },
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('link'), name, target: fc.constantFrom(...TARGETS) }) },
  { weight: 20, arbitrary: simple('directory') },
  { weight: 10, arbitrary: simple('fifo') },
  { weight: 10, arbitrary: simple('touch') },
  {
    weight: 40,
    arbitrary: fc.record({
      kind: fc.constant('ignore'),
      file: fc.constantFrom(...IGNORE_FILES),
      patterns: fc.array(fc.constantFrom(...PATTERNS), { maxLength: 3 }),
    }),
  },
  { weight: 30, arbitrary: simple('add') },
  { weight: 20, arbitrary: simple('add -f') },
  { weight: 10, arbitrary: simple('add -N') },
  { weight: 10, arbitrary: simple('rm --cached') },
  { weight: 10, arbitrary: simple('assume') },
  { weight: 10, arbitrary: simple('skip') },
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('commit'), all: fc.boolean() }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('checkout'), name: fc.constantFrom('HEAD~1', 'main') }) },
  { weight: 10, arbitrary: simple('init') },
  { weight: 10, arbitrary: simple('init and commit') },
  { weight: 10, arbitrary: simple('init --bare') },
  { weight: 10, arbitrary: simple('remove .git') },
  { weight: 10, arbitrary: simple('remove .git/HEAD') },
  { weight: 10, arbitrary: simple('submodule') },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('many'), text, from: fc.nat(120) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('none of many') }) },
  { weight: 30, arbitrary: fc.record({ kind: fc.constant('wait') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle') }) },
);

export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;

/** What the kinds have in common, so that doing needs no cast. */
interface Anything {
  readonly kind: string;
  readonly name?: string;
  readonly to?: string;
  readonly text?: string;
  readonly mode?: number;
  readonly target?: string;
  readonly file?: string;
  readonly patterns?: readonly string[];
  readonly all?: boolean;
  readonly from?: number;
}

/** Does it as well as it can be done now: what is in the way is moved away, what is not there is left alone. */
export async function perform(fixture: FixtureRepository, one: Anything): Promise<void> {
  const file = onDisk(fixture, one.name ?? '');
  const there = statOf(file);
  const git = (...args: string[]): void => {
    fixture.run({ args: ['-c', 'core.safecrlf=false', ...args], accept: 'any' });
  };
  // Through a file: a name need not be UTF-8.
  const gitOn = (...args: string[]): void => {
    const listed = `${fixture.base}/paths`;
    writeFileSync(listed, Buffer.from(`${one.name ?? ''}\0`, 'latin1'));
    git('--literal-pathspecs', ...args, `--pathspec-from-file=${listed}`, '--pathspec-file-nul');
  };
  const update = (flag: string): void => {
    fixture.run({
      args: ['update-index', flag, '-z', '--stdin'],
      input: Buffer.from(`${one.name ?? ''}\0`, 'latin1'),
      accept: 'any',
    });
  };
  switch (one.kind) {
    case 'write':
      if (there?.isFile() === true) writeFileSync(file, Buffer.from(one.text ?? '', 'latin1'));
      else
        put(fixture, one.name ?? '', () => {
          writeFileSync(file, Buffer.from(one.text ?? '', 'latin1'));
        });
      return;
    case 'flip':
      if (there?.isFile() === true && there.size > 0) flip(file, there);
      return;
    case 'append':
      if (there?.isFile() === true) appendFileSync(file, 'more\n');
      return;
    case 'delete':
      if (there !== undefined) rmSync(file, { recursive: true, force: true });
      return;
    case 'rename':
      if (
        there !== undefined &&
        !`${one.to ?? ''}/`.startsWith(`${one.name ?? ''}/`) &&
        !`${one.name ?? ''}/`.startsWith(`${one.to ?? ''}/`)
      ) {
        put(fixture, one.to ?? '', () => {
          if (statOf(file) !== undefined) renameSync(file, onDisk(fixture, one.to ?? ''));
        });
      }
      return;
    case 'chmod':
      // A directory keeps its owner's rights, so that the walk gets in.
      if (there !== undefined && !there.isSymbolicLink())
        chmodSync(file, (one.mode ?? 0) | (there.isDirectory() ? 0o700 : 0));
      return;
    case 'link':
      put(fixture, one.name ?? '', () => {
        symlinkSync(one.target ?? '', file);
      });
      return;
    case 'directory':
      if (there?.isDirectory() !== true)
        put(fixture, one.name ?? '', () => {
          mkdirSync(file);
        });
      return;
    case 'fifo':
      put(fixture, one.name ?? '', () => {
        makeFifo(fixture, one.name ?? '');
      });
      return;
    case 'touch':
      if (there !== undefined && !there.isSymbolicLink()) utimesSync(file, 1_000_000_000, 1_000_000_000);
      return;
    case 'ignore': {
      const target = path.join(fixture.root, one.file ?? '');
      const isIn = (one.file ?? '').startsWith('d/');
      const write = (): void => {
        rmSync(target, { recursive: true, force: true });
        writeFileSync(target, (one.patterns ?? []).map((line) => `${line}\n`).join(''));
      };
      if (isIn) put(fixture, one.file ?? '', write);
      else write();
      return;
    }
    case 'add':
      return gitOn('add', '--ignore-errors');
    case 'add -f':
      return gitOn('add', '-f', '--ignore-errors');
    case 'add -N':
      return gitOn('add', '-N', '--ignore-errors');
    case 'rm --cached':
      return gitOn('rm', '-r', '-f', '-q', '--cached', '--ignore-unmatch');
    case 'assume':
      return update('--assume-unchanged');
    case 'skip':
      return update('--skip-worktree');
    case 'commit':
      if (one.all === true) git('add', '-A');
      return git('commit', '-q', '--allow-empty', '-m', 'a commit');
    case 'checkout':
      return git('checkout', '-q', '-f', one.name ?? 'main');
    case 'init':
      return nest(fixture, one.name ?? '', 'plain');
    case 'init and commit':
      return nest(fixture, one.name ?? '', 'commit');
    case 'init --bare':
      put(fixture, one.name ?? '', () => {
        mkdirSync(file);
      });
      return nest(fixture, one.name ?? '', 'bare');
    case 'remove .git':
      if (there?.isDirectory() === true)
        rmSync(Buffer.concat([file, Buffer.from('/.git')]), { recursive: true, force: true });
      return;
    case 'remove .git/HEAD':
      if (there?.isDirectory() === true) rmSync(Buffer.concat([file, Buffer.from('/.git/HEAD')]), { force: true });
      return;
    case 'submodule':
      // git's own fsck stumbles over a submodule of this name.
      if (one.name?.endsWith('.gitattributes') === true) return;
      fixture.run({
        args: ['update-index', '-z', '--add', '--index-info'],
        input: Buffer.from(`160000 ${'1'.repeat(40)}\t${one.name ?? ''}\0`, 'latin1'),
        accept: 'any',
      });
      return;
    case 'many':
      mkdirSync(fixture.path('m'), { recursive: true });
      for (let n = one.from ?? 0; n < 130; n += 1)
        writeFileSync(fixture.path('m', `f${String(n)}`), `${one.text ?? ''}${String(n)}`);
      return;
    case 'none of many':
      rmSync(fixture.path('m'), { recursive: true, force: true });
      return;
    case 'settle':
      // Until git, which compares whole seconds, can tell a later change.
      await new Promise((resolve) => setTimeout(resolve, 2100));
      return;
    case 'wait':
      // Longer than a tick of the clock that the file system writes its times with.
      await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

function statOf(file: Buffer): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** Makes way for a path: what stands there goes, and so does what is no directory above it. */
function put(fixture: FixtureRepository, name: string, make: () => void): void {
  for (let at = name.indexOf('/'); at > 0; at = name.indexOf('/', at + 1)) {
    const parent = onDisk(fixture, name.slice(0, at));
    if (statOf(parent)?.isDirectory() === true) continue;
    rmSync(parent, { force: true });
    mkdirSync(parent);
  }
  rmSync(onDisk(fixture, name), { recursive: true, force: true });
  make();
}

/** Changes the content, keeps the size, and puts the modification time back. */
function flip(file: Buffer, { atimeMs, mtimeMs }: Stats): void {
  const bytes = readFileSync(file);
  bytes[0] = (bytes[0] ?? 0) ^ ((randomBytes(1)[0] ?? 0) | 1);
  chmodSync(file, lstatSync(file).mode | 0o200);
  writeFileSync(file, bytes);
  utimesSync(file, atimeMs / 1000, mtimeMs / 1000);
}

function makeFifo(fixture: FixtureRepository, name: string): void {
  // The shell gets the name's bytes through its standard input.
  const script = 'IFS= read -r -d "" name; mkfifo -- "./$name"';
  spawnSync('bash', ['-c', script], {
    cwd: fixture.root,
    input: Buffer.from(`${name}\0`, 'latin1'),
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  });
}

function nest(fixture: FixtureRepository, name: string, how: 'plain' | 'commit' | 'bare'): void {
  const directory = onDisk(fixture, name);
  if (statOf(directory)?.isDirectory() !== true || /[^\x20-\x7e]/.test(name)) return;
  const cwd = fixture.path(name);
  fixture.run({ cwd, args: ['init', '-q', ...(how === 'bare' ? ['--bare'] : [])], accept: 'any' });
  if (how === 'commit') fixture.run({ cwd, args: ['commit', '-q', '--allow-empty', '-m', 'inner'], accept: 'any' });
}
