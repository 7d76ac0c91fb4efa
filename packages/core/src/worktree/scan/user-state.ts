/** What a scan knows of the user's index and HEAD: what was remembered as long as it holds, the rest read anew. */
import type { BytePath } from '../../base/path.js';
import {
  indexState,
  isSameIndex,
  readForced,
  readIndex,
  readIndexFacts,
  type IndexEntry,
  type IndexFacts,
  type IndexState,
} from '../index/user-index.js';
import type { Listing } from '../listing/directories.js';
import { sameSources } from '../listing/ignore-rules.js';
import type { Head, WorktreePlace } from '../place/place.js';
import type { ScanMemory } from './scan-memory.js';

export interface UserState {
  readonly head: Head;
  readonly facts: IndexFacts;
  /** Read only when the facts were not remembered. */
  readonly entries?: readonly IndexEntry[];
}

export class UserIndex {
  readonly #place: WorktreePlace;
  readonly #memory: ScanMemory | undefined;
  readonly #state: IndexState;
  /** Facts of the index as it is, whatever HEAD is now; absent where they are not remembered. */
  readonly remembered: IndexFacts | undefined;
  readonly #judged = new Map<BytePath, boolean>();
  #entries: Promise<readonly IndexEntry[]> | undefined;

  constructor(place: WorktreePlace, memory: ScanMemory | undefined, began: number) {
    this.#place = place;
    this.#memory = memory;
    this.#state = indexState(place, memory?.userIndex, began);
    const facts = memory?.userIndex;
    this.remembered = facts !== undefined && isSameIndex(facts, this.#state) ? { ...facts, ...this.#state } : undefined;
  }

  async read(): Promise<UserState> {
    const head = await this.#place.head(this.#memory?.head);
    const known = this.remembered;
    if (known !== undefined && known.commit === head.commit) return { head, facts: known };
    const { facts, entries } = await readIndexFacts(this.#place, head, this.#state);
    this.#entries = Promise.resolve(entries);
    return { head, facts, entries };
  }

  /** Which tracked files are ignored hangs on the rules as well as on the index. */
  async judgeForced(user: UserState, { rules }: Listing): Promise<UserState> {
    if (user.entries !== undefined || sameSources(this.#memory?.rules ?? new Map(), rules)) return user;
    return { ...user, facts: { ...user.facts, forced: await readForced(this.#place) } };
  }

  entries(): Promise<readonly IndexEntry[]> {
    return (this.#entries ??= readIndex(this.#place));
  }

  /** Tells whether the index has a file below a directory. */
  async holdsTracked(directory: BytePath, { judged }: Pick<IndexFacts, 'judged'>): Promise<boolean> {
    if (this.#judged.size === 0) for (const [path, holds] of judged) this.#judged.set(path, holds);
    const known = this.#judged.get(directory);
    if (known !== undefined) return known;
    const holds = (await this.entries()).some(({ path }) => path.startsWith(`${directory}/`));
    this.#judged.set(directory, holds);
    return holds;
  }

  /** All that is known by now of which directories have a file in the index; nothing where nobody asked. */
  get judged(): IndexFacts['judged'] {
    return [...this.#judged];
  }
}
