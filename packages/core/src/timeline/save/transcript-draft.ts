/** Writes the parts of logs below `transcript/`, and tells how a log stands to the parts that are stored of it. */
import type { LogFile, TranscriptLocation } from '../../agents/adapter.js';
import type { BytePath } from '../../base/path.js';
import { blake3, blake3Hasher } from '../../format/digest.js';
import { TRANSCRIPT_FOLDER } from '../../format/v1/layout.js';
import { partPath } from '../../format/v1/parts.js';
import { encodePart, encodeSource } from '../../format/v1/records.js';
import type { TranscriptPart, TranscriptSource } from '../../model/context/transcript.js';
import type { BlobSink, FolderEdit } from '../../model/tree/tree.js';
import { REDACTOR_VERSION, redactionKinds, redactText } from '../../redact/redactor.js';
import { FolderDraft } from './folder-files.js';
import type { KnownPart, KnownTranscript, TranscriptMemory } from './transcript-memory.js';
import { PartCutter, type CutPart } from './transcript-parts.js';

export interface TranscriptInput {
  readonly location: TranscriptLocation;
  readonly log: LogFile;
  readonly guessed: boolean;
  /** When it is read, as formatted time. */
  readonly at: string;
}

export interface TranscriptStore {
  readonly sink: BlobSink;
  /** Returns the bytes of a file below `transcript/` of the last snapshot. */
  readonly stored: (path: BytePath) => Promise<Uint8Array | undefined>;
  /**
   * Called where a log has new parts, after `kept` parts that stay as they are. Takes the stored bytes of the new ones, if
   * it gives back something to take them.
   */
  readonly follow?: (log: FollowedLog) => Promise<TakePart | undefined>;
}

export interface FollowedLog {
  /** Below `transcript/`. */
  readonly folder: string;
  readonly location: TranscriptLocation;
  readonly kept: number;
}

/** `continues`: the last line of the part goes on in the next one. */
export type TakePart = (bytes: Uint8Array, continues: boolean) => Promise<void>;

export interface TranscriptEdit {
  readonly folder: FolderEdit;
  readonly memory: Omit<TranscriptMemory, 'tree'>;
  readonly changed: boolean;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

const SAMPLE_BYTES = 64 * 1024;

/** Digest of the beginning and the end of the first `bytes` of a log. */
export async function sampleDigest(log: LogFile, bytes: number): Promise<string> {
  const hash = blake3Hasher();
  const ranges = [[0, Math.min(bytes, SAMPLE_BYTES)] as const, [Math.max(0, bytes - SAMPLE_BYTES), bytes] as const];
  for (const [from, to] of ranges) for await (const chunk of log.read(from, to)) hash.update(chunk);
  return hash.hex();
}

async function* cutLog(log: LogFile, from: number): AsyncIterable<CutPart> {
  const cutter = new PartCutter(from);
  for await (const chunk of log.read(from, log.size)) yield* cutter.push(chunk);
  yield* cutter.end();
}

interface WriteStart {
  /** What is stored of the log already. */
  readonly known?: KnownTranscript;
  readonly shrunk?: TranscriptSource['shrunk'];
}

/** The edit of `transcript/` in the making. */
export class TranscriptDraft {
  readonly notes: string[] = [];
  readonly #store: TranscriptStore;
  readonly #folder: FolderDraft;
  readonly #transcripts: Map<string, KnownTranscript>;

  constructor(store: TranscriptStore, before: TranscriptMemory) {
    this.#store = store;
    this.#folder = new FolderDraft(store.sink, { folder: TRANSCRIPT_FOLDER, tree: before.tree, files: before.files });
    this.#transcripts = new Map(before.transcripts);
  }

  /** Writes the parts of a log from the last one that may still grow. */
  async write(folder: string, input: TranscriptInput, { known, shrunk }: WriteStart): Promise<void> {
    const kept = keptParts(known?.parts ?? []);
    const parts: KnownPart[] = [...kept];
    const from = known?.parts[kept.length]?.offset ?? 0;
    const { files } = this.#folder;
    let somePlain = kept.some((_, part) => !files.has(`${folder}/${partPath(part)}.json`));
    const rules = (somePlain ? known?.source.redactor : undefined) ?? REDACTOR_VERSION;
    const follow = await this.#store.follow?.({ folder, location: input.location, kept: kept.length });
    for await (const { bytes, record } of cutLog(input.log, from)) {
      const path = `${folder}/${partPath(parts.length)}`;
      await this.#folder.set(`${path}.jsonl`, bytes);
      const plain = isPlain({ bytes, record }, rules);
      await this.#sidecar(`${path}.json`, record, plain);
      somePlain ||= plain;
      await follow?.(bytes, record.continues === true);
      parts.push({ offset: record.offset, continues: record.continues === true, kinds: redactionKinds(record.spans) });
    }
    const { location, log, guessed } = input;
    const earlier = shrunk ?? known?.source.shrunk;
    const source: TranscriptSource = {
      agent: location.agent,
      session: redactText(location.session).text,
      name: redactText(location.file.slice(location.file.lastIndexOf('/') + 1)).text,
      bytes: log.size,
      parts: parts.length,
      ...(somePlain ? { redactor: rules } : {}),
      ...(guessed ? { guessed } : {}),
      ...(location.parent === undefined ? {} : { parent: redactText(location.parent).text }),
      ...(earlier === undefined ? {} : { shrunk: earlier }),
    };
    // A torn line may take more room than the whole one, of which a redaction takes a part.
    for (let at = parts.length; at < (known?.parts.length ?? 0); at += 1) this.#drop(`${folder}/${partPath(at)}`);
    await this.#folder.set(`${folder}/source.json`, encodeSource(source));
    this.#transcripts.set(folder, { source, parts, samples: await sampleDigest(log, log.size) });
  }

  /** Replaces only the source record. */
  async note(folder: string, source: TranscriptSource): Promise<void> {
    await this.#folder.set(`${folder}/source.json`, encodeSource(source));
    const known = this.#transcripts.get(folder);
    if (known !== undefined) this.#transcripts.set(folder, { ...known, source });
  }

  /** Learns the samples again after the cache was lost. */
  async remember(folder: string, known: KnownTranscript, log: LogFile): Promise<void> {
    this.#transcripts.set(folder, { ...known, samples: await sampleDigest(log, known.source.bytes) });
  }

  /** Tells how a log stands to the stored parts. */
  async compare(
    folder: string,
    known: KnownTranscript,
    log: LogFile,
  ): Promise<'same' | 'longer' | 'shorter' | 'different'> {
    const mayChange = keptParts(known.parts).length;
    let index = 0;
    let cut = false;
    for await (const { bytes } of cutLog(log, 0)) {
      if (cut) return 'different';
      if (index === known.parts.length) return 'longer';
      const path = `${folder}/${partPath(index)}.jsonl`;
      if (this.#folder.files.get(path)?.digest !== blake3(bytes)) {
        const stored = (await this.#store.stored(path)) ?? new Uint8Array();
        const hasGrown = index >= mayChange && log.size > known.source.bytes;
        if (hasGrown && isPrefix(completeLines(stored), bytes)) return 'longer';
        if (!isPrefix(completeLines(bytes), stored)) return 'different';
        cut = true;
      }
      index += 1;
    }
    return cut || index < known.parts.length ? 'shorter' : 'same';
  }

  result(): TranscriptEdit {
    return {
      folder: this.#folder.edit(),
      memory: { transcripts: this.#transcripts, files: this.#folder.files },
      changed: this.#folder.changed,
      notes: this.notes,
    };
  }

  async #sidecar(path: BytePath, record: TranscriptPart, plain: boolean): Promise<void> {
    if (!plain) await this.#folder.set(path, encodePart(record));
    else if (this.#folder.files.has(path)) this.#folder.remove(path);
  }

  #drop(part: BytePath): void {
    for (const path of [`${part}.jsonl`, `${part}.json`]) if (this.#folder.files.has(path)) this.#folder.remove(path);
  }
}

/** Whole lines of JSON of which nothing was taken: a sidecar would say nothing. */
function isPlain({ bytes, record }: CutPart, redactor: string): boolean {
  const { length, continues, unreadable, spans } = record;
  const whole = continues === undefined && unreadable === undefined && bytes.at(-1) === 0x0a;
  return whole && spans.length === 0 && length === bytes.length && record.redactor === redactor;
}

// A torn last line is redacted as text, the whole one as JSON: what they became cannot be compared.
function completeLines(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1);
}

function isPrefix(a: Uint8Array, b: Uint8Array): boolean {
  return a.length <= b.length && Buffer.compare(a, b.subarray(0, a.length)) === 0;
}

/** Parts that will not change any more: all but the last, together with what it continues. */
function keptParts(parts: readonly KnownPart[]): readonly KnownPart[] {
  let end = parts.length - 1;
  while (end > 0 && parts[end - 1]?.continues === true) end -= 1;
  return parts.slice(0, Math.max(end, 0));
}
