/** What snapshots hold, read with one `git cat-file` that stays: a snapshot never changes, so each is read once. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { blake3 } from '../blake3.js';
import { gitEnvironment } from '../processes/environment.js';
import { manifestOfStored, storedBlobs, type Manifest, type StoredFilesystem, type TreeLine } from '../manifest.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { timelineRefs } from '../stored.js';

export interface StoredState {
  readonly manifest: Manifest;
  readonly filesystem: StoredFilesystem;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** The agent's id of the session that it belongs to. */
  readonly session?: string;
  /** Lines as `git ls-files -s` prints them. */
  readonly staged: ReadonlySet<string>;
}

interface Body {
  readonly createdAt: string;
  readonly session?: { readonly id: string };
  readonly anchor: { readonly headTree?: string };
}

interface Staged {
  readonly unmerged: readonly {
    readonly path: string;
    readonly stage: number;
    readonly mode: string;
    readonly blob: string;
  }[];
  readonly flagged: readonly { readonly path: string; readonly flags: readonly string[] }[];
}

const EMPTY_BLOB = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391';

export class StoredStates {
  readonly #fixture: FixtureRepository;
  readonly #git: ChildProcessWithoutNullStreams;
  readonly #known = new Map<string, StoredState>();
  /** Root trees by the id of the snapshot. */
  readonly #trees = new Map<string, string>();
  readonly #walked = new Set<string>();
  readonly #digests = new Map<string, string>();
  #timelines: readonly string[] = [];
  #read: Buffer = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  constructor(fixture: FixtureRepository) {
    this.#fixture = fixture;
    const args = ['-c', 'safe.directory=*', 'cat-file', '--batch'];
    this.#git = spawn('git', args, { cwd: fixture.root, env: gitEnvironment(fixture.home) });
    this.#git.stdout.on('data', (piece: Buffer) => {
      this.#read = Buffer.concat([this.#read, piece]);
      this.#wake();
    });
  }

  close(): void {
    this.#git.stdin.end();
  }

  /** Returns what the snapshot of this id holds. @throws Error where no timeline has it */
  async of(id: string): Promise<StoredState> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const state = await this.#load(await this.#find(id));
    this.#known.set(id, state);
    return state;
  }

  async #find(id: string): Promise<string> {
    for (const look of [() => this.#timelines, () => [...timelineRefs(this.#fixture).keys()]]) {
      this.#timelines = look();
      for (const timeline of this.#timelines) await this.#walk(`refs/savepoint/v1/timelines/${timeline}`);
      const tree = this.#trees.get(id);
      if (tree !== undefined) return tree;
    }
    throw new Error(`no timeline has the snapshot ${id}`);
  }

  async #walk(head: string): Promise<void> {
    for (let name: string | undefined = head; name !== undefined && !this.#walked.has(name);) {
      const { id, bytes } = await this.#object(name);
      if (this.#walked.has(id)) return;
      this.#walked.add(id);
      const text = bytes.toString('latin1');
      const [, tree = ''] = /^tree (\w+)$/m.exec(text) ?? [];
      this.#trees.set(blake3((await this.#object(`${tree}:snapshot.json`)).bytes), tree);
      name = /^parent (\w+)$/m.exec(text)?.[1];
    }
  }

  async #load(tree: string): Promise<StoredState> {
    const entries = new Map((await this.#entries(tree)).map((entry) => [entry.path, entry.blob]));
    const json = async (name: string): Promise<unknown> =>
      JSON.parse((await this.#object(entries.get(name) ?? name)).bytes.toString('utf8'));
    const filesystem = (await json('filesystem.json')) as StoredFilesystem;
    const { createdAt, session, anchor } = (await json('snapshot.json')) as Body;
    const lines = await this.#lines(entries.get('worktree'));
    for (const blob of storedBlobs(filesystem, lines)) await this.#digest(blob);
    const record = entries.has('index.json') ? ((await json('index.json')) as Staged) : undefined;
    const staged = await this.#lines(record === undefined ? anchor.headTree : entries.get('index'));
    return {
      manifest: manifestOfStored({ filesystem, lines, digests: this.#digests }),
      filesystem,
      createdAt: Date.parse(createdAt),
      staged: new Set([...stagedLines(staged), ...otherLines(record)]),
      ...(session !== undefined && { session: session.id }),
    };
  }

  async #lines(tree: string | undefined, above = ''): Promise<TreeLine[]> {
    if (tree === undefined) return [];
    const lines: TreeLine[] = [];
    for (const { path, ...entry } of await this.#entries(tree)) {
      lines.push({ ...entry, path: above + path });
      if (entry.mode === '040000') lines.push(...(await this.#lines(entry.blob, `${above}${path}/`)));
    }
    return lines;
  }

  async #entries(tree: string): Promise<TreeLine[]> {
    const { bytes } = await this.#object(tree);
    const text = bytes.toString('latin1');
    const entries: TreeLine[] = [];
    for (let at = 0; at < bytes.length;) {
      const [space, end] = [text.indexOf(' ', at), text.indexOf('\0', at)];
      const after = end + 1 + tree.length / 2;
      const mode = text.slice(at, space).padStart(6, '0');
      entries.push({ mode, path: text.slice(space + 1, end), blob: bytes.toString('hex', end + 1, after) });
      at = after;
    }
    return entries;
  }

  async #digest(blob: string): Promise<void> {
    if (this.#digests.has(blob)) return;
    const { bytes } = await this.#object(blob);
    this.#digests.set(blob, createHash('sha256').update(bytes).digest('hex'));
  }

  async #object(name: string): Promise<{ readonly id: string; readonly bytes: Buffer }> {
    this.#git.stdin.write(`${name}\n`);
    const end = await this.#until(() => this.#read.indexOf(0x0a));
    const [id = '', type, size] = this.#read.toString('latin1', 0, end).split(' ');
    if (type === 'missing' || size === undefined) throw new Error(`${name} is not in the store`);
    const last = end + 1 + Number(size);
    await this.#until(() => (this.#read.length > last ? last : -1));
    const bytes = Buffer.from(this.#read.subarray(end + 1, last));
    this.#read = this.#read.subarray(last + 1);
    return { id, bytes };
  }

  async #until(found: () => number): Promise<number> {
    for (let at = found(); ; at = found()) {
      if (at >= 0) return at;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function stagedLines(lines: readonly TreeLine[]): string[] {
  return lines.filter(({ mode }) => mode !== '040000').map(({ mode, blob, path }) => `${mode} ${blob} 0\t${path}`);
}

function otherLines(record: Staged | undefined): string[] {
  const name = (path: string): string => Buffer.from(path, 'utf8').toString('latin1');
  const unmerged = record?.unmerged.map(
    ({ mode, blob, stage, path }) => `${mode} ${blob} ${String(stage)}\t${name(path)}`,
  );
  const intended = record?.flagged.filter(({ flags }) => flags.includes('intent_to_add'));
  return [...(unmerged ?? []), ...(intended ?? []).map(({ path }) => `intended ${EMPTY_BLOB} 0\t${name(path)}`)];
}
