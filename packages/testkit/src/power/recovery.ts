/** Puts a disk back as a power cut may have left it, and looks whether Savepoint keeps its word on it. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { basename, join } from 'node:path';
import { fsckComplaints } from '../fsck.js';
import { diskManifest, manifestDifferences, snapshotManifest, type Manifest } from '../manifest.js';
import { savepoint, type ProgramAnswer } from '../processes/program.js';
import type { FixtureRepository } from '../repositories/repository.js';
import { auditStore, storedSnapshots } from '../stored.js';
import type { DiskState } from './disk-model.js';

/** Keeps the private indexes as they are now, so that a disk that is put back has the very same files. */
export class Keepsake {
  readonly #folder: string;
  readonly #kept = new Map<string, string>();

  constructor(folder: string, roots: readonly string[]) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const root of roots) this.#keep(root);
  }

  #keep(directory: string): void {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      const stat = lstatSync(path);
      if (stat.isDirectory()) this.#keep(path);
      else if (/^index-\d+$/.test(name)) {
        const kept = join(this.#folder, String(this.#kept.size));
        linkSync(path, kept);
        this.#kept.set(path, kept);
      }
    }
  }

  /** Gives the file its old place, if it is to have the bytes that it had. */
  giveBack(path: string, bytes: Buffer): boolean {
    const kept = this.#kept.get(path);
    if (kept === undefined || !readFileSync(kept).equals(bytes)) return false;
    linkSync(kept, path);
    return true;
  }
}

/** Makes the roots hold exactly the state. Every file is older than the machine's start, as after a power cut. */
export function putBack(state: DiskState, roots: readonly string[], keepsake: Keepsake): void {
  const beforeStart = Date.now() / 1000 - uptime() - 60;
  for (const root of roots) clear(root, state);
  for (const [path, { mode, bytes }] of state) {
    if (bytes === undefined) {
      if (!existsSync(path)) mkdirSync(path);
      chmodSync(path, mode);
    } else if (!isSame(path, bytes)) {
      rmSync(path, { force: true });
      if (keepsake.giveBack(path, bytes)) continue;
      writeFileSync(path, bytes);
      chmodSync(path, mode);
      utimesSync(path, beforeStart, beforeStart);
    } else if ((lstatSync(path).mode & 0o7777) !== mode) chmodSync(path, mode);
  }
}

function clear(directory: string, state: DiskState): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const wanted = state.get(path);
    const isDirectory = lstatSync(path).isDirectory();
    if (wanted === undefined || (wanted.bytes === undefined) !== isDirectory) rmSync(path, { recursive: true });
    else if (isDirectory) clear(path, state);
  }
}

function isSame(path: string, bytes: Buffer): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // An index that the program wrote since has another identity than the one that was there.
  return stat?.isFile() === true && !/^index-\d+$/.test(basename(path)) && readFileSync(path).equals(bytes);
}

export interface PromisePlace {
  readonly fixture: FixtureRepository;
  /** Ids that were printed. */
  readonly acknowledged: readonly string[];
  /** What git fsck said before. */
  readonly complaints: readonly string[];
}

/** Returns what does not hold: every printed id complete and valid, nothing half-written, the next capture works. */
export async function brokenPromises({ fixture, acknowledged, complaints }: PromisePlace): Promise<readonly string[]> {
  const place = { cwd: fixture.root, home: fixture.home };
  const [verified, listed] = await Promise.all([
    savepoint(['--json', 'verify', '--all', '--deep'], place),
    savepoint(['--json', 'list', '--limit', '1000'], place),
  ]);
  const problems = [
    ...fsckComplaints(fixture)
      .filter((line) => !complaints.includes(line))
      .map((line) => `git fsck: ${line}`),
    ...verifyProblems(verified, acknowledged),
    ...listProblems(listed, acknowledged),
  ];
  const next = await savepoint(['--json', 'capture', '-m', 'after the power cut'], place);
  await untilNobodyWorksIn(fixture.base);
  if (next.code !== 0) return [...problems, `the next capture: exit ${String(next.code)} ${next.stderr.slice(0, 600)}`];
  const { verdict, complete, id } = next.json();
  if (verdict !== 'valid' || !complete) problems.push(`the next capture is ${verdict}, complete: ${String(complete)}`);
  const audit = auditStore(fixture);
  problems.push(...audit.map((line) => `after the next capture: ${line}`));
  if (audit.length > 0) return problems;
  const stored = storedSnapshots(fixture);
  const lost = acknowledged.filter((one) => !stored.some((snapshot) => snapshot.id === one));
  problems.push(...lost.map((one) => `after the next capture: ${one} is gone`));
  const made = stored.find((snapshot) => snapshot.id === id);
  if (made === undefined) return [...problems, 'the next capture is not in the store'];
  const different = manifestDifferences(presentTree(fixture), snapshotManifest(fixture, made.commit));
  return [
    ...problems,
    ...different.slice(0, 3).map((line) => `the next capture is not exact: ${JSON.stringify(line)}`),
  ];
}

/** What is on the disk. Where it keeps no order among names, an empty folder of a replacement can come back, which scans leave out. */
export function presentTree(fixture: FixtureRepository): Manifest {
  return new Map([...diskManifest(fixture)].filter(([path]) => !path.includes('.savepoint-restore-')));
}

/** Resolves when no process is left that works in a directory, such as one that merges packs in the background. */
export async function untilNobodyWorksIn(directory: string): Promise<void> {
  const isBusy = (): boolean =>
    (existsSync('/proc/self') ? readdirSync('/proc') : [])
      .filter((name) => /^\d+$/.test(name))
      .some((pid) => workingDirectory(pid).startsWith(directory));
  while (isBusy()) await new Promise((resolve) => setTimeout(resolve, 20));
}

function workingDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function verifyProblems(answer: ProgramAnswer, acknowledged: readonly string[]): readonly string[] {
  const said = answer.stdout === '' ? answer.stderr : answer.stdout;
  if (answer.code !== 0) {
    const none = acknowledged.length === 0 && /"no_snapshots"/.test(answer.stderr);
    if (none) return [];
    if (answer.stdout === '') return [`verify: exit ${String(answer.code)} ${said.slice(0, 600)}`];
  }
  const { results } = answer.json();
  const bad = results.filter(({ verdict }) => verdict !== 'valid');
  const missing = acknowledged.filter((id) => !results.some((result) => result.id === id));
  return [
    ...bad.map(({ id, verdict, checks }) => {
      const failed = checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
      return `verify: ${id} is ${verdict} (${failed.join('; ')})`;
    }),
    ...missing.map((id) => `verify: ${id} was printed and is gone`),
    ...(answer.code === 0 || bad.length > 0 ? [] : [`verify: exit ${String(answer.code)} ${said.slice(0, 300)}`]),
  ];
}

function listProblems(answer: ProgramAnswer, acknowledged: readonly string[]): readonly string[] {
  if (answer.code !== 0) return [`list: exit ${String(answer.code)} ${answer.stderr.slice(0, 600)}`];
  const { snapshots } = answer.json();
  return acknowledged
    .filter((id) => !snapshots.some((snapshot) => snapshot.id === id))
    .map((id) => `list: ${id} was printed and is not listed`);
}
