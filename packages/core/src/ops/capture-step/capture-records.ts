/** The records of a capture: taken over as they are, unless a log grew or somebody adds to them. Only then is their code loaded. */
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { keepRecords, recordTrees, type KeptRecords } from '../../timeline/save/keep-records.js';
import type { SavedSnapshot } from '../../timeline/save/save-snapshot.js';
import type { FollowedLog, TakePart, TranscriptStore } from '../../timeline/save/transcript-draft.js';
import type { TranscriptMemory } from '../../timeline/save/transcript-memory.js';
import type { HandRecords } from '../../timeline/save/records/hand-records.js';
import type { RecordDraft, RecordEdit } from '../../timeline/save/records/record-draft.js';
import type { StoreWriter } from '../../store/store.js';
import type { Repository } from '../repository/repository.js';

export interface RecordParts {
  readonly repository: Repository;
  readonly writer: StoreWriter;
  readonly previous: LoadedSnapshot | undefined;
}

export class CaptureRecords {
  readonly #parts: RecordParts;
  #draft: Promise<RecordDraft> | undefined;
  #edit: RecordEdit | undefined;
  #redacted: Readonly<Record<string, number>> = {};

  constructor(parts: RecordParts) {
    this.#parts = parts;
  }

  draft(): Promise<RecordDraft> {
    return (this.#draft ??= this.#begin());
  }

  async #begin(): Promise<RecordDraft> {
    const { repository, writer, previous } = this.#parts;
    const { store, local, self, worktree } = repository;
    const { RecordDraft } = await import('../../timeline/save/records/record-draft.js');
    const { root: directory } = worktree;
    return RecordDraft.begin({ store, sink: writer, local, timeline: self.timeline, directory, previous });
  }

  /** For `TranscriptStore.follow`. */
  async follow(
    log: FollowedLog,
    before: TranscriptMemory,
    stored: TranscriptStore['stored'],
  ): Promise<TakePart | undefined> {
    const agent = this.#parts.repository.agents.find(({ name }) => name === log.location.agent);
    if (agent === undefined) return undefined;
    const [dialect, draft] = await Promise.all([agent.dialect(), this.draft()]);
    return draft.follow(log, dialect, { files: before.files, stored });
  }

  /** Adds records by hand. */
  async add(records: HandRecords): Promise<void> {
    const { previous } = this.#parts;
    const { addByHand } = await import('../../timeline/save/records/hand-records.js');
    const named = previous === undefined ? {} : { previous: previous.id };
    this.#redacted = await addByHand(await this.draft(), { ...records, ...named });
  }

  async finish(): Promise<KeptRecords & { readonly notes: readonly string[] }> {
    const { repository, previous } = this.#parts;
    if (this.#draft === undefined) {
      const kept = await keepRecords(repository.store, previous, () => this.#linked());
      return { ...kept, notes: [] };
    }
    this.#edit = await (await this.#draft).finish();
    return { ...this.#edit, redacted: this.#redacted };
  }

  async #linked(): Promise<KeptRecords['content']> {
    const { repository, previous } = this.#parts;
    const { store, local, self } = repository;
    const { recallRecords } = await import('../../timeline/save/records/record-memory.js');
    return (await recallRecords({ store, local, timeline: self.timeline }, recordTrees(previous))).linked;
  }

  /** Keeps for the next capture what this one knows. */
  async remember({ folders }: SavedSnapshot): Promise<void> {
    if (this.#edit === undefined) return;
    const { repository } = this.#parts;
    const { keepRecordMemory } = await import('../../timeline/save/records/record-memory.js');
    const trees = Object.fromEntries([...folders].filter(([name]) => name in (this.#edit?.memory.files ?? {})));
    await keepRecordMemory(repository.local, repository.self.timeline, { ...this.#edit.memory, trees });
  }
}
