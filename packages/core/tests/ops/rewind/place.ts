/** A real repository for operations on its files. */
import { readdirSync, lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, utimesSync } from 'node:fs';
import path from 'node:path';
import {
  cleanEnvironment,
  fakeAgent,
  unbornRepository,
  type FakeAgent,
  type FixtureRepository,
} from '@savepoint/testkit';
import { openRepository } from '../../../src/open/open-repository.js';
import { capture } from '../../../src/ops/capture.js';
import type { Repository } from '../../../src/ops/repository/repository.js';
import type { Replacement, Replacements, ReplaceRequest } from '../../../src/worktree/replace/replacement.js';

export interface Place {
  readonly fixture: FixtureRepository;
  /** Runs work on a repository opened for it, as a process of its own would. */
  with<T>(work: (repository: Repository) => Promise<T>): Promise<T>;
  /** Takes a snapshot and returns its id. */
  snapshot(message?: string): Promise<string>;
  /** Starts an agent here; its log is at work until it is made old. */
  agent(session: string, lines: readonly object[]): FakeAgent;
}

export function place(): Place {
  const fixture = unbornRepository();
  fixture.write('.gitignore', '*.log\n');
  fixture.write('a.txt', 'a\n');
  fixture.write('dir/b.txt', 'b\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'First');
  return placeAt(fixture);
}

export function placeAt(fixture: FixtureRepository): Place {
  const configDirectory = path.join(fixture.home, '.claude');
  const place: Place = {
    fixture,
    async with(work) {
      const env = cleanEnvironment(fixture.home);
      const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
      try {
        return await work(repository);
      } finally {
        await repository.close();
      }
    },
    async snapshot(message = 'a snapshot') {
      return (await place.with((repository) => capture({ repository, message, transcript: false }))).id;
    },
    agent(session, lines) {
      const texts = lines.map((line) => JSON.stringify({ sessionId: session, cwd: fixture.root, ...line }));
      const agent = fakeAgent({ configDirectory, cwd: fixture.root, session, lines: texts });
      agent.play();
      return agent;
    },
  };
  return place;
}

/** Every file, link and directory outside `.git`, with its exact mode and content. */
export function treeOf(root: string, below = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(path.join(root, below)).sort()) {
    if (below === '' && name === '.git') continue;
    const at = below === '' ? name : `${below}/${name}`;
    const status = lstatSync(path.join(root, at));
    const mode = (status.mode & 0o7777).toString(8);
    if (status.isSymbolicLink()) found[at] = `link ${readlinkSync(path.join(root, at))}`;
    else if (status.isDirectory()) Object.assign(found, { [at]: `directory ${mode}` }, treeOf(root, at));
    else found[at] = `${mode} ${readFileSync(path.join(root, at), 'latin1')}`;
  }
  return found;
}

/** Makes a file old, as if nobody had touched it for minutes. */
export function age(file: string, minutes: number): void {
  const then = Date.now() / 1000 - minutes * 60;
  utimesSync(file, then, then);
}

/** A replacement of which some methods are somebody else's. */
export function meddledReplacement(
  replacement: Replacement,
  meddle: Partial<Pick<Replacement, 'apply' | 'close' | 'leave' | 'rollBack'>>,
): Replacement {
  return new Proxy(replacement, {
    get(target, name) {
      const own: unknown = Reflect.get(meddle, name);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The repository with replacements that are prepared another way. */
export async function withPrepare(
  repository: Repository,
  prepare: (request: ReplaceRequest, replacements: Replacements) => Promise<Replacement>,
): Promise<Repository> {
  const enrolled = await repository.enrol();
  const { replacements } = enrolled.worktree;
  const meddled = { ...replacements, prepare: (request: ReplaceRequest) => prepare(request, replacements) };
  const world: Repository = {
    ...enrolled,
    worktree: { ...enrolled.worktree, replacements: meddled },
    enrol: () => Promise.resolve(world),
  };
  return world;
}

/** The repository in which `meddle` happens after an operation was planned and before its first file is replaced. */
export function meddledWorld(repository: Repository, meddle: () => void): Promise<Repository> {
  return withPrepare(repository, async (request, replacements) => {
    const replacement = await replacements.prepare(request);
    const apply = (): ReturnType<Replacement['apply']> => {
      meddle();
      return replacement.apply();
    };
    return meddledReplacement(replacement, { apply });
  });
}

/** Puts each object into a file of its own. */
export function loosen({ fixture }: Place): void {
  const packs = fixture.path('.git/objects/pack');
  const moved = path.join(fixture.base, 'packs');
  renameSync(packs, moved);
  mkdirSync(packs);
  for (const name of readdirSync(moved).filter((one) => one.endsWith('.pack')))
    fixture.run({ args: ['unpack-objects', '-q'], input: readFileSync(path.join(moved, name)) });
}
