import { describe, expect, it } from 'vitest';
import { text } from '../../../src/base/bytes.js';
import { leanCtxId, writeLeanCtx } from '../../../src/format/lean-ctx/codec.js';
import { examineLeanCtx } from '../../../src/timeline/lean-ctx/judge.js';
import { failure } from '../../format/failure.js';
import { readText, signedLine, vector, VECTORS } from '../../format/lean-ctx/vectors.js';

type Path = readonly (string | number)[];

/** Every place of a value that holds no container. */
function leaves(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leaves(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Returns the text with the value at one place changed by a little, and everything else as it was. */
function change(line: string, path: Path): string {
  const value = JSON.parse(line) as unknown;
  let parent = value as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) parent = parent[key] as Record<string | number, unknown>;
  const last = path.at(-1) ?? '';
  const before = parent[last];
  parent[last] =
    typeof before === 'number'
      ? before + 1
      : typeof before === 'boolean'
        ? !before
        : before === null
          ? 'x'
          : lastDigitTurned(before as string);
  return JSON.stringify(value);
}

function lastDigitTurned(before: string): string {
  return `${before.slice(0, -1)}${before.endsWith('0') ? '1' : '0'}`;
}

describe('a snapshot of lean-ctx', () => {
  it.each(VECTORS)('of the vector $name verifies, and names who signed it', (one) => {
    const found = examineLeanCtx(readText(signedLine(one)));
    expect(found).toMatchObject({ state: 'good', id: one.snapshot_id, signer: `ed25519:${one.public_key}` });
    expect(found.checks.map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('verifies again after it was read and written', () => {
    const again = text(writeLeanCtx(readText(signedLine(vector('FULL')))));
    expect(examineLeanCtx(readText(again)).state).toBe('good');
  });

  it('verifies with a key in upper digits, as in lean-ctx', () => {
    const one = vector('FULL');
    const line = signedLine(one).replace(one.public_key, one.public_key.toUpperCase());
    expect(examineLeanCtx(readText(line))).toMatchObject({ state: 'good', signer: `ed25519:${one.public_key}` });
  });

  it('without a signature is intact but unsigned', () => {
    const { canonical_body, snapshot_id } = vector('FULL');
    const line = canonical_body.replace('"snapshot_id":""', `"snapshot_id":"${snapshot_id}"`);
    const found = examineLeanCtx(readText(line));
    expect(found.state).toBe('unsigned');
    expect(found).not.toHaveProperty('signer');
    expect(found.checks.map(({ ok }) => ok)).toEqual([true, false]);
  });
});

describe('a change of one field', () => {
  const line = signedLine(vector('FULL'));
  const places = leaves(JSON.parse(line)).map((path) => ({ name: path.join('.'), path }));
  const isSignature = (name: string): boolean => name.startsWith('signature.');

  it('is tried at every field', () => {
    expect(places).toHaveLength(39);
    // Nothing else changes on the way.
    expect(JSON.stringify(JSON.parse(line))).toBe(line);
  });

  it.each(places.filter(({ name }) => name !== 'schema_version' && !isSignature(name)))(
    'is a digest mismatch: $name',
    ({ path }) => {
      const found = examineLeanCtx(readText(change(line, path)));
      expect(found.state).toBe('digest_mismatch');
      expect(found.checks[0]).toMatchObject({ name: 'content', ok: false });
    },
  );

  it.each(places.filter(({ name }) => isSignature(name)))('is a bad signature: $name', ({ path }) => {
    const found = examineLeanCtx(readText(change(line, path)));
    expect(found.state).toBe('bad_signature');
    expect(found).not.toHaveProperty('signer');
    expect(found.checks.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('of the schema is too new', () => {
    expect(failure(() => readText(change(line, ['schema_version']))).code).toBe('format_version_unsupported');
  });

  it.each([
    ['another form of the same number', '0.44444', '0.444440'],
    ['an exponent for the same number', '0.44444', '4.4444e-1'],
    ['no point in the same number', '"phi":0.91', '"phi":91e-2'],
  ])('that leaves its value is a digest mismatch: %s', (_, before, after) => {
    expect(line).toContain(before);
    expect(examineLeanCtx(readText(line.replace(before, after))).state).toBe('digest_mismatch');
  });

  it('with the id made to fit is a bad signature', () => {
    const changed = readText(change(line, ['session', 'decisions', 0]));
    const found = examineLeanCtx({ ...changed, snapshot_id: leanCtxId(changed) });
    expect(found.state).toBe('bad_signature');
  });

  it('to a key of small order is a bad signature, whatever the message', () => {
    const one = vector('FULL');
    const point = `01${'00'.repeat(31)}`;
    const forged = line.replace(one.public_key, point).replace(one.signature, `${point}${'00'.repeat(32)}`);
    expect(examineLeanCtx(readText(forged)).state).toBe('bad_signature');
  });
});
