/** Rewrites stored snapshots with git plumbing, as an attacker with write access to the repository would. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { readBlobs, timelineRefs, type FixtureRepository } from '@savepoint/testkit';

export interface Entry {
  readonly mode: string;
  readonly type: string;
  readonly id: string;
}

/** The root of a snapshot's tree, by name. */
export type Root = Map<string, Entry>;

const PREFIX = 'refs/savepoint/v1/timelines/';

export class Forger {
  readonly #fixture: FixtureRepository;
  readonly timeline: string;
  /** Commits of the true chain, oldest first. */
  readonly chain: readonly string[];
  /** Their content, which never changes. */
  readonly #commits: readonly string[];
  readonly #entries = new Map<string, readonly (readonly [string, Entry])[]>();

  constructor(fixture: FixtureRepository, timeline = [...timelineRefs(fixture).keys()][0] ?? '') {
    this.#fixture = fixture;
    this.timeline = timeline;
    this.chain = fixture.git('rev-list', '--reverse', '--first-parent', PREFIX + timeline).split('\n');
    this.#commits = objectsOf(fixture, 'commit', this.chain).map((bytes) => bytes.toString('utf8'));
  }

  /** Puts another head on the timeline. */
  move(commit: string): void {
    this.#fixture.git('update-ref', PREFIX + this.timeline, commit);
  }

  restore(): void {
    this.move(this.chain.at(-1) ?? '');
  }

  /** Makes a chain of these trees and puts the timeline on it; each commit says what the one of the same number says. */
  rebuild(trees: readonly string[]): readonly string[] {
    const commits: string[] = [];
    const known = this.trees();
    trees.forEach((tree, at) => {
      const like = known.indexOf(tree);
      const original = this.#commits[like < 0 ? at : like] ?? '';
      const parent = commits.at(-1);
      const header = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
      const rest = original.split('\n').filter((line) => !/^(?:tree|parent) /.test(line));
      commits.push(this.#write('commit', [...header, ...rest].join('\n')));
    });
    this.move(commits.at(-1) ?? '');
    return commits;
  }

  trees(): string[] {
    return this.#commits.map((commit) => commit.slice('tree '.length, commit.indexOf('\n')));
  }

  /** Edits one snapshot of the chain, counted from 1, and rebuilds what follows. */
  edit(sequence: number, change: (root: Root) => void): void {
    const trees = this.trees();
    trees[sequence - 1] = this.editTree(trees[sequence - 1] ?? '', change);
    this.rebuild(trees);
  }

  editTree(tree: string, change: (root: Root) => void): string {
    const root: Root = new Map(this.#entriesOf(tree));
    change(root);
    // Git sorts folders as if their name ended in a slash.
    const key = ([name, { type }]: readonly [string, Entry]): Buffer =>
      Buffer.from(type === 'tree' ? `${name}/` : name);
    const parts = [...root]
      .sort((a, b) => Buffer.compare(key(a), key(b)))
      .flatMap(([name, { mode, id }]) => [Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(id, 'hex')]);
    return this.#write('tree', Buffer.concat(parts));
  }

  #entriesOf(tree: string): readonly (readonly [string, Entry])[] {
    const known = this.#entries.get(tree);
    if (known !== undefined) return known;
    const lines = this.#fixture.git('ls-tree', '-z', tree).split('\0').filter(Boolean);
    const entries = lines.map((line): readonly [string, Entry] => {
      const [meta = '', name = ''] = line.split('\t');
      const [mode = '', type = '', id = ''] = meta.split(' ');
      return [name, { mode, type, id }];
    });
    this.#entries.set(tree, entries);
    return entries;
  }

  blob(content: string | Uint8Array): Entry {
    return { mode: '100644', type: 'blob', id: this.#write('blob', content) };
  }

  text(entry: Entry | undefined): string {
    return (readBlobs(this.#fixture, [entry?.id ?? ''])[0] ?? Buffer.alloc(0)).toString('utf8');
  }

  /** Replaces a file at the root by what `change` makes of its text. */
  editFile(sequence: number, name: string, change: (text: string) => string): void {
    this.edit(sequence, (root) => root.set(name, this.blob(change(this.text(root.get(name))))));
  }

  /** Changes the content of the first file found below a folder at the root. */
  editBelow(sequence: number, folder: string, change: (bytes: Buffer) => Buffer): void {
    this.edit(sequence, (root) => {
      const descend = (tree: string): string =>
        this.editTree(tree, (entries) => {
          const [name, entry] = [...entries].find(([, { type }]) => type !== 'commit') ?? ['', undefined];
          if (entry === undefined) throw new Error(`${folder} is empty`);
          if (entry.type === 'tree') entries.set(name, { ...entry, id: descend(entry.id) });
          else
            entries.set(name, {
              ...entry,
              id: this.blob(change(readBlobs(this.#fixture, [entry.id])[0] ?? Buffer.alloc(0))).id,
            });
        });
      const top = root.get(folder);
      if (top === undefined) throw new Error(`the snapshot has no ${folder}`);
      root.set(folder, { ...top, id: descend(top.id) });
    });
  }

  /** Writes a loose object, as one without git at hand could; git finds it as any other. */
  #write(type: string, content: string | Uint8Array): string {
    const bytes = Buffer.from(content);
    const whole = Buffer.concat([Buffer.from(`${type} ${String(bytes.length)}\0`), bytes]);
    const id = createHash('sha1').update(whole).digest('hex');
    const folder = this.#fixture.path('.git/objects', id.slice(0, 2));
    mkdirSync(folder, { recursive: true });
    if (!existsSync(`${folder}/${id.slice(2)}`)) writeFileSync(`${folder}/${id.slice(2)}`, deflateSync(whole));
    return id;
  }
}

/** Reads objects of one type in one run of git. */
function objectsOf(fixture: FixtureRepository, type: string, ids: readonly string[]): readonly Buffer[] {
  const { stdout } = fixture.run({ args: ['cat-file', '--batch'], input: `${ids.join('\n')}\n` });
  let at = 0;
  return ids.map((id) => {
    const end = stdout.indexOf(0x0a, at);
    const [, found, size] = stdout.toString('latin1', at, end).split(' ');
    if (found !== type) throw new Error(`${id} is no ${type}`);
    const bytes = stdout.subarray(end + 1, end + 1 + Number(size));
    at = end + 2 + Number(size);
    return bytes;
  });
}
