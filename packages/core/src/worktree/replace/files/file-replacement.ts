/** One replacement on a real file system: from its journal to its end. */
import { contextError, type ContextError } from '../../../base/errors.js';
import type { JsonObject } from '../../../base/json.js';
import { toRepoPath } from '../../../base/path.js';
import type { TreeChange } from '../../../model/tree/tree-change.js';
import { Drive } from '../moves/drive.js';
import { Exchange } from '../moves/exchange.js';
import type { Folders } from '../disk/folders.js';
import type { Journal, JournalFiles, JournalHead, JournalItem, Stage } from '../journal/journal.js';
import { Presence } from '../disk/presence.js';
import type { ReplacePlace } from './replace-place.js';
import type { ChangeOutcome, ContentSource, Replacement } from '../replacement.js';
import { Slots } from '../slots/slots.js';
import { Sources } from '../slots/sources.js';
import { Staging } from '../slots/staging.js';
import { fail, Survey, type Goal, type Work } from '../moves/survey.js';
import { sweep, type SweepTools } from '../moves/sweep.js';
import { systemFailure } from '../disk/system-failure.js';

export interface ReplacementParts {
  readonly place: ReplacePlace;
  readonly folders: Folders;
  readonly journals: JournalFiles;
  readonly content: ContentSource;
}

export class FileReplacement implements Replacement {
  readonly #parts: ReplacementParts;
  readonly #head: JournalHead;
  readonly #items: readonly JournalItem[];
  readonly #staging: Staging;
  readonly #survey: Survey;
  readonly #tools: SweepTools;
  /** Paths that were not as the caller thought: they are not taken back either. */
  readonly #leftAlone = new Set<number>();
  #stage: Stage;
  /** True once all is as it was, though the caller's records may not say so yet. */
  #isBack = false;
  /** False once something may have been changed. */
  #fresh: boolean;

  /** `fresh`: this process has just made the journal. */
  constructor(parts: ReplacementParts, { head, items, stage }: Journal, fresh: boolean) {
    const { folders, content, place } = parts;
    const { disk, objectFormat } = place;
    this.#parts = parts;
    this.#head = head;
    this.#items = items;
    this.#stage = stage;
    this.#fresh = fresh;
    const presence = new Presence(disk, objectFormat, place.clock);
    const slots = new Slots(disk, folders, head.id);
    this.#staging = new Staging({ disk, slots, objectFormat, content });
    const tools = { disk, folders, presence, slots, staging: this.#staging };
    const sources = new Sources(tools);
    const exchange = new Exchange({ ...tools, sources, id: head.id });
    this.#tools = { disk, folders, slots, sources, exchange };
    this.#survey = new Survey(tools, items);
    folders.expect(items.map(({ path }) => path));
  }

  get id(): string {
    return this.#head.id;
  }

  get createdAt(): string {
    return this.#head.createdAt;
  }

  get note(): JsonObject {
    return this.#head.note;
  }

  get changes(): readonly TreeChange[] {
    return this.#items.flatMap(({ path, before, after, implied }) => (implied === true ? [] : { path, before, after }));
  }

  get applied(): boolean {
    return this.#stage === 'applied' || this.#stage === 'returning';
  }

  get returning(): boolean {
    return this.#stage === 'returning';
  }

  /** Looks at every path before the first step. */
  look(): Work[] {
    return this.#survey.look({ side: 'after', fresh: true });
  }

  /** Writes content into slots, and syncs it. */
  async stage(works: readonly Work[]): Promise<void> {
    await this.#staging.stageAll(works, 'after');
  }

  async apply(): Promise<readonly ChangeOutcome[]> {
    const began = this.#fresh;
    try {
      return this.#outcomes(this.#stage === 'applied' ? this.#lookBack() : await this.#goForward());
    } catch (error) {
      const failure = systemFailure(error, this.#parts.place.root, this.#parts.folders);
      if (!began) throw this.#stopped(failure);
      try {
        await this.#goBack();
        this.#end();
      } catch (second) {
        throw this.#stopped(second);
      }
      throw failure;
    } finally {
      this.#letGo();
    }
  }

  async rollBack(): Promise<readonly ChangeOutcome[]> {
    try {
      return this.#outcomes(await this.#goBack());
    } catch (error) {
      throw this.#stopped(error);
    } finally {
      this.#letGo();
    }
  }

  async close(): Promise<readonly ChangeOutcome[]> {
    if ((this.#stage === 'open' && !this.#fresh) || (this.#stage === 'returning' && !this.#isBack)) {
      throw contextError('invariant_broken', { reason: 'a replacement is closed before it is complete or taken back' });
    }
    try {
      return this.#end();
    } catch (error) {
      throw this.#stopped(error);
    } finally {
      this.#letGo();
    }
  }

  leave(): void {
    this.#parts.place.lease.release();
    this.#letGo();
  }

  async #goForward(): Promise<Work[]> {
    const works = await this.#drive({ side: 'after', fresh: this.#fresh });
    this.#move('applied');
    return works;
  }

  // It came to its end before: what is different now, somebody has changed since.
  #lookBack(): Work[] {
    const works = this.look();
    for (const work of works) if (work.standing === 'waiting') fail(work, 'changed');
    return works;
  }

  async #goBack(): Promise<Work[]> {
    if (this.#stage === 'applied') this.#move('returning');
    const works = await this.#drive({ side: 'before', fresh: this.#fresh });
    // What was done may be on record: then it is taken back when the caller has said so, and closes.
    if (this.#stage === 'open') this.#move('taken_back');
    this.#isBack = true;
    return works;
  }

  async #drive(goal: Goal): Promise<Work[]> {
    const works = this.#survey.look(goal);
    // Only here, so that a failure to look at the files finds nothing to take back.
    this.#fresh = false;
    const isBack = goal.side === 'before';
    for (const work of works) if (isBack && this.#leftAlone.has(work.index)) fail(work, 'changed');
    const notice = (work: Work): void => {
      if (!isBack) this.#leftAlone.add(work.index);
      if (!isBack && this.#head.conflicts === 'refuse') throw worktreeChanged([work]);
    };
    for (const work of works) if (work.standing === 'conflict') notice(work);
    const { place, folders } = this.#parts;
    await new Drive({ disk: place.disk, folders, exchange: this.#tools.exchange }, goal, notice).run(works);
    return works;
  }

  #move(stage: Stage): void {
    const { journals } = this.#parts;
    journals.move(this.#stage, stage);
    this.#stage = stage;
    journals.sync();
  }

  #end(): ChangeOutcome[] {
    if (this.#stage === 'returning') this.#move('taken_back');
    const given = sweep(this.#tools, this.#items);
    this.#parts.journals.remove(this.#stage);
    this.#parts.place.lease.release();
    return given;
  }

  // Between two calls no file is kept open; the next call opens what it needs.
  #letGo(): void {
    this.#staging.discard();
    this.#tools.exchange.discard();
    this.#parts.folders.close();
  }

  #stopped(error: unknown): ContextError {
    const { root, lease } = this.#parts.place;
    const failure = systemFailure(error, root, this.#parts.folders);
    // Whoever recovers it next is not to wait for this process.
    lease.release();
    return contextError('restore_stopped', { reason: failure.message }, failure);
  }

  #outcomes(works: readonly Work[]): ChangeOutcome[] {
    return works.flatMap(({ index, item, standing, reason, keptAs }): ChangeOutcome[] => {
      if (item.implied === true || standing === 'waiting') return [];
      const inexact = standing === 'done' && this.#staging.inexact.has(index);
      return [
        {
          path: item.path,
          result: standing,
          ...(inexact ? { reason: 'permissions' } : reason === undefined ? {} : { reason }),
          ...(keptAs === undefined ? {} : { keptAs }),
        },
      ];
    });
  }
}

export function worktreeChanged(works: readonly Work[]): ContextError {
  const path = toRepoPath(works[0]?.item.path ?? '').path;
  return contextError('worktree_changed', {
    count: works.length,
    path,
    paths: works.map(({ item }) => toRepoPath(item.path)),
  });
}
