/** Generators of every document of the format, with unknown fields where the format allows them. */
import fc from 'fast-check';
import { toRepoPath, type RepoPath } from '../../src/base/path.js';
import { formatTime } from '../../src/base/clock.js';
import type { JsonValue } from '../../src/base/json.js';
import type { FactBody, FactContent } from '../../src/model/fact.js';
import type { FilesystemRecord } from '../../src/model/tree/filesystem.js';
import type { SnapshotBody } from '../../src/model/snapshot.js';
import type { StagedRecord } from '../../src/model/tree/staged.js';
import type { TranscriptPart, TranscriptSource } from '../../src/model/context/transcript.js';

/** Any text without lone surrogates, astral and control characters included. */
export const text = (maxLength = 40) => fc.string({ unit: 'binary', maxLength });
export const filledText = (maxLength = 40) => fc.string({ unit: 'binary', minLength: 1, maxLength });

export const integer = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER));
const hexOf = (digits: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });
export const snapshotId = hexOf(64);
export const randomId = hexOf(32);
const gitId = (format: string) => hexOf(format === 'sha1' ? 40 : 64);
const anyGitId = fc.oneof(hexOf(40), hexOf(64));
export const signer = hexOf(64).map((digits) => `ed25519:${digits}`);
const token = fc.stringMatching(/^[a-z][a-z0-9._-]{0,15}$/);
const time = fc.integer({ min: 0, max: 253_402_300_799_999 }).map(formatTime);
const tag = filledText(12).filter((value) => !/\p{Cc}/u.test(value));

/** JSON values of the format's value space. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(text(8), fc.constantFrom('__proto__', 'constructor', '1', '10', 'é', '\u{1f602}')),
      tie('value'),
      {
        maxKeys: 4,
      },
    ),
  ),
})).value;

// The name cannot be one of the format's.
const unknown = fc.option(
  fc.dictionary(
    text(6).map((name) => `x-${name}`),
    jsonValue,
    { minKeys: 1, maxKeys: 2 },
  ),
  { nil: {}, freq: 3 },
);

/** Adds fields that this version does not know. */
function open<T extends object>(known: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.tuple(known, unknown).map(([value, more]) => ({ ...value, ...more }));
}

/** Leaves optional fields out now and then. */
function shape<T extends object>(required: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> {
  return open(fc.record(required) as fc.Arbitrary<T>);
}

function partly<T extends object, O extends object>(
  required: { [K in keyof T]: fc.Arbitrary<T[K]> },
  optional: { [K in keyof O]: fc.Arbitrary<O[K]> },
): fc.Arbitrary<T & Partial<O>> {
  const all = { ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>;
  return open(fc.record(all, { requiredKeys: Object.keys(required) }) as fc.Arbitrary<T & Partial<O>>);
}

const component = fc
  .oneof(
    fc.stringMatching(/^[a-z]{1,6}(\.[a-z]{1,3})?$/),
    fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    filledText(5).map((value) => Buffer.from(value, 'utf8').toString('latin1')),
  )
  .filter((name) => !/[\0/]/.test(name) && name !== '.' && name !== '..');

/** Paths of any bytes: readable, not UTF-8, with newlines and quotes. */
export const repoPath: fc.Arbitrary<RepoPath> = fc
  .array(component, { minLength: 1, maxLength: 3 })
  .map((parts) => toRepoPath(parts.join('/')));

function onPaths<T extends object>(more: fc.Arbitrary<T>, maxLength = 4): fc.Arbitrary<(RepoPath & T)[]> {
  return fc.uniqueArray(
    fc.tuple(repoPath, more).map(([path, fields]) => ({ ...path, ...fields })),
    { maxLength, selector: ({ path, pathBytes }) => `${path}\0${pathBytes ?? ''}` },
  );
}

const mode = fc.stringMatching(/^[0-7]{4}$/);
const boundary = shape({ kind: fc.constantFrom('submodule', 'repository', 'special', 'sparse') });
const omission = partly(
  { reason: fc.constantFrom('unreadable', 'changing', 'too_large', 'over_limit') },
  { bytes: integer },
);
export const witness = shape({ timeline: randomId, sequence: integer.map((n) => Math.max(1, n)), id: snapshotId });
const seen = (maxLength: number) => fc.uniqueArray(witness, { maxLength, selector: (one) => one.timeline });

const slice = fc.constantFrom('blake3', 'git-sha1', 'git-sha256').chain((algorithm) =>
  shape({
    name: token,
    algorithm: fc.constant(algorithm),
    digest: hexOf(algorithm === 'git-sha1' ? 40 : 64),
    bytes: integer,
    parts: integer,
  }),
);

const anchor = fc
  .constantFrom('sha1', 'sha256')
  .chain((objectFormat) =>
    partly(
      { dirty: fc.boolean(), objectFormat: fc.constant(objectFormat) },
      { commit: gitId(objectFormat), branch: filledText(), headTree: gitId(objectFormat) },
    ),
  );

export const body: fc.Arbitrary<SnapshotBody> = partly(
  {
    format: fc.constant('savepoint.snapshot/1'),
    repository: randomId,
    timeline: randomId,
    sequence: integer.map((n) => Math.max(1, n)),
    parents: fc.uniqueArray(snapshotId, { maxLength: 3 }),
    createdAt: time,
    signer: fc.oneof(fc.constant(''), signer),
    message: text(120),
    tags: fc.array(tag, { maxLength: 3 }),
    trigger: shape({ kind: fc.constantFrom('manual', 'automatic', 'scheduled'), reason: text() }),
    anchor,
    slices: fc.uniqueArray(slice, { maxLength: 4, selector: ({ name }) => name }),
    totals: shape({ files: integer, bytes: integer }),
    redactions: shape({ count: integer, kinds: fc.dictionary(token, integer, { maxKeys: 3 }) }),
    boundaries: onPaths(boundary, 3),
    omitted: onPaths(omission, 3),
    complete: fc.boolean(),
    seen: seen(4),
  },
  {
    origin: partly(
      { kind: fc.constantFrom('rewind', 'restore', 'undo', 'redo', 'import', 'fork'), from: snapshotId },
      { operation: randomId },
    ),
    original: shape({ format: fc.constantFrom('lean-ctx/1', 'another/27'), id: snapshotId, signer }),
    session: partly({ agent: token, id: filledText() }, { guessed: fc.boolean() }),
  },
).map((value) => ({ ...value, complete: value.complete && value.omitted.length === 0 }));

const content = fc.oneof(
  partly({ kind: fc.constantFrom('pin', 'unpin'), snapshot: snapshotId }, { name: tag, reason: text() }),
  shape({ kind: fc.constant('name'), snapshot: snapshotId, name: tag }),
  partly(
    { kind: fc.constant('link'), commit: anyGitId, id: snapshotId, how: token },
    { tree: anyGitId, patchId: anyGitId },
  ),
  shape({ kind: fc.constant('trust'), key: signer, name: tag }),
  shape({ kind: fc.constant('rotate'), key: signer }),
  partly(
    { kind: fc.constant('revoke'), key: signer, lastGood: fc.array(snapshotId, { maxLength: 3 }) },
    { reason: text() },
  ),
  shape({ kind: fc.constant('tombstone'), snapshots: fc.array(snapshotId, { maxLength: 3 }), reason: text() }),
) as fc.Arbitrary<FactContent>;

export const fact: fc.Arbitrary<FactBody> = fc
  .tuple(
    shape({
      format: fc.constant('savepoint.fact/1'),
      repository: randomId,
      replica: randomId,
      at: time,
      signer,
      content,
      seen: seen(4),
    }),
    fc.option(fc.tuple(snapshotId, fc.integer({ min: 2 })), { nil: undefined }),
  )
  .map(
    ([value, later]) =>
      (later === undefined
        ? { ...value, sequence: 1 }
        : { ...value, previous: later[0], sequence: later[1] }) as FactBody,
  );

export const filesystem = shape({
  modes: shape({ file: mode, executable: mode, directory: mode }),
  exceptions: onPaths(shape({ mode })),
  emptyDirectories: onPaths(fc.constant({})),
  boundaries: onPaths(boundary),
  omitted: onPaths(omission),
  ignored: onPaths(fc.constant({})),
  diverted: onPaths(shape({ type: fc.constantFrom('file', 'link'), mode, blob: anyGitId })),
}) as fc.Arbitrary<FilesystemRecord>;

export const staged = shape({
  tree: anyGitId,
  unmerged: onPaths(
    shape({ stage: fc.integer({ min: 1, max: 3 }), mode: fc.constantFrom('100644', '120000'), blob: anyGitId }),
  ),
  flagged: onPaths(
    shape({ flags: fc.uniqueArray(fc.constantFrom('intent_to_add', 'assume_unchanged', 'skip_worktree')) }),
  ),
}) as fc.Arbitrary<StagedRecord>;

export const part = partly(
  {
    offset: integer,
    length: integer,
    lines: integer,
    redactor: filledText(),
    spans: fc.array(shape({ start: integer, end: integer, kind: token }), { maxLength: 4 }),
  },
  { continues: fc.boolean(), unreadable: fc.uniqueArray(integer, { maxLength: 4 }) },
) as fc.Arbitrary<TranscriptPart>;

export const source = partly(
  {
    agent: token,
    session: filledText(),
    name: component.filter((name) => /^[ -~]+$/.test(name)),
    bytes: integer,
    parts: integer,
  },
  { guessed: fc.boolean(), shrunk: fc.array(shape({ from: integer, to: integer, at: time }), { maxLength: 3 }) },
) as fc.Arbitrary<TranscriptSource>;
