/** Executes `docs/format/v1.md`: the snapshot that it shows is one, and the numbers and names in its text are those of the code. */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { describe, expect, it } from 'vitest';
import { text, utf8 } from '../../src/base/bytes.js';
import { VERDICTS } from '../../src/model/verdict.js';
import { canonicalJson, DEPTH_LIMIT, parseJson } from '../../src/format/canonical-json.js';
import { blake3 } from '../../src/format/digest.js';
import { folderDigest, folderManifest } from '../../src/format/manifest.js';
import { BODY_BYTES, decodeBody, encodeBody, SEEN_LIMIT, shortId } from '../../src/format/v1/body.js';
import { decodeFact, encodeFact } from '../../src/format/v1/fact.js';
import { commitMessage, FOLDER_LIMIT, PART_BYTES } from '../../src/format/v1/layout.js';
import { PART_LIMIT, partPath } from '../../src/format/v1/parts.js';
import * as records from '../../src/format/v1/records.js';
import { BUCKET_LIMIT, BUCKET_RECORDS, bucketPath } from '../../src/format/v1/state/buckets.js';
import { decodeItems } from '../../src/format/v1/state/items.js';
import { decodeSignature } from '../../src/format/v1/signature.js';
import { COMMIT_IDENTITY } from '../../src/store/git-objects.js';
import { factsRef } from '../../src/timeline/facts.js';
import { SEVERITY } from '../../src/timeline/verify/verdicts.js';
import { verifySignature } from '../../src/trust/signature.js';

const page = fs.readFileSync(path.join(import.meta.dirname, '../../../../docs/format/v1.md'), 'utf8');
const blocks = new Map(
  [...page.matchAll(/^```(?:json|text) (\S+)\n(.*?)^```$/gms)].map(([, name = '', body = '']) => [name, body]),
);

/** The canonical bytes of a JSON block, which is shown with line breaks. */
function stored(name: string): Uint8Array {
  return canonicalJson(parseJson(utf8(blocks.get(name) ?? ''), `The block ${name}`));
}

describe('the snapshot on the page of the format', () => {
  const body = decodeBody(stored('snapshot.json'));
  const { id } = encodeBody(body);
  const slice = (name: string) => body.slices.find((one) => one.name === name);

  it('has the id that the page says, and a signature that holds', () => {
    expect(page).toContain(`\`${id}\``);
    expect(page).toContain(`\`${shortId(id)}\``);
    const signature = decodeSignature(stored('signature.json'));
    expect(verifySignature({ signer: body.signer, format: body.format, id, signature })).toBe(true);
  });

  it('names the digests of the documents that are shown', () => {
    records.decodeFilesystem(stored('filesystem.json'));
    records.decodeStaged(stored('index.json'));
    for (const name of ['filesystem', 'index']) {
      const bytes = stored(`${name}.json`);
      expect(slice(name)).toMatchObject({ digest: blake3(bytes), bytes: bytes.length, parts: 1 });
    }
  });

  it('names the digest of the transcript that is shown, by the manifests that are shown', () => {
    const part = records.decodePart(stored('00.json'));
    const log = utf8(blocks.get('00.jsonl') ?? '');
    const { start, end } = part.spans[0] ?? { start: 0, end: 0 };
    expect(text(log.subarray(start, end))).toBe('[REDACTED:github-token]');
    expect(text(log).split('\n')).toHaveLength(part.lines + 1);
    const source = records.decodeSource(stored('source.json'));
    const file = (name: string, bytes: Uint8Array) => ({ name, bytes: bytes.length, parts: 1, digest: blake3(bytes) });
    const leaf = [file('00.jsonl', log), file('00.json', stored('00.json'))];
    const session = [
      { name: '00', ...folderDigest([{ name: '00', ...folderDigest(leaf) }]) },
      file('source.json', stored('source.json')),
    ];
    const folder = `transcript/${source.session}`;
    expect(blocks.get(`${folder}/00/00`)).toBe(text(folderManifest(leaf)));
    expect(blocks.get(folder)).toBe(text(folderManifest(session)));
    expect(slice('transcript')).toMatchObject(folderDigest([{ name: source.session, ...folderDigest(session) }]));
  });

  it('is pinned by a fact that holds', () => {
    const fact = decodeFact(stored('fact.json'));
    const { id: factId } = encodeFact(fact);
    expect(page).toContain(`\`${factId}\``);
    expect(fact.seen).toEqual([{ timeline: body.timeline, sequence: body.sequence, id }]);
    const signature = decodeSignature(stored('fact-signature.json'));
    expect(verifySignature({ signer: fact.signer, format: fact.format, id: factId, signature })).toBe(true);
  });

  it('lies in a commit as the program writes it', () => {
    expect(page).toContain(`author ${COMMIT_IDENTITY}\ncommitter ${COMMIT_IDENTITY}\n\n${commitMessage(1)}`);
    expect(page).toContain(`timelines/${body.timeline}`);
  });
});

describe('the text of the page', () => {
  it('has the limits of the code', () => {
    const number = (value: number) => String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
    expect(page).toContain(`within ${number(PART_BYTES)} bytes`);
    expect(page).toContain(`at most ${number(PART_LIMIT)} parts`);
    expect(page).toContain(`no folder has more than ${String(FOLDER_LIMIT)} entries`);
    expect(page).toContain(`at most ${String(DEPTH_LIMIT)} levels`);
    expect(page).toContain(`at most ${String(BODY_BYTES / 1024 / 1024)} MiB`);
    expect(page).toContain(`at most ${String(SEEN_LIMIT)} `);
    expect(partPath(PART_LIMIT - 1).slice(0, 2)).toBe('3e');
    expect(page).toContain(
      `from \`${String(BUCKET_RECORDS)}n\` to \`${String(BUCKET_RECORDS)}n + ${String(BUCKET_RECORDS - 1)}\``,
    );
    expect(bucketPath(BUCKET_LIMIT - 1).slice(0, 2)).toBe('3e');
  });

  it('shows a bucket whose item is in the transcript that is shown', () => {
    const [item] = decodeItems(stored('context-bucket.json'));
    const line = JSON.parse((blocks.get('00.jsonl') ?? '').split('\n')[0] ?? '') as { message: { content: string } };
    const content = utf8(line.message.content);
    expect(item?.content.bytes).toBe(content.length);
    expect(item?.tokens).toEqual({ count: Math.ceil(content.length / 4), estimated: true });
  });

  it('places facts as the code does', () => {
    expect(factsRef(`ed25519:${'0123456789ab'.padEnd(64, 'f')}`, 'r')).toBe('facts/0123456789ab/r');
    expect(page).toContain('refs/savepoint/v1/facts/<key12>/<replica>');
  });

  it('lists every verdict, worst first, and every field of a body', () => {
    const table = page.slice(page.indexOf('## Verdicts'));
    const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(listed).toEqual(SEVERITY);
    expect([...listed].sort()).toEqual([...VERDICTS].sort());
    const fields = page.slice(page.indexOf('### The body'), page.indexOf('### The signature'));
    const named = [...fields.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...Object.keys(decodeBody(stored('snapshot.json'))), 'origin', 'original'].sort());
  });
});
