/** What belongs into a snapshot, by git's own word, and what is on disk, by a walk that shares no code with the scan. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  type BigIntStats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nulFields, type FixtureRepository } from '@savepoint/testkit';

export const onDisk = (fixture: FixtureRepository, file: string): Buffer =>
  Buffer.concat([Buffer.from(`${fixture.root}/`), Buffer.from(file, 'latin1')]);

function stat(fixture: FixtureRepository, file: string): BigIntStats | undefined {
  return lstatSync(onDisk(fixture, file), { bigint: true, throwIfNoEntry: false });
}

const parents = (file: string): string[] => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index));

/** Path to `mode id` of every file that git knows or would add, as it is on disk now. */
export function expectedFiles(fixture: FixtureRepository): Map<string, string> {
  const { stdout } = fixture.run({ args: ['ls-files', '-z', '-co', '--exclude-standard'] });
  const tracked = new Set(nulFields(fixture.run({ args: ['ls-files', '-z', '-c'] }).stdout));
  const expected = new Map<string, string>();
  for (const file of new Set(nulFields(stdout))) {
    if (!parents(file).every((parent) => isDirectory(fixture, parent))) continue;
    if (!tracked.has(file) && parents(file).some((parent) => isBare(fixture, parent, tracked))) continue;
    const found = stat(fixture, file.replace(/\/$/, ''));
    if (found?.isFile() !== true && found?.isSymbolicLink() !== true) continue;
    expected.set(file, entryOf(fixture, file, found));
  }
  return expected;
}

function isDirectory(fixture: FixtureRepository, file: string): boolean {
  return stat(fixture, file)?.isDirectory() === true;
}

// A bare repository is foreign, unless its files are tracked: then it is somebody's test data.
function isBare(fixture: FixtureRepository, directory: string, tracked: ReadonlySet<string>): boolean {
  const has = (name: string): BigIntStats | undefined => stat(fixture, `${directory}/${name}`);
  const looks = ['objects', 'refs'].every((name) => has(name)?.isDirectory() === true);
  const isRepository = looks && (has('HEAD')?.isFile() === true || has('HEAD')?.isSymbolicLink() === true);
  return isRepository && ![...tracked].some((file) => file.startsWith(`${directory}/`));
}

function entryOf(fixture: FixtureRepository, file: string, found: BigIntStats): string {
  const isLink = found.isSymbolicLink();
  const bytes = isLink
    ? readlinkSync(onDisk(fixture, file), { encoding: 'buffer' })
    : readFileSync(onDisk(fixture, file));
  const id = createHash('sha1')
    .update(`blob ${String(bytes.length)}\0`)
    .update(bytes)
    .digest('hex');
  const mode = isLink ? '120000' : (found.mode & 0o100n) === 0n ? '100644' : '100755';
  return `${mode} ${id}`;
}

/** The tree that the index would make, by git itself, without a trace in the repository. */
export function stagedTree(fixture: FixtureRepository): string {
  const scratch = mkdtempSync(path.join(tmpdir(), 'savepoint-index-'));
  try {
    const index = path.join(scratch, 'index');
    if (existsSync(fixture.path('.git/index'))) copyFileSync(fixture.path('.git/index'), index);
    const env = {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: scratch,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(fixture.path('.git/objects')),
    };
    return fixture
      .run({ args: ['write-tree'], env })
      .stdout.toString('latin1')
      .trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Path to permissions of every entry that is in the snapshot's reach: what `filesystem.json` must give back. */
export function permissionsOf(fixture: FixtureRepository, file: string): string {
  return ((stat(fixture, file)?.mode ?? 0n) & 0o7777n).toString(8).padStart(4, '0');
}

/** Everything below the root, `.git` included but for Savepoint's own folder and objects: nothing of it may change. */
export function traces(fixture: FixtureRepository): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (directory: string): void => {
    for (const name of readdirSync(onDisk(fixture, directory), { encoding: 'latin1' })) {
      const file = directory === '' ? name : `${directory}/${name}`;
      if (file === '.git/savepoint' || file === '.git/objects') continue;
      const { mtimeNs, ctimeNs, size, ino, mode } = lstatSync(onDisk(fixture, file), { bigint: true });
      // Savepoint's first capture makes its folder in `.git`.
      if (file !== '.git') found.set(file, [mtimeNs, ctimeNs, size, ino, mode].join(' '));
      if ((mode & 0o170000n) === 0o040000n) walk(file);
    }
  };
  walk('');
  return found;
}
