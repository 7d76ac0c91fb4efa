/** Takes the log of the agent that is at work, and those of the sessions that it began. */
import type { TranscriptLocation } from '../../agents/adapter.js';
import { formatTime } from '../../base/clock.js';
import { TRANSCRIPT_FOLDER } from '../../format/v1/layout.js';
import type { StoreWriter } from '../../store/store.js';
import { folderFinder } from '../../timeline/snapshot/folders.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { TranscriptEdit, TranscriptInput, TranscriptStore } from '../../timeline/save/transcript-draft.js';
import { editTranscripts, keepEdit } from '../../timeline/save/transcript-edit.js';
import { recallTranscripts } from '../../timeline/save/transcript-memory.js';
import { folderTree } from '../../timeline/snapshot/slices.js';
import type { Repository } from '../repository/repository.js';
import type { CaptureRecords } from './capture-records.js';
import type { FoundTranscript } from './capture-transcript.js';

interface TranscriptParts {
  readonly writer: StoreWriter;
  readonly previous: LoadedSnapshot | undefined;
  readonly found: FoundTranscript;
  readonly recorder: CaptureRecords;
}

interface TakenTranscript {
  readonly edit: TranscriptEdit;
  /** What the cache of transcripts says. */
  readonly cached: Uint8Array | undefined;
}

/** What of the log is stored already stays; what it has more is added, and recorded. */
export async function takeTranscript(
  repository: Repository,
  { writer, previous, found, recorder }: TranscriptParts,
): Promise<TakenTranscript> {
  const { store, local, self } = repository;
  const tree = previous && folderTree(previous, TRANSCRIPT_FOLDER);
  const memory = await recallTranscripts({ store, local, timeline: self.timeline }, tree);
  const { cached } = memory;
  if (found.location === undefined) return { edit: keepEdit(memory), cached };
  const finder = folderFinder((id) => store.tree(id));
  const stored = async (path: string): Promise<Uint8Array | undefined> => {
    const file = await finder.find(tree, path);
    return file === undefined ? undefined : store.read(file.id, 'blob');
  };
  const inputs = await logsOf(repository, found.location, found.guessed);
  const follow: TranscriptStore['follow'] = (log) => recorder.follow(log, memory, stored);
  return { edit: await editTranscripts({ sink: writer, stored, follow }, memory, inputs), cached };
}

/** The log of a session, and those of the sessions that it began. */
async function logsOf(
  repository: Repository,
  location: TranscriptLocation,
  guessed: boolean,
): Promise<readonly TranscriptInput[]> {
  const agent = repository.agents.find(({ name }) => name === location.agent);
  const children = (await agent?.childrenOf(location)) ?? [];
  const at = formatTime(repository.clock.now());
  const own = { location, log: await repository.openLog(location.file), guessed, at };
  const others = await Promise.all(
    children.map(async (child) => ({ location: child, log: await repository.openLog(child.file), guessed, at })),
  );
  return [own, ...others];
}
