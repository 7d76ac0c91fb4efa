/** What a save starts from: the heads of timelines, its own to go on from and others to witness. */
import type { Random } from '../../base/clock.js';
import { ContextError, contextError, reasonOf } from '../../base/errors.js';
import type { Witness } from '../../model/snapshot.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Store } from '../../store/store.js';
import { loadSnapshot, type LoadedSnapshot } from '../snapshot/load.js';
import { TIMELINES, type Head } from '../view.js';

export interface Heads {
  readonly heads: readonly Head[];
  /** The head of one's own timeline; absent where it has none yet. */
  readonly previous?: LoadedSnapshot;
}

/** Reads the head of one's own timeline, and where those of others are. @throws head_unreadable */
export async function readHeads(
  store: Store,
  timelines: { readonly own: string; readonly others: readonly string[] },
  recall: (head: Head) => Promise<LoadedSnapshot | undefined>,
): Promise<Heads> {
  const { own: timeline, others } = timelines;
  const found = await Promise.all(
    [timeline, ...others.filter((other) => other !== timeline)].map(async (name) => {
      const commit = await store.resolve(`${TIMELINES}${name}`);
      return commit === undefined ? [] : [{ timeline: name, commit }];
    }),
  );
  const heads = found.flat();
  const own = heads.find((head) => head.timeline === timeline);
  if (own === undefined) return { heads };
  return { heads, previous: (await recall(own)) ?? (await loadHead(store, own.commit)) };
}

async function loadHead(store: Store, commit: ObjectId): Promise<LoadedSnapshot> {
  try {
    return await loadSnapshot(store, commit);
  } catch (error) {
    if (!(error instanceof ContextError) || error.kind !== 'corrupt') throw error;
    throw contextError('head_unreadable', { commit, reason: reasonOf(error) }, error);
  }
}

/** At most this many other heads are named in a body. */
const WITNESSES = 16;

interface WitnessPlace {
  readonly store: Store;
  readonly random: Random;
  readonly timeline: string;
}

/** Returns heads of other timelines to name in a body; where there are too many, another choice each time, so that in time all are witnessed. */
export async function chooseWitnesses(
  { store, timeline, random }: WitnessPlace,
  heads: readonly Head[],
): Promise<readonly Witness[]> {
  const others = heads.filter((head) => head.timeline !== timeline);
  const start = others.length > WITNESSES ? parseInt(random.hex(8), 16) % others.length : 0;
  const chosen = [...others.slice(start), ...others.slice(0, start)].slice(0, WITNESSES);
  const seen = await Promise.all(
    chosen.map(async (head) => {
      const snapshot = await loadSnapshot(store, head.commit).catch(() => undefined);
      return snapshot === undefined
        ? []
        : [{ timeline: head.timeline, sequence: snapshot.body.sequence, id: snapshot.id }];
    }),
  );
  return seen.flat().sort((a, b) => (a.timeline < b.timeline ? -1 : 1));
}
