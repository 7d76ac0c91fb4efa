/** What a snapshot must hold of a worktree, read from the disk, and what it does hold, read with plain git. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { nulFields } from './processes/git.js';
import type { FixtureRepository } from './repositories/repository.js';
import { readBlobs } from './stored.js';

export interface ManifestEntry {
  readonly type: 'file' | 'link' | 'directory';
  /** Permission bits as four octal digits; absent for links. */
  readonly mode?: string;
  /** Of the file's bytes or the link's target. */
  readonly sha256?: string;
  /** A directory that holds only what is left out: a snapshot may record it or not. */
  readonly optional?: true;
  /** An ignored directory that holds something tracked: a snapshot does not record its mode. */
  readonly anyMode?: true;
}

/** By path: relative, `/`-separated, one character per byte. */
export type Manifest = ReadonlyMap<string, ManifestEntry>;

interface ExactPath {
  readonly path: string;
  readonly pathBytes?: string;
}

/** `filesystem.json`, as far as it takes part in a manifest. */
export interface StoredFilesystem {
  readonly modes: { readonly file: string; readonly executable: string; readonly directory: string };
  readonly exceptions: readonly (ExactPath & { readonly mode: string })[];
  readonly emptyDirectories: readonly ExactPath[];
  readonly boundaries: readonly (ExactPath & { readonly kind: string })[];
  readonly omitted: readonly (ExactPath & { readonly reason: string })[];
  readonly ignored: readonly ExactPath[];
  readonly diverted: readonly (ExactPath & {
    readonly type: 'file' | 'link';
    readonly mode: string;
    readonly blob: string;
  })[];
}

/** Returns a path of JSON as one character per byte. */
export function exactPath({ path, pathBytes }: ExactPath): string {
  return Buffer.from(pathBytes ?? path, pathBytes === undefined ? 'utf8' : 'base64').toString('latin1');
}

/**
 * Returns what a snapshot of this worktree must hold: every file, link and directory that is not ignored (tracked ones
 * even then), outside of other repositories and special files.
 */
export function diskManifest(fixture: FixtureRepository): Manifest {
  const found = new Map<string, ManifestEntry>();
  const staged = stagedPaths(fixture);
  // As git has it, a directory that holds tracked files is no repository of somebody else's, whatever is in it.
  const isForeign = (directory: Buffer, path: string): boolean =>
    staged.get(path) === '160000' ||
    (isRepository(directory) && ![...staged.keys()].some((tracked) => tracked.startsWith(`${path}/`)));
  walk({ found, isForeign, absolute: Buffer.from(fixture.root), path: '' });
  const ignored = ignoredPaths(fixture, { found, staged });
  const entries = [...found].filter(([path]) => !ignored.has(path));
  const kept = new Map(entries.filter(([, entry]) => entry.type !== 'directory'));
  const tracked = new Set([...kept.keys()].flatMap((path) => parents(path)));
  // An ignored directory is one of the worktree's all the same where it holds something tracked.
  const directories = [...found].filter(
    ([path, entry]) => entry.type === 'directory' && (!ignored.has(path) || tracked.has(path)),
  );
  const empty = directories.filter(([path]) => readdirSync(absolutePath(fixture, path)).length === 0);
  for (const [path, entry] of empty) kept.set(path, entry);
  const withContent = new Set([...kept.keys()].flatMap((path) => parents(path)));
  for (const [path, entry] of directories) {
    const about = ignored.has(path) ? { ...entry, anyMode: true as const } : entry;
    kept.set(path, kept.has(path) || withContent.has(path) ? about : { ...about, optional: true });
  }
  return kept;
}

function parents(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'));
}

function absolutePath(fixture: FixtureRepository, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${fixture.root}/`), Buffer.from(path, 'latin1')]);
}

interface Walk {
  readonly found: Map<string, ManifestEntry>;
  readonly isForeign: (directory: Buffer, path: string) => boolean;
  readonly absolute: Buffer;
  readonly path: string;
}

function walk({ found, isForeign, absolute, path }: Walk): void {
  for (const name of readdirSync(absolute, { encoding: 'buffer' })) {
    const childPath = path === '' ? name.toString('latin1') : `${path}/${name.toString('latin1')}`;
    const child = Buffer.concat([absolute, Buffer.from('/'), name]);
    if (childPath === '.git') continue;
    const stats = lstatSync(child);
    const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
    // What makes it one is theirs all the same.
    if (stats.isFile() && childPath.endsWith('/.git') && readFileSync(child, 'latin1').startsWith('gitdir: ')) continue;
    if (stats.isSymbolicLink()) found.set(childPath, { type: 'link', sha256: sha256(readlinkSync(child, 'buffer')) });
    else if (stats.isFile()) found.set(childPath, { type: 'file', mode, sha256: sha256(readFileSync(child)) });
    else if (stats.isDirectory() && !isForeign(child, childPath)) {
      found.set(childPath, { type: 'directory', mode });
      walk({ found, isForeign, absolute: child, path: childPath });
    }
  }
}

/** Modes by path. A submodule that was never initialised is an empty directory to everybody but git. */
function stagedPaths(fixture: FixtureRepository): ReadonlyMap<string, string> {
  const lines = nulFields(fixture.run({ args: ['ls-files', '-s', '-z'] }).stdout);
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf(' '))]));
}

/** Tells whether a directory is the root of a repository: it has a `.git`, or is a git directory itself. */
function isRepository(directory: Buffer): boolean {
  const names = new Set(readdirSync(directory));
  return names.has('.git') || (names.has('HEAD') && names.has('objects') && names.has('refs'));
}

function ignoredPaths(
  fixture: FixtureRepository,
  { found, staged }: { readonly found: Manifest; readonly staged: ReadonlyMap<string, string> },
): ReadonlySet<string> {
  // Only a file is tracked: a directory of that name has taken its place.
  const candidates = [...found].filter(([path, { type }]) => type === 'directory' || !staged.has(path));
  // The `./` keeps a name such as `:(glob)*` from being read as a pattern.
  const input = Buffer.from(candidates.map(([path]) => `./${path}\0`).join(''), 'latin1');
  const args = ['check-ignore', '-z', '--stdin', '--no-index'];
  return new Set(nulFields(fixture.run({ args, input, accept: [1] }).stdout).map((path) => path.slice(2)));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads `filesystem.json` of the snapshot in this commit. */
export function storedFilesystem(fixture: FixtureRepository, commit: string): StoredFilesystem {
  const [bytes] = readBlobs(fixture, [`${commit}:filesystem.json`]);
  return JSON.parse((bytes ?? Buffer.alloc(0)).toString('utf8')) as StoredFilesystem;
}

/** One entry of a tree: of git's `ls-tree -r -t`. */
export interface TreeLine {
  readonly mode: string;
  readonly blob: string;
  readonly path: string;
}

/** Returns what the snapshot in this commit holds of the worktree. */
export function snapshotManifest(fixture: FixtureRepository, commit: string): Manifest {
  const filesystem = storedFilesystem(fixture, commit);
  const lines = treeLines(fixture, `${commit}:worktree`);
  const blobs = [...new Set(storedBlobs(filesystem, lines))];
  const contents = readBlobs(fixture, blobs);
  const digests = new Map(blobs.map((blob, at) => [blob, sha256(contents[at] ?? new Uint8Array())]));
  return manifestOfStored({ filesystem, lines, digests });
}

/** Returns the blobs that a snapshot's manifest is about. */
export function storedBlobs({ diverted }: StoredFilesystem, lines: readonly TreeLine[]): readonly string[] {
  const files = lines.filter(({ mode }) => mode !== '040000' && mode !== '160000');
  return [...files, ...diverted].map(({ blob }) => blob);
}

export interface StoredWorktree {
  readonly filesystem: StoredFilesystem;
  readonly lines: readonly TreeLine[];
  /** SHA-256 by blob. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Returns what a snapshot holds of the worktree, from what was read of it. */
export function manifestOfStored({ filesystem, lines, digests }: StoredWorktree): Manifest {
  // A directory's path ends in `/` there.
  const exceptions = new Map(filesystem.exceptions.map((entry) => [exactPath(entry).replace(/\/$/, ''), entry.mode]));
  const { modes } = filesystem;
  const manifest = new Map<string, ManifestEntry>();
  const blobs: { readonly path: string; readonly blob: string; readonly entry: ManifestEntry }[] = [];
  for (const { mode, blob, path } of lines) {
    const usual = mode === '100755' ? modes.executable : modes.file;
    if (mode === '040000') manifest.set(path, { type: 'directory', mode: exceptions.get(path) ?? modes.directory });
    else if (mode === '120000') blobs.push({ path, blob, entry: { type: 'link' } });
    else if (mode !== '160000')
      blobs.push({ path, blob, entry: { type: 'file', mode: exceptions.get(path) ?? usual } });
  }
  for (const entry of filesystem.diverted) {
    const kept = entry.type === 'link' ? { type: 'link' as const } : { type: 'file' as const, mode: entry.mode };
    blobs.push({ path: exactPath(entry), blob: entry.blob, entry: kept });
  }
  for (const { path, blob, entry } of blobs) {
    manifest.set(path, { ...entry, sha256: digests.get(blob) ?? '' });
    // A tree has no entry for a folder whose only content is diverted.
    for (const parent of parents(path)) addDirectory(manifest, parent, exceptions.get(parent) ?? modes.directory);
  }
  for (const entry of filesystem.emptyDirectories) {
    const path = exactPath(entry);
    for (const each of [...parents(path), path]) addDirectory(manifest, each, exceptions.get(each) ?? modes.directory);
  }
  return manifest;
}

function addDirectory(manifest: Map<string, ManifestEntry>, path: string, mode: string): void {
  if (!manifest.has(path)) manifest.set(path, { type: 'directory', mode });
}

function treeLines(fixture: FixtureRepository, tree: string): readonly TreeLine[] {
  const { code, stdout } = fixture.run({ args: ['ls-tree', '-r', '-t', '-z', tree], accept: [128] });
  if (code !== 0) return []; // no folder `worktree/`: it is empty
  return nulFields(stdout).map((line) => {
    const tab = line.indexOf('\t');
    const [mode = '', , blob = ''] = line.slice(0, tab).split(' ');
    return { mode, blob, path: line.slice(tab + 1) };
  });
}

/** Returns one line for each path in which the two differ; empty when they are equal. */
export function manifestDifferences(expected: Manifest, actual: Manifest): readonly string[] {
  const lines: string[] = [];
  for (const [path, { optional, anyMode, ...entry }] of expected) {
    const found = actual.get(path);
    const other = anyMode === true && found !== undefined ? { ...found, mode: entry.mode } : found;
    if (other === undefined && optional === true) continue;
    if (other === undefined) lines.push(`${shown(path)}: missing (${JSON.stringify(entry)})`);
    else if (JSON.stringify(entry) !== JSON.stringify(other)) {
      lines.push(`${shown(path)}: expected ${JSON.stringify(entry)}, got ${JSON.stringify(other)}`);
    }
  }
  for (const [path, entry] of actual) {
    if (!expected.has(path)) lines.push(`${shown(path)}: not on the disk (${JSON.stringify(entry)})`);
  }
  return lines;
}

function shown(path: string): string {
  return JSON.stringify(Buffer.from(path, 'latin1').toString('utf8'));
}
