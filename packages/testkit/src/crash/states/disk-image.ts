/**
 * Everything below some directories, as it is at one moment, and how to make a disk so again. Two images share what is the
 * same in both, so that thousands of them fit in memory; names of one file share its node, as on the disk.
 */
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs';

export interface DiskNode {
  readonly type: 'file' | 'link' | 'directory';
  readonly mode: number;
  /** In seconds. */
  readonly modified: number;
  /** Of a file, or the target of a link; empty for directories. */
  readonly bytes: Buffer;
  /** Changes with every change of the file itself, and of nothing else; empty for directories. */
  readonly key: string;
}

/** By absolute path; parents before their children. */
export type DiskImage = ReadonlyMap<string, DiskNode>;

const NOTHING = Buffer.alloc(0);

/** Looks at the directories and all below. What was the same in `former` is the same object. */
export function imageOf(roots: readonly string[], former: DiskImage = new Map()): DiskImage {
  const found = new Map<string, DiskNode>();
  const nodes = new Map<string, DiskNode>();
  const visit = (path: string): void => {
    const stats = lstatSync(path, { bigint: true });
    const key = keyOf(stats);
    const known = former.get(path);
    const same = key !== '' && known?.key === key ? known : undefined;
    // A file of several names is one.
    const node = nodes.get(key) ?? same ?? nodeOf(path, stats, key);
    if (node.type === 'file') nodes.set(key, node);
    const isStill = key === '' && known?.modified === node.modified && isSameNode(known, node);
    found.set(path, isStill && known !== undefined ? known : node);
    if (node.type === 'directory') for (const name of readdirSync(path)) visit(`${path}/${name}`);
  };
  for (const root of roots) visit(root);
  return found;
}

function keyOf(stats: BigIntStats): string {
  if (stats.isDirectory()) return '';
  return [stats.ino, stats.mtimeNs, stats.ctimeNs, stats.size, stats.mode].join(' ');
}

function nodeOf(path: string, stats: BigIntStats, key: string): DiskNode {
  const [mode, modified] = [Number(stats.mode & 0o7777n), Number(stats.mtimeNs) / 1e9];
  if (stats.isSymbolicLink()) return { type: 'link', mode, modified, bytes: readlinkSync(path, 'buffer'), key };
  if (stats.isFile()) return { type: 'file', mode, modified, bytes: readFileSync(path), key };
  return { type: 'directory', mode, modified, bytes: NOTHING, key };
}

/** Tells whether two nodes are the same for whoever looks at type, permissions and content. */
export function isSameNode(a: DiskNode | undefined, b: DiskNode | undefined): boolean {
  if (a === b) return true;
  if (a?.type !== b?.type || a === undefined || b === undefined) return false;
  return (a.type === 'link' || a.mode === b.mode) && a.bytes.equals(b.bytes);
}

/** A disk that is made to be like one image after the other; only what differs is written. */
export class ImageDisk {
  readonly #roots: readonly string[];
  #there: DiskImage = new Map();
  /** The image that was made last, and how the disk looked right after it. */
  #made: DiskImage = new Map();
  #stood: DiskImage = new Map();

  constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  /** Looks at the disk as it is now. */
  look(): DiskImage {
    this.#there = imageOf(this.#roots, this.#there);
    return this.#there;
  }

  become(image: DiskImage): void {
    const there = this.look();
    const names = namesOf(image);
    const isRight = (path: string, node: DiskNode): boolean => {
      const [now, made] = [there.get(path), this.#made.get(path)];
      if (node.type === 'directory') return now?.type === 'directory';
      return now !== undefined && made === node && this.#stood.get(path) === now;
    };
    // A file of several names is right only with all of them.
    const wrong = new Set<DiskNode>();
    for (const [path, node] of image) if (!isRight(path, node)) wrong.add(node);
    for (const [path, node] of [...there].reverse()) {
      const wanted = image.get(path);
      if (wanted === undefined || wanted.type !== node.type || (wanted.type !== 'directory' && wrong.has(wanted)))
        removeOne(path, node);
    }
    for (const [path, node] of image) {
      if (node.type === 'directory' ? there.get(path)?.type !== 'directory' : wrong.has(node))
        make(path, node, names.get(node) ?? path);
    }
    settleDirectories(image);
    this.#made = image;
    this.#stood = this.look();
  }
}

/** The first name of each file, from which the others are linked. */
function namesOf(image: DiskImage): ReadonlyMap<DiskNode, string> {
  const names = new Map<DiskNode, string>();
  for (const [path, node] of image) if (!names.has(node)) names.set(node, path);
  return names;
}

function removeOne(path: string, { type }: DiskNode): void {
  if (type === 'directory') rmSync(path, { recursive: true, force: true });
  else unlinkSync(path);
}

function make(path: string, node: DiskNode, first: string): void {
  const { type, mode, modified, bytes } = node;
  if (type === 'directory') mkdirSync(path, 0o700);
  else if (type === 'link') {
    symlinkSync(bytes, path);
    lutimesSync(path, modified, modified);
  } else if (first !== path) linkSync(first, path);
  else {
    writeFileSync(path, bytes);
    chmodSync(path, mode);
    utimesSync(path, modified, modified);
  }
}

// Below them something was made or removed, which moved their times.
function settleDirectories(image: DiskImage): void {
  for (const [path, { type, mode, modified }] of [...image].reverse()) {
    if (type !== 'directory') continue;
    const stats = lstatSync(path);
    if ((stats.mode & 0o7777) !== mode) chmodSync(path, mode);
    if (Math.abs(stats.mtimeMs / 1000 - modified) > 1e-6) utimesSync(path, modified, modified);
  }
}

/** Returns the part of an image below a directory, by path relative to it. */
export function below(image: DiskImage, root: string, skip: (path: string) => boolean = () => false): DiskImage {
  const found = [...image].flatMap(([path, node]): [string, DiskNode][] => {
    const relative = path.slice(root.length + 1);
    return path.startsWith(`${root}/`) && !skip(relative) ? [[relative, node]] : [];
  });
  return new Map(found);
}

/** Returns one line for each path in which two images differ. */
export function imageDifferences(expected: DiskImage, found: DiskImage): readonly string[] {
  const paths = new Set([...expected.keys(), ...found.keys()]);
  return [...paths]
    .filter((path) => !isSameNode(expected.get(path), found.get(path)))
    .map((path) => `${path}: ${described(found.get(path))} instead of ${described(expected.get(path))}`);
}

function described(node: DiskNode | undefined): string {
  if (node === undefined) return 'nothing';
  return `${node.type} ${node.mode.toString(8)} of ${String(node.bytes.length)} bytes`;
}
