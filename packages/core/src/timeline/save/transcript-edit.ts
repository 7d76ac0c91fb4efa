/** Brings the stored copy of an agent's log up to date: only new parts are written, and a shorter log never replaces a longer one. */
import { TRANSCRIPT_FOLDER } from '../../format/v1/layout.js';
import { keepFolder } from './folder-files.js';
import { folderName, foldersOf } from './session-folder.js';
import {
  sampleDigest,
  TranscriptDraft,
  type TranscriptEdit,
  type TranscriptInput,
  type TranscriptStore,
} from './transcript-draft.js';
import type { KnownTranscript, TranscriptMemory } from './transcript-memory.js';

/** Returns the edit of `transcript/` that takes in logs, each of another session. New content goes to the sink. */
export async function editTranscripts(
  store: TranscriptStore,
  before: TranscriptMemory,
  inputs: readonly TranscriptInput[],
): Promise<TranscriptEdit> {
  const draft = new TranscriptDraft(store, before);
  for (const input of inputs) await takeLog(draft, before, input);
  return draft.result();
}

async function takeLog(draft: TranscriptDraft, before: TranscriptMemory, input: TranscriptInput): Promise<void> {
  const folders = foldersOf(before, input.location);
  const current = folders.at(-1);
  const known = current === undefined ? undefined : before.transcripts.get(current);
  if (current === undefined || known === undefined) {
    await draft.write(folderName(input.location, 0), input, {});
    return;
  }
  const { log } = input;
  const grown = log.size >= known.source.bytes && (await sampleDigest(log, known.source.bytes)) === known.samples;
  if (!grown) await takeUncertain(draft, { folders, current, known, input });
  else if (log.size > known.source.bytes) await draft.write(current, input, { known });
}

interface Uncertain {
  readonly folders: readonly string[];
  readonly current: string;
  readonly known: KnownTranscript;
  readonly input: TranscriptInput;
}

// The samples do not say that the log is the stored one plus more: look at all of it. Where it is merely cut, the stored
// copy has it all already; where it says something else, both are kept, the new one in a folder of its own.
async function takeUncertain(draft: TranscriptDraft, { folders, current, known, input }: Uncertain): Promise<void> {
  const shrunk = { from: known.source.bytes, to: input.log.size, at: input.at };
  switch (await draft.compare(current, known, input.log)) {
    case 'same':
      await draft.remember(current, known, input.log);
      return;
    case 'longer':
      await draft.write(current, input, { known });
      return;
    case 'shorter':
      if (known.source.shrunk?.at(-1)?.to === input.log.size) return;
      draft.notes.push(
        `The transcript became shorter (${String(shrunk.from)} to ${String(shrunk.to)} bytes); the longer copy is kept.`,
      );
      await draft.note(current, { ...known.source, shrunk: [...(known.source.shrunk ?? []), shrunk] });
      return;
    case 'different':
      draft.notes.push('The transcript was rewritten since the last snapshot; both versions are kept.');
      await draft.write(folderName(input.location, folders.length), input, { shrunk: [shrunk] });
  }
}

/** Returns the edit that leaves the transcripts as they are. */
export function keepEdit({ tree, transcripts, files }: TranscriptMemory): TranscriptEdit {
  return { folder: keepFolder(TRANSCRIPT_FOLDER, tree), memory: { transcripts, files }, changed: false, notes: [] };
}
