/** The parts of `show` that tell of the conversation: the window, and one item's bytes. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { ItemRecord, WindowRecord } from '../../model/context/item.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { itemsInOrder } from '../../timeline/context/window-state.js';
import { readItems, recordContents } from '../../timeline/recorded/recorded.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { Store } from '../../store/store.js';
import { shownItems, type ShownItem } from '../recorded/shown-item.js';
import type { History } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface ShowWindowRequest {
  readonly repository: History;
  /** Default `head`. */
  readonly selector?: string;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

/** What stood before the model of one session. */
export interface ShownWindow extends Pick<WindowRecord, 'request' | 'exact' | 'since'> {
  readonly session: string;
  /** The snapshot whose window a rewind set, until the agent's log says again what it sent. */
  readonly rewoundTo?: string;
  /** Input of the newest request, where the provider counted it. */
  readonly counted?: number;
  /** Sum over the items. */
  readonly tokens: number;
  /** In the order in which they were sent. */
  readonly items: readonly ShownItem[];
}

export interface ShowWindowResult {
  readonly id: string;
  readonly shortId: string;
  readonly windows: readonly ShownWindow[];
}

/**
 * Shows what the model had before it, by session.
 * @throws as resolving a selector does; object_missing; format_unreadable
 * @example
 * const { windows } = await showWindow({ repository });
 * console.log(windows.map(({ session, items }) => `${session}: ${String(items.length)} items`));
 */
export async function showWindow(request: ShowWindowRequest): Promise<ShowWindowResult> {
  const { store } = request.repository;
  const snapshot = await select(request);
  const [sessions, items] = await Promise.all([readItems(store, snapshot), shownItems(store, snapshot)]);
  // A rewind leaves nothing in the windows of sessions that the target did not have.
  const shown = sessions.filter(({ window }) => window.in.length > 0 || window.origin === undefined);
  const windows = shown.map(({ session, window }): ShownWindow => {
    const own = items.filter((item) => item.session === session);
    const inside = itemsInOrder(own, window.in);
    const { request: newest, exact, since, tokens, origin } = window;
    return {
      session,
      ...(origin !== undefined && { rewoundTo: origin.snapshot }),
      exact,
      ...(newest !== undefined && { request: newest }),
      ...(since !== undefined && { since }),
      ...(tokens !== undefined && { counted: tokens }),
      tokens: inside.reduce((sum, item) => sum + item.tokens, 0),
      items: inside,
    };
  });
  return { id: snapshot.id, shortId: shortId(snapshot.id), windows };
}

export interface ShowItemRequest extends ShowWindowRequest {
  /** An item's id or at least four characters of its beginning, or `SESSION:SEQUENCE`. */
  readonly item: string;
  /** What stood before the model in its place, such as a file with line numbers. */
  readonly sent?: boolean;
}

/**
 * Returns the exact bytes of one item.
 * @throws as resolving a selector does; item_not_found; object_missing; format_unreadable
 * @example
 * const [item] = (await showWindow({ repository })).windows.flatMap(({ items }) => items);
 * const bytes = item === undefined ? new Uint8Array() : await showItem({ repository, item: item.id });
 * console.log(bytes.length);
 */
export async function showItem(request: ShowItemRequest): Promise<Uint8Array> {
  const { store } = request.repository;
  const snapshot = await select(request);
  const { session, item } = await findItem(store, snapshot, request.item);
  const contents = await recordContents(store, snapshot);
  if (request.sent === true && item.sent !== undefined) return contents.read(session, item.sent);
  return contents.read(session, item.content, item.range);
}

async function findItem(
  store: Store,
  snapshot: LoadedSnapshot,
  wanted: string,
): Promise<{ readonly session: string; readonly item: ItemRecord }> {
  const sessions = await readItems(store, snapshot);
  const all = sessions.flatMap(({ session, items }) => items.map((item) => ({ session, item })));
  const found =
    all.find(({ session, item }) => item.id === wanted || `${session}:${String(item.sequence)}` === wanted) ??
    only(all.filter(({ item }) => wanted.length >= 4 && item.id.startsWith(wanted)));
  if (found === undefined) throw contextError('item_not_found', { snapshot: shortId(snapshot.id), item: wanted });
  return found;
}

/** The same item may stand in several sessions. */
function only<T extends { readonly item: ItemRecord }>(found: readonly T[]): T | undefined {
  return new Set(found.map(({ item }) => item.id)).size === 1 ? found[0] : undefined;
}

async function select({ repository, selector = 'head', at }: ShowWindowRequest): Promise<LoadedSnapshot> {
  return (await resolveSelector(await viewAt(repository, at), selector)).snapshot;
}
