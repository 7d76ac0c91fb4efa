/** Rewrites stored snapshots with git plumbing, as an attacker with write access to the repository would. */
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

  constructor(fixture: FixtureRepository, timeline = [...timelineRefs(fixture).keys()][0] ?? '') {
    this.#fixture = fixture;
    this.timeline = timeline;
    this.chain = fixture.git('rev-list', '--reverse', '--first-parent', PREFIX + timeline).split('\n');
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
      const original = this.#fixture.git('cat-file', 'commit', this.chain[like < 0 ? at : like] ?? '');
      const parent = commits.at(-1);
      const header = [`tree ${tree}`, ...(parent === undefined ? [] : [`parent ${parent}`])];
      const rest = original.split('\n').filter((line) => !/^(?:tree|parent) /.test(line));
      commits.push(this.#write('commit', `${[...header, ...rest].join('\n')}\n`));
    });
    this.move(commits.at(-1) ?? '');
    return commits;
  }

  trees(): string[] {
    return this.chain.map((commit) => this.#fixture.git('rev-parse', `${commit}^{tree}`));
  }

  /** Edits one snapshot of the chain, counted from 1, and rebuilds what follows. */
  edit(sequence: number, change: (root: Root) => void): void {
    const trees = this.trees();
    trees[sequence - 1] = this.editTree(trees[sequence - 1] ?? '', change);
    this.rebuild(trees);
  }

  editTree(tree: string, change: (root: Root) => void): string {
    const root: Root = new Map();
    for (const line of this.#fixture.git('ls-tree', tree).split('\n').filter(Boolean)) {
      const [meta = '', name = ''] = line.split('\t');
      const [mode = '', type = '', id = ''] = meta.split(' ');
      root.set(name, { mode, type, id });
    }
    change(root);
    const lines = [...root].map(([name, { mode, type, id }]) => `${mode} ${type} ${id}\t${name}\n`);
    return this.#run(['mktree', '--missing'], lines.join(''));
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

  #write(type: string, content: string | Uint8Array): string {
    return this.#run(['hash-object', '-w', '-t', type, '--literally', '--stdin'], content);
  }

  #run(args: readonly string[], input: string | Uint8Array): string {
    return this.#fixture.run({ args, input }).stdout.toString('utf8').trim();
  }
}
