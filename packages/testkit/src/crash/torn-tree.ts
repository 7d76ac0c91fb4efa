/** A worktree in two states, with every kind of change between them, another staged tree in each, and a copy to begin again with. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diskManifest, type Manifest } from '../manifest.js';
import { observe, type Observation } from '../observation.js';
import { savepoint } from '../processes/program.js';
import { unbornRepository, type FixtureRepository } from '../repositories/repository.js';

export interface TornTree {
  readonly fixture: FixtureRepository;
  /** The snapshot to go back to. */
  readonly target: string;
  /** What is there; no snapshot holds it. */
  readonly before: Manifest;
  /** What the target holds. */
  readonly after: Manifest;
  /** Puts everything back as it was, and returns the user's world as it then is. */
  reset(): Observation;
}

type Change = (fixture: FixtureRepository, name: string, at: number) => void;

const big = (at: number, word: string): string => `${word} ${String(at)}\n`.repeat(at % 40 === 0 ? 8000 : 3);
const remove = (fixture: FixtureRepository, name: string): void => {
  rmSync(fixture.path(name), { recursive: true, force: true });
};

/** What is there then, and what becomes of it. */
const KINDS: readonly (readonly [Change, Change])[] = [
  [
    (fixture, name, at) => fixture.write(name, big(at, 'then')),
    (fixture, name, at) => fixture.write(name, big(at, 'now')),
  ],
  [(fixture, name) => fixture.write(name, 'then\n', 0o644), (fixture, name) => fixture.write(name, 'now\n', 0o755)],
  [(fixture, name) => fixture.write(name, 'gone since\n'), remove],
  [() => undefined, (fixture, name, at) => fixture.write(name, big(at, 'born'))],
  [
    (fixture, name) => fixture.write(name, 'a file\n'),
    (fixture, name) => {
      remove(fixture, name);
      fixture.write(`${name}/deep/er.txt`, 'in a directory\n');
    },
  ],
  [
    (fixture, name) => fixture.write(`${name}/inner.txt`, 'in a directory\n'),
    (fixture, name) => {
      remove(fixture, name);
      fixture.write(name, 'a file\n');
    },
  ],
  [
    (fixture, name) => fixture.link(name, 'nowhere/at all'),
    (fixture, name) => {
      remove(fixture, name);
      fixture.write(name, 'a file\n');
    },
  ],
  [
    (fixture, name) => fixture.write(name, 'a file\n'),
    (fixture, name) => {
      remove(fixture, name);
      fixture.link(name, '../other');
    },
  ],
  [
    (fixture, name) => fixture.write(name, 'private\n', 0o600),
    (fixture, name) => {
      chmodSync(fixture.path(name), 0o664);
    },
  ],
  [(fixture, name) => fixture.write(`${name}/only/one.txt`, 'alone\n', 0o755), remove],
];

/** Makes a worktree in which so many paths differ from the snapshot to go back to. */
export async function tornTree(changes: number): Promise<TornTree> {
  const fixture = unbornRepository();
  const names = Array.from({ length: changes - 2 }, (_, at) => `d${String(at % 13)}/n${String(at)}`);
  const each = (part: 0 | 1): void => {
    for (const [at, name] of names.entries()) KINDS[at % KINDS.length]?.[part](fixture, name, at);
  };
  fixture.write('.gitignore', '*.log\n');
  fixture.write('still.txt', 'the same all the time\n');
  mkdirSync(fixture.path('void/inner'), { recursive: true });
  each(0);
  swap(fixture, 'left', 'right');
  fixture.git('add', 'd0', 'd1', 'still.txt');
  fixture.git('commit', '-qm', 'Some of it');
  fixture.write('a.txt', 'staged then\n');
  fixture.git('add', 'a.txt');
  swap(fixture, 'left', 'right');
  const { code, stderr, ...first } = await savepoint(['--json', 'capture'], { cwd: fixture.root, home: fixture.home });
  if (code !== 0) throw new Error(stderr);
  const after = diskManifest(fixture);
  fixture.write('ignored.log', 'nobody knows it\n');
  each(1);
  fixture.write('b.txt', 'staged now\n');
  fixture.git('rm', '-q', '-f', '--cached', 'a.txt');
  fixture.git('add', 'b.txt');
  swap(fixture, 'right', 'left');
  const kept = new Keepsake(fixture);
  const reset = (): Observation => {
    kept.giveBack();
    return observe(fixture);
  };
  return { fixture, target: first.json().id, before: diskManifest(fixture), after, reset };
}

function swap(fixture: FixtureRepository, one: string, other: string): void {
  fixture.write('a.txt', `${one}\n`);
  fixture.write('b.txt', `${other}\n`);
}

/** A copy of all that a run can change, with its times. */
class Keepsake {
  readonly #folder: string;
  readonly #parts: readonly string[];

  constructor({ base, root, home, beside }: FixtureRepository) {
    this.#folder = join(base, 'kept');
    this.#parts = [root, home, beside];
    mkdirSync(this.#folder);
    for (const [at, part] of this.#parts.entries()) copy(part, join(this.#folder, String(at)));
  }

  giveBack(): void {
    for (const [at, part] of this.#parts.entries()) {
      rmSync(part, { recursive: true, force: true });
      copy(join(this.#folder, String(at)), part);
    }
  }
}

// Node's own copy changes times of directories.
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to]);
  if (status !== 0) throw new Error(String(stderr));
}
