import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/base/json.js';
import { toRepoPath } from '../../src/base/path.js';
import type { FilesystemRecord } from '../../src/model/tree/filesystem.js';
import type { StagedRecord } from '../../src/model/tree/staged.js';
import { canonicalJson } from '../../src/format/canonical-json.js';
import * as records from '../../src/format/v1/records.js';
import { failure } from './failure.js';

const json = (value: unknown): Uint8Array => canonicalJson(value as JsonValue);
const modes = { file: '0644', executable: '0755', directory: '0755' };
const EMPTY: FilesystemRecord = {
  modes,
  exceptions: [],
  emptyDirectories: [],
  boundaries: [],
  omitted: [],
  ignored: [],
  diverted: [],
};

describe('filesystem.json', () => {
  it('keeps every list in the byte order of its paths', () => {
    const paths = ['z', '\xff', 'a/b', 'a', 'a\n"b', '\xc3\xa9'].map(toRepoPath);
    const read = records.decodeFilesystem(
      records.encodeFilesystem({
        ...EMPTY,
        emptyDirectories: paths,
        exceptions: paths.map((path) => ({ ...path, mode: '0600' })),
      }),
    );
    const sorted = ['a', 'a\n"b', 'a/b', 'z', '\xc3\xa9', '\xff'].map(toRepoPath);
    expect(read.emptyDirectories).toEqual(sorted);
    expect(read.exceptions.map(({ path }) => path)).toEqual(sorted.map(({ path }) => path));
    expect(failure(() => records.decodeFilesystem(json({ ...EMPTY, emptyDirectories: paths }))).data['verdict']).toBe(
      'not_canonical',
    );
  });

  it('lets a slash at the end tell a directory, and only where that is not said already', () => {
    const folder = { path: 'sub/' };
    const lists = {
      exceptions: [{ ...folder, mode: '0700' }],
      boundaries: [{ ...folder, kind: 'sparse' }],
      omitted: [{ ...folder, reason: 'unreadable' }],
      ignored: [folder],
    };
    expect(records.decodeFilesystem(json({ ...EMPTY, ...lists }))).toEqual({ ...EMPTY, ...lists });
    for (const wrong of [
      { emptyDirectories: [folder] },
      { ignored: [{ path: 'sub//' }] },
      { ignored: [{ path: '/' }] },
    ]) {
      expect(failure(() => records.decodeFilesystem(json({ ...EMPTY, ...wrong }))).code).toBe('format_unreadable');
    }
  });

  it.each<[string, object]>([
    ['a mode in decimal', { modes: { ...modes, file: '644' } }],
    ['a mode with a nine', { exceptions: [{ path: 'a', mode: '0649' }] }],
    ['a path twice', { ignored: [{ path: 'a' }, { path: 'a' }] }],
    ['a dot path', { ignored: [{ path: 'a/./b' }] }],
    ['a folder as a diverted file', { diverted: [{ path: 'a', type: 'folder', mode: '0644', blob: 'a'.repeat(40) }] }],
    ['a short blob', { diverted: [{ path: 'a', type: 'file', mode: '0644', blob: 'a' }] }],
    ['an unknown reason', { omitted: [{ path: 'a', reason: 'forgotten' }] }],
  ])('is refused with %s', (_, changes) => {
    expect(failure(() => records.decodeFilesystem(json({ ...EMPTY, ...changes }))).code).toBe('format_unreadable');
  });

  it('holds hundreds of thousands of paths', () => {
    const ignored = Array.from({ length: 200_000 }, (_, index) => ({ path: `folder/${String(index)}` }));
    expect(records.decodeFilesystem(records.encodeFilesystem({ ...EMPTY, ignored })).ignored).toHaveLength(200_000);
  });
});

describe('index.json', () => {
  const blob = 'b'.repeat(40);
  const record: StagedRecord = { tree: 'a'.repeat(40), unmerged: [], flagged: [] };

  it('holds the stages of a path side by side', () => {
    const unmerged = [3, 1, 2].map((stage) => ({ path: 'a', stage, mode: '100644', blob }));
    const read = records.decodeStaged(records.encodeStaged({ ...record, unmerged }));
    expect(read.unmerged.map(({ stage }) => stage)).toEqual([1, 2, 3]);
  });

  it.each<[string, object]>([
    ['stage 0', { unmerged: [{ path: 'a', stage: 0, mode: '100644', blob }] }],
    ['a stage twice', { unmerged: [1, 1].map((stage) => ({ path: 'a', stage, mode: '100644', blob })) }],
    ['an unknown flag', { flagged: [{ path: 'a', flags: ['sticky'] }] }],
    ['a flag twice', { flagged: [{ path: 'a', flags: ['skip_worktree', 'skip_worktree'] }] }],
    ['no tree', { tree: undefined }],
  ])('is refused with %s', (_, changes) => {
    expect(failure(() => records.decodeStaged(json({ ...record, ...changes }))).code).toBe('format_unreadable');
  });
});

describe('the files of a transcript', () => {
  const part = { offset: 0, length: 10, lines: 2, redactor: 'savepoint-redact/1', spans: [] };
  const source = { agent: 'claude-code', session: 's', name: 's.jsonl', bytes: 10, parts: 1 };

  it('keep spans and unreadable lines in order', () => {
    const spans = [4, 1].map((start) => ({ start, end: start + 2, kind: 'token' }));
    const read = records.decodePart(records.encodePart({ ...part, spans, unreadable: [1, 0] }));
    expect([read.spans.map(({ start }) => start), read.unreadable]).toEqual([
      [1, 4],
      [0, 1],
    ]);
  });

  it('keep the order in which a log was cut', () => {
    const at = '2026-11-21T10:20:30.456Z';
    const shrunk = [
      { from: 9, to: 3, at },
      { from: 5, to: 1, at },
    ];
    expect(records.decodeSource(records.encodeSource({ ...source, shrunk })).shrunk).toEqual(shrunk);
  });

  it.each<[string, object]>([
    ['a log name with a folder', { name: '../s.jsonl' }],
    ['an empty session', { session: '' }],
    ['an agent with a slash', { agent: 'a/b' }],
    ['bytes below zero', { bytes: -1 }],
  ])('are refused with %s', (_, changes) => {
    expect(failure(() => records.decodeSource(json({ ...source, ...changes }))).code).toBe('format_unreadable');
  });
});
