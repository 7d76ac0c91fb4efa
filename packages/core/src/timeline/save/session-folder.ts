/** Names the folders that the log and the records of a session have. */
import type { TranscriptLocation } from '../../agents/adapter.js';
import { blake3 } from '../../format/digest.js';
import { redactText } from '../../redact/redactor.js';
import type { TranscriptMemory } from './transcript-memory.js';

/** Returns the folders of a session's log, oldest first: one for each time that it was rewritten. */
export function foldersOf(memory: TranscriptMemory, location: TranscriptLocation): string[] {
  const folders: string[] = [];
  for (let count = 0; memory.transcripts.has(folderName(location, count)); count += 1)
    folders.push(folderName(location, count));
  return folders;
}

const HARMLESS = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
/** Folders of records that come from no log. */
const RESERVED = /^(?:manual|restored)(?:-|$)/;

/**
 * Returns the folder of a session's log, the first one or a later one. A session id comes from a file that anybody may
 * have written: as a folder's name it must be harmless.
 */
export function folderName({ session }: Pick<TranscriptLocation, 'session'>, count: number): string {
  const isHarmless = HARMLESS.test(session) && !RESERVED.test(session) && redactText(session).text === session;
  const name = isHarmless ? session : blake3(Buffer.from(session, 'utf8')).slice(0, 32);
  return count === 0 ? name : `${name}.${String(count + 1)}`;
}
