/** The JSON files beside the body, version 1: `filesystem.json`, `index.json`, and a transcript's sidecars. */
import type { FilesystemRecord } from '../../model/tree/filesystem.js';
import type { StagedRecord } from '../../model/tree/staged.js';
import type { TranscriptPart, TranscriptSource } from '../../model/context/transcript.js';
import { makeCodec } from '../codec.js';
import { fieldKey, flag, integer, list, oneOf, record, text, time } from '../shape.js';
import * as fields from './fields.js';

/** `filesystem.json` and `index.json` have at most this many bytes. */
export const RECORD_BYTES = 256 * 1024 * 1024;

const paths = (element: Parameters<typeof list>[0]) => list(element, fields.LIST_LIMIT, fields.pathKey);

const filesystem = makeCodec<FilesystemRecord>({
  what: 'The file filesystem.json',
  maxBytes: RECORD_BYTES,
  check: record({
    modes: record({ file: fields.mode, executable: fields.mode, directory: fields.mode }),
    exceptions: paths(fields.pathRecord({ mode: fields.mode }, { folder: true })),
    emptyDirectories: paths(fields.pathRecord()),
    boundaries: paths(fields.pathRecord({ kind: fields.boundaryKind }, { folder: true })),
    omitted: paths(
      fields.pathRecord({ reason: fields.omissionReason }, { optional: { bytes: fields.count }, folder: true }),
    ),
    ignored: paths(fields.pathRecord({}, { folder: true })),
    diverted: paths(fields.pathRecord({ type: oneOf('file', 'link'), mode: fields.mode, blob: fields.objectId })),
  }),
  order: (value) => ({
    ...value,
    exceptions: fields.byPath(value.exceptions),
    emptyDirectories: fields.byPath(value.emptyDirectories),
    boundaries: fields.byPath(value.boundaries),
    omitted: fields.byPath(value.omitted),
    ignored: fields.byPath(value.ignored),
    diverted: fields.byPath(value.diverted),
  }),
});

export function encodeFilesystem(value: FilesystemRecord): Uint8Array {
  return filesystem.encode(value);
}

/** Reads `filesystem.json`. @throws format_unreadable */
export function decodeFilesystem(bytes: Uint8Array): FilesystemRecord {
  return filesystem.decode(bytes);
}

const FLAGS = ['assume_unchanged', 'intent_to_add', 'skip_worktree'] as const;

const staged = makeCodec<StagedRecord>({
  what: 'The file index.json',
  maxBytes: RECORD_BYTES,
  check: record({
    tree: fields.objectId,
    unmerged: list(
      fields.pathRecord({ stage: integer(1, 3), mode: text(6, /^[0-7]{6}$/), blob: fields.objectId }),
      fields.LIST_LIMIT,
      (element) => `${fieldKey(element, 'stage')} ${fields.pathKey(element)}`,
    ),
    flagged: paths(fields.pathRecord({ flags: list(oneOf(...FLAGS), FLAGS.length, String) }, { folder: true })),
  }),
  order: (value) => ({
    ...value,
    unmerged: fields.byPath(value.unmerged, (a, b) => a.stage - b.stage),
    flagged: fields
      .byPath(value.flagged)
      .map((entry) => ({ ...entry, flags: fields.byName(entry.flags, (name) => name) })),
  }),
});

export function encodeStaged(value: StagedRecord): Uint8Array {
  return staged.encode(value);
}

/** Reads `index.json`. @throws format_unreadable */
export function decodeStaged(bytes: Uint8Array): StagedRecord {
  return staged.decode(bytes);
}

const part = makeCodec<TranscriptPart>({
  what: 'The sidecar of a transcript part',
  maxBytes: RECORD_BYTES,
  check: record(
    {
      offset: fields.count,
      length: fields.count,
      lines: fields.count,
      redactor: text(256, /./s),
      spans: list(record({ start: fields.count, end: fields.count, kind: fields.token }), fields.LIST_LIMIT),
    },
    { continues: flag, unreadable: list(fields.count, fields.LIST_LIMIT, String) },
  ),
  order: (value) => ({
    ...value,
    ...(value.unreadable === undefined ? {} : { unreadable: [...value.unreadable].sort((a, b) => a - b) }),
    spans: [...value.spans].sort((a, b) => a.start - b.start || a.end - b.end),
  }),
});

export function encodePart(value: TranscriptPart): Uint8Array {
  return part.encode(value);
}

/** Reads the sidecar of a transcript's part. @throws format_unreadable */
export function decodePart(bytes: Uint8Array): TranscriptPart {
  return part.decode(bytes);
}

const source = makeCodec<TranscriptSource>({
  what: 'The file source.json of a transcript',
  maxBytes: 16 * 1024 * 1024,
  check: record(
    {
      agent: fields.token,
      session: text(fields.SHORT_TEXT, /./s),
      name: text(fields.SHORT_TEXT, /^[^/\0]+$/),
      bytes: fields.count,
      parts: fields.count,
    },
    {
      redactor: text(256, /./s),
      guessed: flag,
      parent: text(fields.SHORT_TEXT, /./s),
      shrunk: list(record({ from: fields.count, to: fields.count, at: time }), 65_536),
    },
  ),
  // The order of `shrunk` is the order in which it happened.
  order: (value) => value,
});

export function encodeSource(value: TranscriptSource): Uint8Array {
  return source.encode(value);
}

/** Reads `source.json` of a transcript. @throws format_unreadable */
export function decodeSource(bytes: Uint8Array): TranscriptSource {
  return source.decode(bytes);
}
