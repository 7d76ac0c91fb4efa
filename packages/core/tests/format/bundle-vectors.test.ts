/** Executes `docs/format/test-vectors/bundles.json`, and reads what docs/format/bundle-v1.md shows. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/format/canonical-json.js';
import { readUstarHeader, ustarHeader } from '../../src/format/ustar.js';
import { decodeBundleIndex, encodeBundleIndex } from '../../src/format/v1/bundle.js';
import { inspectBundle } from '../../src/timeline/shelf/take.js';
import type { bundleVectors } from './bundle-vectors.js';
import { failure } from './failure.js';

const folder = path.join(import.meta.dirname, '../../../../docs/format');
type Vectors = ReturnType<typeof bundleVectors>;
const text = fs.readFileSync(path.join(folder, 'test-vectors/bundles.json'), 'utf8');
const { accepted, paths, refused } = JSON.parse(text) as Vectors;

it.each(accepted)('the bundle "$name" is read to its end', async ({ id, files, end }) => {
  const bytes = Buffer.concat([
    ...files.flatMap(({ headerHex, contentHex, padding }) => [
      Buffer.from(headerHex, 'hex'),
      Buffer.from(contentHex, 'hex'),
      Buffer.alloc(padding),
    ]),
    Buffer.alloc(end),
  ]);
  const read = await inspectBundle(
    (async function* () {
      yield bytes;
    })(),
  );
  expect(read.map((snapshot) => snapshot.id)).toEqual([id]);
  for (const { path: name, headerHex, contentHex } of files) {
    const header = Buffer.from(headerHex, 'hex');
    expect(readUstarHeader(header)).toEqual({ path: name, bytes: contentHex.length / 2 });
  }
});

it.each(paths)('the path $path has its one place in a header, or none', ({ path: name, ...parts }) => {
  const header = ustarHeader({ path: name, bytes: 0 });
  const field = (at: number, bytes: number) =>
    Buffer.from(header ?? [])
      .toString('latin1', at, at + bytes)
      .replace(/\0+$/, '');
  const found = header === undefined ? {} : { prefix: field(345, 155), name: field(0, 100) };
  expect(found).toEqual(parts);
});

it.each(refused)('an index with $name is refused', ({ index, code = 'format_unreadable' }) => {
  expect(failure(() => decodeBundleIndex(canonicalJson(index as never))).code).toBe(code);
});

it('the index in the specification is one', () => {
  const page = fs.readFileSync(path.join(folder, 'bundle-v1.md'), 'utf8');
  const [, shown = ''] = /```json bundle\.json\n([\s\S]*?)```/.exec(page) ?? [];
  const bytes = canonicalJson(JSON.parse(shown) as never);
  expect(encodeBundleIndex(decodeBundleIndex(bytes))).toEqual(bytes);
});
