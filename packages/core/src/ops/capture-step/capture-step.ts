/** One capture as a step: of the verb, and of an operation that captures before and after it changes files. */
import { formatTime } from '../../base/clock.js';
import { ContextError } from '../../base/errors.js';
import { TRANSCRIPT_FOLDER, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import type { Origin, SessionReference } from '../../model/snapshot.js';
import type { Trigger } from '../../model/trigger.js';
import { redactText } from '../../redact/redactor.js';
import { appendToCatalogue, entryOf } from '../../timeline/catalogue.js';
import { keepHead, recallHead } from '../../timeline/save/head-memory.js';
import { readHeads } from '../../timeline/save/heads.js';
import { saveSnapshot, type SavedSnapshot } from '../../timeline/save/save-snapshot.js';
import { keepTranscripts } from '../../timeline/save/transcript-memory.js';
import type { RecordDraft } from '../../timeline/save/records/record-draft.js';
import type { ItemInput } from '../../timeline/save/records/hand-items.js';
import type { HandRecords, HandSession } from '../../timeline/save/records/hand-records.js';
import type { SavingInput } from '../../timeline/save/records/hand-savings.js';
import type { CommitDraft, StoreWriter } from '../../store/store.js';
import type { OwnChanges, ScanProgress } from '../../worktree/worktree.js';
import type { Repository } from '../repository/repository.js';
import { CaptureRecords } from './capture-records.js';
import { settingsOfCapture } from './capture-settings.js';
import type { FoundTranscript } from './capture-transcript.js';
import { anewNotes, inNewTimeline, namingHead, newTimelineNotes } from './damaged-head.js';
import { takeTranscript } from './take-transcript.js';

/** The text that an agent began with in place of an earlier window. */
export interface BriefInput {
  /** The whole text. It is not kept: add it as an item where it shall be. */
  readonly text: Uint8Array;
  /** The snapshot whose window it stands for; default `head`. */
  readonly of?: string;
}

export interface CaptureRequest {
  readonly repository: Repository;
  readonly message?: string;
  readonly tags?: readonly string[];
  readonly trigger?: Trigger;
  /** A log file; `false`: none. Default: look for one. */
  readonly transcript?: string | false;
  /** Items that are added by hand; a snapshot of the same timeline keeps those of the one before. */
  readonly items?: readonly ItemInput[];
  /** Items added by hand before, by id, the beginning of one, or `SESSION:NUMBER`, that are before the model no more. */
  readonly evict?: readonly string[];
  /** Tokens that context tools report to have left out. */
  readonly savings?: readonly SavingInput[];
  /** What an agent began with instead of reading again what stood before the model; what it left out is a saving. */
  readonly brief?: BriefInput;
  /**
   * The run of an agent that these belong to: it names its items at the start, and adds others as it goes on. Without it they
   * are those of a person.
   */
  readonly by?: HandSession;
  readonly fresh?: boolean;
  readonly progress?: (progress: ScanProgress) => void;
  readonly signal?: AbortSignal;
}

const MANUAL: Trigger = { kind: 'manual', reason: 'command' };
/** As long as other captures of the same worktree may keep this one waiting. */
export const WAIT_MILLISECONDS = 120_000;
/** What can pass by itself is tried again, from nothing. */
const ATTEMPTS = 3;
const PASSING: readonly string[] = [
  'object_missing',
  'head_damaged',
  'head_unreadable',
  'head_moved',
  'worktree_changing',
];

/** A capture within an operation, which holds the lock of the worktree. */
export interface CaptureStep extends CaptureRequest {
  readonly found: FoundTranscript;
  readonly origin?: Origin;
  /** The operation's own open replacement. */
  readonly replacement?: string;
  /** The snapshot after it is taken by the same process, which goes on reading. */
  readonly followed?: boolean;
  /** What the operation itself has changed since the snapshot before. */
  readonly own?: OwnChanges;
  /** Gives what becomes visible together with the snapshot; asked at each attempt. */
  readonly beside?: () => Promise<CommitDraft | undefined>;
  /** Changes the records; asked at each attempt. */
  readonly amend?: (draft: RecordDraft) => Promise<void>;
  /** Begins the records anew, because those of the head cannot be read any more. */
  readonly anew?: true;
  /** Content that the operation is going to write: durable with the snapshot, though it is not of it. */
  readonly also?: readonly Uint8Array[];
}

export interface TakenSnapshot {
  readonly saved: SavedSnapshot;
  readonly notes: readonly string[];
}

/** @throws as `capture` does */
export async function captureStep(step: CaptureStep): Promise<TakenSnapshot> {
  settingsOfCapture(step.repository);
  for (let count = 1; ; count += 1) {
    try {
      return await captureOnce(count === 1 ? step : afresh(step));
    } catch (error) {
      const passing = error instanceof ContextError && PASSING.includes(error.code);
      if (passing && count < ATTEMPTS) continue;
      // Who asks for everything anew has heard what is damaged.
      if (!passing || step.fresh !== true) throw error;
      if (error.code === 'head_unreadable') return await captureInNewTimeline(step);
      if (error.code !== 'head_damaged' || step.anew === true) throw error;
      return await captureStep({ ...step, anew: true });
    }
  }
}

async function captureInNewTimeline(step: CaptureStep): Promise<TakenSnapshot> {
  const { saved, notes } = await captureStep({ ...step, repository: await inNewTimeline(step.repository) });
  return { saved, notes: [...notes, ...newTimelineNotes(step.repository.self.timeline)] };
}

/** Nothing is known any more: not what an operation had seen in the store either, which a gc may have taken since. */
function afresh(step: CaptureStep): CaptureStep {
  const { own } = step;
  return { ...step, fresh: true, ...(own !== undefined && { own: { ...own, stored: [] } }) };
}

async function captureOnce(request: CaptureStep): Promise<TakenSnapshot> {
  const { repository, message, tags = [], trigger, found, origin } = request;
  const { store, self, local, clock, random, keys } = repository;
  const writer = store.writer({ readsOn: request.followed === true });
  try {
    const others = (await repository.worktrees()).flatMap(({ timelines }) => timelines);
    const [scan, { heads, previous }] = await Promise.all([
      scanWorktree(request, writer),
      readHeads(store, { own: self.timeline, others }, async (head) =>
        request.fresh === true ? undefined : recallHead(local, store.objectFormat, head),
      ),
    ]);
    const former = request.anew === true ? undefined : previous;
    const recorder = new CaptureRecords({ repository, writer, previous: former });
    const taking = takeTranscript(repository, { writer, previous: former, found, recorder });
    const { edit: transcripts, cached } = await taking.catch(namingHead(former));
    const hand = handRecords(request);
    if (hand !== undefined) await recorder.add({ ...hand, at: formatTime(clock.now()) });
    await request.amend?.(await recorder.draft().catch(namingHead(former)));
    const records = await recorder.finish().catch(namingHead(former));
    for (const bytes of request.also ?? []) await writer.blob(bytes);
    const always = message !== undefined || tags.length > 0 || trigger !== undefined;
    const session = found.session ?? sessionOf(request);
    const beside = await request.beside?.();
    // The last moment at which nothing has happened.
    request.signal?.throwIfAborted();
    const saved = await saveSnapshot(
      { store, writer, keys, clock, random, repository: repository.id, timeline: self.timeline },
      {
        heads,
        ...(previous === undefined ? {} : { previous }),
        message: message ?? '',
        tags,
        trigger: trigger ?? MANUAL,
        ...(origin === undefined ? {} : { origin }),
        ...(session === undefined ? {} : { session }),
        scan,
        transcripts,
        records,
        always,
        ...(request.signal !== undefined && { signal: request.signal }),
        ...(beside === undefined ? {} : { beside }),
      },
    );
    // From here on the snapshot stands: caches that cannot be written cost time, and are no failure.
    await quietly(() => scan.remember(saved.folders.get(WORKTREE_FOLDER)));
    const memory = { ...transcripts.memory, tree: saved.folders.get(TRANSCRIPT_FOLDER) };
    const caches = [
      quietly(() => keepTranscripts({ local, timeline: self.timeline }, memory, cached)),
      quietly(() => recorder.remember(saved)),
    ];
    if (saved.saved) {
      caches.push(
        quietly(() => keepHead(local, store.objectFormat, saved)),
        quietly(() => appendToCatalogue(local, entryOf(saved))),
      );
    }
    await Promise.all(caches);
    return {
      saved,
      notes: [
        ...found.notes,
        ...transcripts.notes,
        ...records.notes,
        ...(request.anew === true ? anewNotes(previous) : []),
      ],
    };
  } finally {
    await writer.discard();
  }
}

/** What is added by hand, or undefined where nothing is. */
function handRecords({ items, evict, savings, by }: CaptureStep): Omit<HandRecords, 'at'> | undefined {
  if (items === undefined && evict === undefined && savings === undefined) return undefined;
  return {
    ...(items === undefined ? {} : { items }),
    ...(evict === undefined ? {} : { evict }),
    ...(savings === undefined ? {} : { savings }),
    ...(by === undefined ? {} : { by }),
  };
}

function sessionOf({ by }: CaptureStep): SessionReference | undefined {
  return by === undefined ? undefined : { agent: by.agent, id: redactText(by.id).text };
}

async function quietly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch {
    // Said by the caller why this is no failure.
  }
}

function scanWorktree(
  { repository, fresh, replacement, followed, own, progress, signal }: CaptureStep,
  writer: StoreWriter,
): ReturnType<Repository['worktree']['scan']> {
  const { store, worktree } = repository;
  const settings = settingsOfCapture(repository);
  return worktree.scan({
    sink: writer,
    objects: store,
    begun: () => {
      writer.prepare();
    },
    maxFileBytes: settings['capture.maxFileBytes'],
    maxNewBytes: settings['capture.maxNewBytes'],
    directoryCache: settings['capture.directoryCache'],
    ...(fresh === undefined ? {} : { fresh }),
    ...(replacement === undefined ? {} : { replacement }),
    ...(followed === undefined ? {} : { followed }),
    ...(own === undefined ? {} : { own }),
    ...(progress === undefined ? {} : { progress }),
    ...(signal === undefined ? {} : { signal }),
  });
}
