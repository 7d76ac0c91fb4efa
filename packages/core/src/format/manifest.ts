/** The digest of a folder: BLAKE3 of its manifest (format section "Folders and manifests"). */
import { contextError } from '../base/errors.js';
import type { BytePath } from '../base/path.js';
import { blake3 } from './digest.js';

export interface ManifestEntry {
  /** One path component. */
  readonly name: BytePath;
  /** Size of the file, or the sum of the sizes of all files below the folder. */
  readonly bytes: number;
  /** 1 for a file, or the number of all files below the folder. */
  readonly parts: number;
  /** BLAKE3 of the file's bytes, or the folder's own digest. */
  readonly digest: string;
}

export interface FolderDigest {
  readonly digest: string;
  readonly bytes: number;
  readonly parts: number;
}

/**
 * Returns the manifest: a line `digest size name` with a newline at its end for each entry, in the byte order of the
 * names (not git's order, which compares folders as if their name ended in `/`).
 * @throws format_unreadable if a name could forge a line or leave the folder, or stands twice
 */
export function folderManifest(entries: readonly ManifestEntry[]): Uint8Array {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const lines = sorted.map(({ name, bytes, digest }, index) => {
    const reason = nameProblem(name) ?? (sorted[index - 1]?.name === name ? 'a name stands twice in it' : undefined);
    if (reason !== undefined) throw contextError('format_unreadable', { what: 'A folder of the snapshot', reason });
    return `${digest} ${String(bytes)} ${name}\n`;
  });
  return new Uint8Array(Buffer.from(lines.join(''), 'latin1'));
}

/** Returns the digest of a folder and its sums, from its files and the digests of its sub-folders. @throws format_unreadable */
export function folderDigest(entries: readonly ManifestEntry[]): FolderDigest {
  return {
    digest: blake3(folderManifest(entries)),
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
    parts: entries.reduce((sum, { parts }) => sum + parts, 0),
  };
}

function nameProblem(name: BytePath): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'a name in it is empty, `.` or `..`';
  return /[\0\n/]/.test(name) ? 'a name in it holds a slash, a newline or a NUL byte' : undefined;
}

/** A line of a manifest: what it does not say is whether the name is that of a file or of a folder. */
export type ManifestLine = Omit<ManifestEntry, 'parts'>;

const LINE = /^([0-9a-f]{64}) (0|[1-9][0-9]{0,15}) ([^\n]+)$/;

/** Returns the lines of a manifest that somebody else made. @throws format_unreadable if it is not the one form that it has */
export function parseManifest(bytes: Uint8Array): readonly ManifestLine[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (text === '') return [];
  const lines = text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, digest = '', size = '', name = ''] = LINE.exec(line) ?? [];
      return { digest, bytes: Number(size), name };
    });
  const same = (): boolean =>
    Buffer.compare(folderManifest(lines.map((line) => ({ ...line, parts: 1 }))), Buffer.from(text, 'latin1')) === 0;
  if (!lines.every(({ digest, bytes: size }) => digest !== '' && Number.isSafeInteger(size)) || !same()) {
    throw contextError('format_unreadable', {
      what: 'A folder of the snapshot',
      reason: 'its manifest is not of the form',
    });
  }
  return lines;
}
