/**
 * A model of a disk that forgets: it knows what was made durable and what was not, so that it can tell what may be there
 * after a power cut. `posix`: content is durable by a sync of the file, a name by a sync of its directory, nothing else
 * holds. `ordered`: names become durable in their order, and any sync takes all names before it along, as on ext4.
 */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DiskOperation } from './disk-operations.js';

export type DiskPolicy = 'posix' | 'ordered';

interface FileNode {
  readonly kind: 'file';
  readonly id: number;
  mode: number;
  current: Buffer;
  durable: Buffer;
  readonly positions: Map<number, { at: number; readonly append: boolean }>;
}

interface DirectoryNode {
  readonly kind: 'directory';
  readonly id: number;
  mode: number;
  readonly current: Map<string, Node>;
  readonly durable: Map<string, Node>;
}

type Node = FileNode | DirectoryNode;

/** A name that came or went and is not durable. */
interface PendingName {
  readonly directory: DirectoryNode;
  readonly name: string;
  readonly node: Node | undefined;
  /** Both halves of a rename have the same. */
  readonly operation: number;
  readonly what: string;
}

export type ContentLoss = 'old' | 'zeros' | 'cut' | 'torn';

/** What a power cut takes: names by their number among the pending ones, and contents by file. */
export interface Losses {
  readonly names: ReadonlySet<number>;
  readonly contents: ReadonlyMap<number, ContentLoss>;
  /** Decides where a content is cut or torn. */
  readonly seed: number;
}

export interface Unsafe {
  readonly names: readonly { readonly number: number; readonly operation: number; readonly what: string }[];
  readonly contents: readonly { readonly file: number; readonly what: string }[];
}

/** A path without bytes is a directory. */
export type DiskState = ReadonlyMap<string, { readonly mode: number; readonly bytes?: Buffer }>;

const UMASK = 0o022;
const SECTOR_BYTES = 512;

export class DiskModel {
  readonly #policy: DiskPolicy;
  readonly #roots = new Map<string, DirectoryNode>();
  readonly #acknowledged: string[] = [];
  #pending: PendingName[] = [];
  #operations = 0;
  #nodes = 0;

  constructor(policy: DiskPolicy) {
    this.#policy = policy;
  }

  /** Takes over a directory as it is; all in it is durable. */
  load(root: string): void {
    this.#roots.set(root, this.#read(root) as DirectoryNode);
  }

  /** Returns a model of the same disk, all of it durable, that goes its own way. */
  copy(): DiskModel {
    const other = new DiskModel(this.#policy);
    const copyNode = (node: Node): Node => {
      if (node.kind === 'file') {
        const file = other.#file(node.mode);
        file.current = file.durable = node.current;
        return file;
      }
      const directory = other.#directory(node.mode);
      for (const [name, below] of node.current) {
        const copied = copyNode(below);
        directory.current.set(name, copied);
        directory.durable.set(name, copied);
      }
      return directory;
    };
    for (const [root, node] of this.#roots) other.#roots.set(root, copyNode(node) as DirectoryNode);
    return other;
  }

  /** Makes all durable, as half a minute of rest does; a few seconds leave out the content of git's objects. */
  #settleAll(exceptObjects: boolean): void {
    for (const pending of this.#pending) settle(pending);
    this.#pending = [];
    for (const [path, node] of this.#files()) {
      if (!(exceptObjects && path.includes('/objects/'))) node.durable = node.current;
    }
  }

  get acknowledged(): readonly string[] {
    return this.#acknowledged;
  }

  #read(path: string): Node {
    const stat = lstatSync(path);
    if (stat.isFile()) {
      const node = this.#file(stat.mode & 0o7777);
      node.current = node.durable = readFileSync(path);
      return node;
    }
    if (!stat.isDirectory()) throw new Error(`the model of a disk knows files and directories only: ${path}`);
    const directory = this.#directory(stat.mode & 0o7777);
    for (const name of readdirSync(path)) {
      const node = this.#read(join(path, name));
      directory.current.set(name, node);
      directory.durable.set(name, node);
    }
    return directory;
  }

  #file(mode: number): FileNode {
    const empty = Buffer.alloc(0);
    return { kind: 'file', id: (this.#nodes += 1), mode, current: empty, durable: empty, positions: new Map() };
  }

  #directory(mode: number): DirectoryNode {
    return { kind: 'directory', id: (this.#nodes += 1), mode, current: new Map(), durable: new Map() };
  }

  apply(operation: DiskOperation): void {
    this.#operations += 1;
    switch (operation.kind) {
      case 'acknowledge':
        this.#acknowledged.push(operation.id);
        return;
      case 'settle':
        this.#settleAll(operation.except === 'objects');
        return;
      case 'open':
        this.#open(operation);
        return;
      case 'sync':
        this.#sync(operation.path);
        return;
      case 'directory':
        this.#setName(operation.path, this.#directory(operation.mode & ~UMASK), 'mkdir');
        return;
      case 'remove':
        this.#setName(operation.path, undefined, 'remove');
        return;
      case 'link':
        this.#setName(operation.to, this.#demand(operation.path), 'link');
        return;
      case 'rename':
        this.#rename(operation.path, operation.to);
        return;
      case 'mode':
        this.#demand(operation.path).mode = operation.mode;
        return;
      default:
        this.#content(operation);
    }
  }

  #rename(from: string, to: string): void {
    const node = this.#demand(from);
    if (node === this.#find(to)) return;
    this.#setName(from, undefined, `rename to ${basename(to)}`);
    this.#setName(to, node, 'rename');
  }

  #open(operation: DiskOperation & { readonly kind: 'open' }): void {
    const { path, descriptor, create, truncate, append, mode } = operation;
    let node = this.#find(path);
    if (node === undefined && create) {
      node = this.#file(mode & ~UMASK);
      this.#setName(path, node, 'create');
    }
    // Opened to be read: something outside of what is known, such as a file that vanished since.
    if (node?.kind !== 'file') return;
    if (truncate) node.current = Buffer.alloc(0);
    node.positions.set(descriptor, { at: 0, append });
  }

  #content(operation: Extract<DiskOperation, { readonly path: string }>): void {
    const node = this.#find(operation.path);
    if (node?.kind !== 'file') return;
    if (operation.kind === 'resize') {
      node.current = resized(node.current, operation.size);
      return;
    }
    if (!('descriptor' in operation)) return;
    const position = node.positions.get(operation.descriptor) ?? { at: 0, append: false };
    node.positions.set(operation.descriptor, position);
    if (operation.kind === 'seek') position.at = operation.offset;
    else if (operation.kind === 'advance') position.at += operation.count;
    else if (operation.kind === 'write_at') overwrite(node, operation.bytes, operation.offset);
    else if (operation.kind === 'write') {
      const at = position.append ? node.current.length : position.at;
      overwrite(node, operation.bytes, at);
      position.at = at + operation.bytes.length;
    }
  }

  #sync(path: string): void {
    const node = this.#demand(path);
    if (node.kind === 'file') node.durable = node.current;
    const isSettled = ({ directory }: PendingName): boolean => this.#policy === 'ordered' || directory === node;
    for (const pending of this.#pending.filter(isSettled)) settle(pending);
    this.#pending = this.#pending.filter((pending) => !isSettled(pending));
  }

  #setName(path: string, node: Node | undefined, what: string): void {
    const directory = this.#find(dirname(path));
    if (directory?.kind !== 'directory') throw new Error(`the model of a disk has no directory for ${path}`);
    const name = basename(path);
    if (node === undefined) directory.current.delete(name);
    else directory.current.set(name, node);
    this.#pending.push({ directory, name, node, operation: this.#operations, what: `${what} ${path}` });
  }

  #demand(path: string): Node {
    const node = this.#find(path);
    if (node === undefined) throw new Error(`the model of a disk has no ${path}`);
    return node;
  }

  #find(path: string): Node | undefined {
    const root = [...this.#roots.keys()].find((one) => path === one || path.startsWith(`${one}/`));
    if (root === undefined) throw new Error(`${path} is not watched`);
    let node: Node | undefined = this.#roots.get(root);
    for (const name of path.slice(root.length).split('/').filter(Boolean)) {
      node = node?.kind === 'directory' ? node.current.get(name) : undefined;
    }
    return node;
  }

  /** Returns what a power cut could take now. */
  unsafe(): Unsafe {
    const names = this.#pending.map(({ operation, what }, number) => ({ number, operation, what }));
    const contents: { file: number; what: string }[] = [];
    for (const [path, node] of this.#files()) {
      if (node.current === node.durable || contents.some(({ file }) => file === node.id)) continue;
      contents.push({ file: node.id, what: `content of ${path}` });
    }
    return { names, contents };
  }

  // By every name that a file has or may have.
  *#files(): Iterable<readonly [string, FileNode]> {
    const walk = function* (path: string, node: Node): Iterable<readonly [string, FileNode]> {
      if (node.kind === 'file') yield [path, node];
      else {
        for (const [name, below] of node.durable) yield* walk(`${path}/${name}`, below);
        for (const [name, below] of node.current) yield* walk(`${path}/${name}`, below);
      }
    };
    for (const [root, node] of this.#roots) yield* walk(root, node);
    for (const { node, what } of this.#pending) {
      if (node?.kind === 'file') yield [what, node];
    }
  }

  /** Returns what is on the disk after a power cut now that takes these. */
  cut(losses: Losses): DiskState {
    const names = new Map<DirectoryNode, Map<string, Node>>();
    const namesOf = (directory: DirectoryNode): Map<string, Node> => {
      const known = names.get(directory) ?? new Map(directory.durable);
      names.set(directory, known);
      return known;
    };
    this.#pending.forEach(({ directory, name, node }, number) => {
      if (losses.names.has(number)) return;
      if (node === undefined) namesOf(directory).delete(name);
      else namesOf(directory).set(name, node);
    });
    const state = new Map<string, { mode: number; bytes?: Buffer }>();
    const add = (path: string, node: Node): void => {
      if (node.kind === 'file') {
        const loss = losses.contents.get(node.id);
        state.set(path, { mode: node.mode, bytes: loss === undefined ? node.current : lossy(node, loss, losses.seed) });
        return;
      }
      state.set(path, { mode: node.mode });
      for (const [name, below] of namesOf(node)) add(`${path}/${name}`, below);
    };
    for (const [root, node] of this.#roots) add(root, node);
    return state;
  }
}

function settle({ directory, name, node }: PendingName): void {
  if (node === undefined) directory.durable.delete(name);
  else directory.durable.set(name, node);
}

function overwrite(node: FileNode, bytes: Buffer, at: number): void {
  const content = resized(node.current, Math.max(node.current.length, at + bytes.length));
  bytes.copy(content, at);
  node.current = content;
}

function resized(bytes: Buffer, size: number): Buffer {
  const copy = Buffer.alloc(size);
  bytes.copy(copy, 0, 0, Math.min(size, bytes.length));
  return copy;
}

function lossy({ current, durable, id }: FileNode, loss: ContentLoss, seed: number): Buffer {
  if (loss === 'old') return durable;
  if (loss === 'zeros') return resized(durable.subarray(0, current.length), current.length);
  const chance = (number: number): number => fraction(seed * 31 + id * 17 + number);
  if (loss === 'cut') {
    // What was appended goes; what was durable before stays.
    const kept = current.subarray(0, durable.length).equals(durable) ? durable.length : 0;
    return current.subarray(0, kept + Math.floor(chance(0) * (current.length - kept)));
  }
  const torn = Buffer.from(current);
  for (let at = 0; at < torn.length; at += SECTOR_BYTES) {
    if (chance(at + 1) < 0.5) continue;
    const end = Math.min(at + SECTOR_BYTES, torn.length);
    torn.fill(0, at, end);
    if (at < durable.length) durable.copy(torn, at, at, Math.min(end, durable.length));
  }
  return torn;
}

/** Returns a number from 0 up to 1 that hangs on the seed alone. */
export function fraction(seed: number): number {
  let mixed = Math.imul((seed | 0) ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
