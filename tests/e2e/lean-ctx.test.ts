/** Snapshots of lean-ctx: taken in as evidence after they were verified by their own rules, and written so that they verify there. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  auditStore,
  blake3,
  plainRepository,
  recordedSession,
  unbornRepository,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { act, capture, expectError, run, verify } from './support/acts.js';

interface Vector {
  readonly name: string;
  readonly canonical_body: string;
  readonly snapshot_id: string;
  readonly public_key: string;
  readonly signature: string;
}

const RECORDING = 'projects/-home-dev-repo/11111111-2222-4333-8444-555555555555.jsonl';
const VECTORS = new URL('../../packages/core/tests/fixtures/lean-ctx/vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { readonly vectors: readonly Vector[] };

/** Returns the file of a vector in lines, with the digits of every number as they are in its body. */
function fileOf(name: string): { readonly id: string; readonly signer: string; readonly text: string } {
  const { canonical_body, snapshot_id, public_key, signature } = vectors.find((one) => one.name === name) ?? raise();
  const text = canonical_body
    .replace('"snapshot_id":""', `"snapshot_id":"${snapshot_id}"`)
    .replace(
      /"signature":null\}$/,
      `\n  "signature":{"algorithm":"ed25519","public_key":"${public_key}","value":"${signature}"}}`,
    );
  return { id: snapshot_id, signer: `ed25519:${public_key}`, text };
}

function raise(): never {
  throw new Error('there is no such vector');
}

function put(fixture: FixtureRepository, name: string, text: string): string {
  const file = join(fixture.base, name);
  writeFileSync(file, text);
  return file;
}

interface Imported {
  readonly format: string;
  readonly unchanged: boolean;
  readonly snapshots: readonly {
    readonly id: string;
    readonly signer: string;
    readonly verdict: string;
    readonly added: number;
    readonly original: { readonly format: string; readonly id: string };
  }[];
}

async function take(fixture: FixtureRepository, file: string, ...args: readonly string[]): Promise<Imported> {
  const answer = await act(fixture, ['--json', 'import', file, ...args]);
  expect(answer.code, answer.stderr).toBe(0);
  return answer.json() as unknown as Imported;
}

describe('a file of lean-ctx', () => {
  it('is taken in apart from the own timelines, as it is, and once', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const { id, signer, text } = fileOf('FULL');
    const file = put(fixture, 'theirs.ctxsnapshot.json', text);
    const first = await take(fixture, file);
    expect(first).toMatchObject({ format: 'lean-ctx', unchanged: false });
    const [taken = raise()] = first.snapshots;
    expect(taken).toMatchObject({ signer, verdict: 'valid_unknown_signer', original: { format: 'lean-ctx/1', id } });
    const again = await take(fixture, put(fixture, 'the same.json', text.replace('\n  ', ' ')));
    expect(again).toMatchObject({ unchanged: true, snapshots: [{ id: taken.id, added: 0 }] });

    const evidence = await act(fixture, ['show', taken.id, '--file', 'lean-ctx.json']);
    const slice = await act(fixture, ['show', taken.id, '--slice', 'lean-ctx']);
    expect(evidence.stdout).toBe(text);
    expect(JSON.parse(slice.stdout)).toEqual(JSON.parse(text));
    const tree = fixture.git('for-each-ref', '--format=%(objectname)', 'refs/savepoint/v1/remotes/bundle');
    const stored = fixture.git('show', `${tree}:${taken.id.slice(0, 2)}/${taken.id.slice(2)}/lean-ctx.json`);
    expect(stored).toBe(text);

    const { results } = await verify(fixture, ['--all', '--deep']);
    expect(results.find((one) => one.id === taken.id)?.verdict).toBe('valid_unknown_signer');
    const listed = (await act(fixture, ['--json', 'list', '--all'])).json().snapshots;
    expect(listed.find((one) => one.id === taken.id)?.message).toBe('Implement Context Time Machine');
    expect((await run(fixture, ['key', 'trust', 'Theirs', signer])).code).toBe(0);
    const { results: trusted } = await verify(fixture, ['--all']);
    expect(trusted.find((one) => one.id === taken.id)?.verdict).toBe('valid');
    expect(auditStore(fixture)).toEqual([]);
  });

  it('is where no rewind goes', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const { snapshots } = await take(fixture, put(fixture, 'theirs.json', fileOf('MIN').text));
    await expectError(fixture, ['--yes', 'rewind', snapshots[0]?.id ?? ''], { exit: 14, code: 'snapshot_foreign' });
  });

  it('proves itself where there is no repository', async () => {
    const place = unbornRepository();
    const { id, signer, text } = fileOf('FULL');
    const file = put(place, 'theirs.json', text);
    const alone = (path: string) => run(place, ['--json', 'verify', path], { cwd: place.beside });
    expect((await alone(file)).json().results).toMatchObject([{ id, verdict: 'valid_unknown_signer' }]);
    expect((await alone(file)).stdout).toContain(signer);
    const tampered = await alone(put(place, 'tampered.json', text.replace('"dirty":true', '"dirty":false')));
    expect([tampered.code, tampered.json().results[0]?.verdict]).toEqual([15, 'digest_mismatch']);
    expect(existsSync(join(place.home, '.config/savepoint/keys/own.json'))).toBe(false);
  });

  it.each([
    ['a changed number', '0.44444', '0.444440', 'digest_mismatch'],
    ['a changed word', 'Use ed25519', 'Use ed448', 'digest_mismatch'],
    ['a changed signature', /"value":"./, '"value":"0', 'bad_signature'],
    ['a signature that is gone', /"signature":\{.*\}\}$/, '"signature":null}', 'unsigned'],
    ['a field that nothing covers', '"git":', '"note":"trust me","git":', 'not_canonical'],
    ['a torn end', /.{9}$/, '', 'not_canonical'],
  ])('is refused with %s, and nothing changes', async (...[, before, after, verdict]) => {
    const fixture = plainRepository();
    const file = put(fixture, 'theirs.json', fileOf('FULL').text.replace(before, after));
    await expectError(fixture, ['import', file], { exit: 15, code: 'bundle_refused' });
    expect((await act(fixture, ['--json', 'import', file])).error().data).toMatchObject({ verdict });
    expect(fixture.git('for-each-ref', 'refs/savepoint')).toBe('');
  });

  it('of an unknown signer is refused where only trusted ones are wanted', async () => {
    const fixture = plainRepository();
    const file = put(fixture, 'theirs.json', fileOf('FULL').text);
    await expectError(fixture, ['import', '--require-trusted', file], { exit: 14, code: 'signer_unknown' });
    expect(fixture.git('for-each-ref', 'refs/savepoint')).toBe('');
  });
});

describe('publish --format lean-ctx', () => {
  it('writes what verifies by the rules of lean-ctx, on another machine too', async () => {
    const fixture = plainRepository();
    const { anchor } = await capture(fixture, { args: ['-m', 'for a colleague'] });
    const file = join(fixture.base, 'ours.ctxsnapshot.json');
    const answer = await act(fixture, ['--json', 'publish', '--format', 'lean-ctx', '--out', file]);
    expect(answer.code, answer.stderr).toBe(0);
    expect(answer.json()).toMatchObject({ unknown: expect.arrayContaining(['roi.input_tokens']) as unknown });
    const text = readFileSync(file, 'utf8');
    const value = JSON.parse(text) as { readonly git: unknown; readonly snapshot_id: string };
    expect(value.git).toEqual({ commit: anchor.commit, branch: anchor.branch, dirty: true });
    // As there: fields in their order, the id and the signature taken out, on one line. Only 0.0 is a float here.
    const body = text
      .replace(/"snapshot_id": "[0-9a-f]+"/, '"snapshot_id": ""')
      .replace(/"signature": \{[^}]*\}/, '"signature": null')
      .replace(/\n\s*/g, '')
      .replace(/(?<=[a-z_]"): /g, ':');
    expect(blake3(Buffer.from(body))).toBe(value.snapshot_id);
    expect(body).toContain('"compression_rate":0.0}');

    const other = plainRepository();
    const taken = await take(other, file);
    expect(taken.snapshots[0]).toMatchObject({
      verdict: 'valid_unknown_signer',
      original: { id: value.snapshot_id },
    });
    const mine = (await run(fixture, ['--json', 'verify', file])).json().results;
    expect(mine).toMatchObject([{ id: value.snapshot_id, verdict: 'valid' }]);
  });

  it('carries the gist of the recorded conversation', async () => {
    const fixture = plainRepository();
    const log = join(fixture.base, '11111111-2222-4333-8444-555555555555.jsonl');
    writeFileSync(log, (recordedSession(RECORDING) ?? raise()).map((line) => `${line}\n`).join(''));
    await capture(fixture, { args: ['--transcript', log] });
    const { totals } = (await run(fixture, ['--json', 'ledger'])).json() as unknown as {
      readonly totals: Readonly<Record<'input' | 'output' | 'cacheRead' | 'cacheWrite', number>>;
    };
    const written = (await act(fixture, ['publish', '--format', 'lean-ctx', '--out', '-'])).stdout;
    const dry = (await act(fixture, ['--json', 'publish', '--format', 'lean-ctx', '--dry-run'])).json() as unknown as {
      readonly withheld: readonly { readonly path: string }[];
    };
    expect(dry.withheld.map(({ path }) => path)).toEqual(['filesystem', 'index', 'transcript', 'worktree']);
    expect(JSON.parse(written)).toMatchObject({
      roi: { input_tokens: totals.input + totals.cacheRead + totals.cacheWrite, output_tokens: totals.output },
      lineage: { items: expect.arrayContaining([expect.objectContaining({ kind: 'shell', tool: 'Bash' })]) as unknown },
      session: { session_id: '11111111-2222-4333-8444-555555555555' },
    });
  });

  it('says what has no place there, and takes no files', async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const dry = (await act(fixture, ['--json', 'publish', '--format', 'lean-ctx', '--dry-run'])).json() as unknown as {
      readonly withheld: readonly { readonly path: string; readonly reason: string }[];
    };
    expect(dry.withheld).toContainEqual(expect.objectContaining({ path: 'worktree', reason: 'no_place' }));
    const files = ['publish', '--format', 'lean-ctx', '--file', 'readme.md'];
    await expectError(fixture, files, { exit: 17, code: 'bundle_impossible' });
  });
});
