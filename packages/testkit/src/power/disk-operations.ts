/** What a traced program did to the files below some directories, as operations that a model of a disk can replay. */
import { resolve } from 'node:path';
import { bytesOf, pathOfDescriptor, type SystemCall } from './system-calls.js';

export type DiskOperation =
  | {
      readonly kind: 'open';
      readonly path: string;
      readonly descriptor: number;
      readonly create: boolean;
      readonly truncate: boolean;
      readonly append: boolean;
      readonly mode: number;
    }
  | { readonly kind: 'write'; readonly path: string; readonly descriptor: number; readonly bytes: Buffer }
  | {
      readonly kind: 'write_at';
      readonly path: string;
      readonly descriptor: number;
      readonly bytes: Buffer;
      readonly offset: number;
    }
  | { readonly kind: 'seek'; readonly path: string; readonly descriptor: number; readonly offset: number }
  | { readonly kind: 'advance'; readonly path: string; readonly descriptor: number; readonly count: number }
  | { readonly kind: 'resize'; readonly path: string; readonly size: number }
  | { readonly kind: 'rename' | 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'sync'; readonly path: string }
  /** Time enough has passed for all to be written, or for all but the content of objects. */
  | { readonly kind: 'settle'; readonly path: string; readonly except: 'nothing' | 'objects' }
  /** A snapshot's id reached the user. */
  | { readonly kind: 'acknowledge'; readonly path: string; readonly id: string };

export interface OperationRequest {
  readonly calls: readonly SystemCall[];
  /** Working directory of the first process. */
  readonly cwd: string;
  /** Only what happens below these counts. */
  readonly roots: readonly string[];
  /** The id that the program printed, if it did. */
  readonly printed?: string;
}

/** Returns the operations in their order. @throws Error for a call that the model does not know */
export function diskOperations(request: OperationRequest): readonly DiskOperation[] {
  const reader = new CallReader(request);
  return request.calls.flatMap((call) => reader.read(call));
}

class CallReader {
  readonly #request: OperationRequest;
  readonly #directories = new Map<number, string>();
  /** What the first thread has open: the program resolves names below `/proc/self/fd/N`. */
  readonly #opened = new Map<number, string>();
  #acknowledged = false;

  constructor(request: OperationRequest) {
    this.#request = request;
  }

  read(call: SystemCall): readonly DiskOperation[] {
    if (call.result < 0) return [];
    const operation = this.#operation(call);
    if (operation === undefined) return [];
    const paths = 'to' in operation ? [operation.path, operation.to] : [operation.path];
    const inside = paths.filter((path) => this.#isInside(path));
    if (inside.length === 0 && operation.kind !== 'acknowledge') return [];
    if (inside.length < paths.length && operation.kind !== 'acknowledge')
      throw new Error(`${call.name} leads out of what is watched: ${paths.join(' ')}`);
    return [operation];
  }

  #operation(call: SystemCall): DiskOperation | undefined {
    const { name, args, pid, result } = call;
    const [first = '', second = '', third = ''] = args;
    const descriptor = parseInt(first, 10);
    switch (name) {
      case 'chdir':
        this.#directories.set(pid, this.#path(pid, first));
        return undefined;
      case 'open':
      case 'creat':
        return this.#open(call, this.#path(pid, first), args.slice(1));
      case 'openat':
        return this.#open(call, this.#path(pid, second, first), args.slice(2));
      case 'read':
      case 'lseek': {
        const path = pathOfDescriptor(first);
        if (path === undefined) return undefined;
        return name === 'read'
          ? { kind: 'advance', path, descriptor, count: result }
          : { kind: 'seek', path, descriptor, offset: result };
      }
      case 'write':
      case 'writev':
      case 'pwrite64':
        return this.#write(call);
      case 'ftruncate':
      case 'fchmod':
      case 'fsync':
      case 'fdatasync':
        return onDescriptor(call);
      case 'truncate':
        return { kind: 'resize', path: this.#path(pid, first), size: Number(second) };
      case 'chmod':
        return { kind: 'mode', path: this.#path(pid, first), mode: parseInt(second, 8) };
      case 'fchmodat':
        return { kind: 'mode', path: this.#path(pid, second, first), mode: parseInt(third, 8) };
      default:
        return this.#name(call);
    }
  }

  #name({ name, args, pid }: SystemCall): DiskOperation | undefined {
    const [first = '', second = '', third = '', fourth = ''] = args;
    switch (name) {
      case 'rename':
      case 'link':
        return { kind: name, path: this.#path(pid, first), to: this.#path(pid, second) };
      case 'renameat':
      case 'renameat2':
      case 'linkat': {
        const kind = name === 'linkat' ? 'link' : 'rename';
        return { kind, path: this.#path(pid, second, first), to: this.#path(pid, fourth, third) };
      }
      case 'unlink':
      case 'rmdir':
        return { kind: 'remove', path: this.#path(pid, first) };
      case 'unlinkat':
        return { kind: 'remove', path: this.#path(pid, second, first) };
      case 'mkdir':
        return { kind: 'directory', path: this.#path(pid, first), mode: parseInt(second, 8) };
      case 'mkdirat':
        return { kind: 'directory', path: this.#path(pid, second, first), mode: parseInt(third, 8) };
      default:
        return this.#unknown({ name, args, pid });
    }
  }

  // Whatever the model does not know must not be passed over, or it would find nothing.
  #unknown({ name, args, pid }: Pick<SystemCall, 'name' | 'args' | 'pid'>): undefined {
    const paths = args.flatMap((arg) => {
      const path = arg.startsWith('"/') || arg.startsWith('"\\x2f') ? this.#path(pid, arg) : pathOfDescriptor(arg);
      return path === undefined ? [] : [path];
    });
    if (name === 'sync' || paths.some((path) => this.#isInside(path))) {
      throw new Error(`the model of a disk does not know ${name} ${paths.join(' ')}`);
    }
    return undefined;
  }

  #open({ pid, name, result }: SystemCall, path: string, rest: readonly string[]): DiskOperation {
    const [flags = '', mode = '0'] = name === 'creat' ? ['O_CREAT|O_TRUNC|O_WRONLY', ...rest] : rest;
    const has = (flag: string): boolean => flags.split('|').includes(flag);
    if (!this.#directories.has(pid)) this.#directories.set(pid, this.#request.cwd);
    if (pid === this.#request.calls[0]?.pid) this.#opened.set(result, path);
    return {
      kind: 'open',
      path,
      descriptor: result,
      create: has('O_CREAT'),
      truncate: has('O_TRUNC'),
      append: has('O_APPEND'),
      mode: parseInt(mode, 8),
    };
  }

  #write({ name, args, result }: SystemCall): DiskOperation | undefined {
    const [first = '', second = '', , fourth = ''] = args;
    const descriptor = parseInt(first, 10);
    const path = pathOfDescriptor(first);
    if (path !== undefined && !this.#isInside(path)) return undefined;
    const bytes = (name === 'writev' ? vectorBytes(second) : bytesOf(second)).subarray(0, result);
    if (path === undefined) return this.#acknowledgement(descriptor, bytes);
    if (bytes.length < result) throw new Error(`${name} to ${path} was traced in part only`);
    if (name === 'pwrite64') return { kind: 'write_at', path, descriptor, bytes, offset: Number(fourth) };
    return { kind: 'write', path, descriptor, bytes };
  }

  #acknowledgement(descriptor: number, bytes: Buffer): DiskOperation | undefined {
    const { printed } = this.#request;
    if (printed === undefined || this.#acknowledged || descriptor !== 1) return undefined;
    const text = bytes.toString('latin1');
    // git tells its own parent ids too, never a snapshot's with its short form, and no result of a rewind.
    if (!text.includes(printed) || !/"(?:shortId|dryRun)"/.test(text)) return undefined;
    this.#acknowledged = true;
    return { kind: 'acknowledge', path: '', id: printed };
  }

  #path(pid: number, arg: string, directory?: string): string {
    const base =
      directory === undefined
        ? (this.#directories.get(pid) ?? this.#request.cwd)
        : (pathOfDescriptor(directory) ?? this.#request.cwd);
    if (directory?.startsWith('AT_FDCWD') === true) this.#directories.set(pid, base);
    const name = bytesOf(arg).toString('utf8');
    const [, descriptor, below = ''] = /^\/proc\/self\/fd\/(\d+)(\/.*)?$/s.exec(name) ?? [];
    const holder = descriptor === undefined ? undefined : this.#opened.get(Number(descriptor));
    return holder === undefined ? resolve(base, name) : resolve(`${holder}${below}`);
  }

  #isInside(path: string): boolean {
    return this.#request.roots.some((root) => path === root || path.startsWith(`${root}/`));
  }
}

function onDescriptor({ name, args }: SystemCall): DiskOperation | undefined {
  const [first = '', second = ''] = args;
  const path = pathOfDescriptor(first);
  if (path === undefined) return undefined;
  if (name === 'ftruncate') return { kind: 'resize', path, size: Number(second) };
  if (name === 'fchmod') return { kind: 'mode', path, mode: parseInt(second, 8) };
  return { kind: 'sync', path };
}

function vectorBytes(arg: string): Buffer {
  return Buffer.concat([...arg.matchAll(/iov_base=("(?:\\x[0-9a-f]{2})*")/g)].map(([, text = '']) => bytesOf(text)));
}
