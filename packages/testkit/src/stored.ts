/** Reads snapshots with plain git, without any code of the program: what is in the store, and whether it holds. */
import { createPublicKey, verify } from 'node:crypto';
import { blake3 } from './blake3.js';
import type { FixtureRepository } from './repositories/repository.js';

/** The fields of a body that tests look at. */
export interface StoredBody {
  readonly format: string;
  readonly timeline: string;
  readonly sequence: number;
  readonly parents: readonly string[];
  readonly signer: string;
  readonly message: string;
  readonly complete: boolean;
  readonly slices: readonly { readonly name: string; readonly algorithm: string; readonly digest: string }[];
}

export interface StoredSnapshot {
  /** BLAKE3 of the body's bytes, computed here. */
  readonly id: string;
  readonly commit: string;
  readonly tree: string;
  readonly timeline: string;
  readonly body: StoredBody;
}

type Place = Pick<FixtureRepository, 'run'>;

/** Returns the refs of local timelines and the commits at their heads. */
export function timelineRefs(fixture: Place): ReadonlyMap<string, string> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname:lstrip=4)', 'refs/savepoint/v1/timelines/'];
  const lines = fixture.run({ args }).stdout.toString('utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

/** Returns every snapshot of every timeline, newest first within each. */
export function storedSnapshots(fixture: Place): readonly StoredSnapshot[] {
  return [...timelineRefs(fixture)].flatMap(([timeline, head]) => {
    const args = ['rev-list', '--first-parent', '--format=%T', '--no-commit-header', '--no-show-signature', head];
    const trees = fixture.run({ args }).stdout.toString('utf8').split('\n').filter(Boolean);
    const commits = fixture.run({ args: ['rev-list', '--first-parent', head] }).stdout.toString('utf8');
    const bodies = readBlobs(
      fixture,
      trees.map((tree) => `${tree}:snapshot.json`),
    );
    return commits
      .split('\n')
      .filter(Boolean)
      .map((commit, at): StoredSnapshot => {
        const bytes = bodies[at] ?? new Uint8Array();
        const body = JSON.parse(Buffer.from(bytes).toString('utf8')) as StoredBody;
        return { id: blake3(bytes), commit, tree: trees[at] ?? '', timeline, body };
      });
  });
}

/** Reads blobs in one run of git. @throws Error that names the first one that is missing */
export function readBlobs(fixture: Place, names: readonly string[]): readonly Buffer[] {
  if (names.length === 0) return [];
  const args = ['cat-file', '--batch'];
  const { stdout } = fixture.run({ args, input: `${names.join('\n')}\n` });
  const blobs: Buffer[] = [];
  let at = 0;
  for (const name of names) {
    const end = stdout.indexOf(0x0a, at);
    const [, type, size] = stdout.toString('latin1', at, end).split(' ');
    if (type !== 'blob') throw new Error(`${name} is not a blob in the store`);
    blobs.push(stdout.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return blobs;
}

/** Returns what is wrong with the store: unreachable content, ids, signatures and chains that do not hold. */
export function auditStore(fixture: Place): readonly string[] {
  const refs = fixture
    .run({ args: ['for-each-ref', '--format=%(refname)', 'refs/savepoint/'] })
    .stdout.toString('utf8');
  const problems: string[] = [];
  for (const ref of refs.split('\n').filter(Boolean)) {
    const { code, stderr } = fixture.run({ args: ['rev-list', '--objects', '--quiet', ref], accept: 'any' });
    if (code !== 0) problems.push(`${ref}: ${stderr.trim()}`);
  }
  if (problems.length > 0) return problems;
  const snapshots = storedSnapshots(fixture);
  snapshots.forEach((snapshot, at) => {
    const older = snapshots[at + 1]?.timeline === snapshot.timeline ? snapshots[at + 1] : undefined;
    for (const problem of snapshotProblems(fixture, snapshot, older)) {
      problems.push(`${snapshot.timeline} ${String(snapshot.body.sequence)}: ${problem}`);
    }
  });
  return problems;
}

function snapshotProblems(fixture: Place, snapshot: StoredSnapshot, older: StoredSnapshot | undefined): string[] {
  const { body } = snapshot;
  const problems: string[] = [];
  if (body.format !== 'savepoint.snapshot/1') problems.push(`format ${body.format}`);
  if (body.timeline !== snapshot.timeline) problems.push('it lies on another timeline than it says');
  if (body.sequence !== (older?.body.sequence ?? 0) + 1) problems.push('its sequence does not follow');
  if (older !== undefined && body.parents[0] !== older.id) problems.push('its first parent is not the one before');
  if (!signatureHolds(fixture, snapshot)) problems.push('its signature does not hold');
  return problems;
}

// DER of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410), up to the 32 raw bytes.
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function signatureHolds(fixture: Place, { id, tree, body }: StoredSnapshot): boolean {
  // It says itself that it is not signed, and has no such file.
  if (body.signer === '') return true;
  const [bytes] = readBlobs(fixture, [`${tree}:signature.json`]);
  const file = JSON.parse((bytes ?? Buffer.alloc(0)).toString('utf8')) as { signer: string; value: string };
  if (file.signer !== body.signer || !body.signer.startsWith('ed25519:')) return false;
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(body.signer.slice(8), 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(`savepoint.snapshot/1\n${id}`, 'utf8'), key, Buffer.from(file.value, 'hex'));
}
