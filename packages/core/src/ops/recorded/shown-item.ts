/** Items as faces show them: with what follows from the records, such as the preview and what became of them. */
import { text } from '../../base/bytes.js';
import { ContextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import type { ObjectFormat } from '../../model/tree/anchor.js';
import type { ItemRecord, WindowState } from '../../model/context/item.js';
import { objectId } from '../../model/tree/object-id.js';
import type { Store } from '../../store/store.js';
import { previewOf } from '../../timeline/context/preview.js';
import { relevances } from '../../timeline/context/relevance.js';
import { windowStates } from '../../timeline/context/window-state.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import {
  readActions,
  readItems,
  readSessions,
  recordContents,
  type RecordContents,
  type SessionItems,
} from '../../timeline/recorded/recorded.js';

/** One item as people look at it: of its content a preview, the rest by its digest. */
export interface ShownItem extends Omit<ItemRecord, 'content' | 'sent' | 'tokens' | 'inside' | 'pinned'> {
  /** Name of the session's folder. */
  readonly session: string;
  /** Git blob id of its bytes; absent where they are not there. */
  readonly blob?: string;
  readonly bytes: number;
  /** BLAKE3 of its bytes; absent where they are not there. */
  readonly digest?: string;
  /** The first characters; empty for what is no text. */
  readonly preview: string;
  readonly tokens: number;
  /** True where no provider counted the tokens. */
  readonly estimated: boolean;
  readonly pinned: boolean;
  readonly window: WindowState;
  /** Φ, in thousandths. */
  readonly relevance: number;
}

/** Returns all items of a snapshot. @throws object_missing; format_unreadable */
export async function shownItems(store: Store, snapshot: LoadedSnapshot): Promise<readonly ShownItem[]> {
  const [sessions, all, actions, contents] = await Promise.all([
    readSessions(store, snapshot),
    readItems(store, snapshot),
    readActions(store, snapshot),
    recordContents(store, snapshot),
  ]);
  const shown: ShownItem[] = [];
  for (const one of all) {
    const session = sessions.find(({ id }) => id === one.session);
    const done = actions.find((other) => other.session === one.session)?.actions ?? [];
    const read = await readAll(contents, one, store.objectFormat);
    const states = windowStates(one.window);
    const relevance = relevances({
      items: one.items,
      textOf: ({ sequence }) => read.get(sequence)?.text,
      ...(session?.task === undefined ? {} : { task: session.task }),
      touched: session?.touched.map(({ path }) => path) ?? [],
      actions: done,
      isIn: ({ sequence }) => states(sequence) === 'in',
    });
    one.items.forEach((item, index) => {
      const { digest, blob, preview = '' } = read.get(item.sequence) ?? {};
      const phi = relevance[index]?.phi ?? 0;
      const derived = { session: one.session, preview, window: states(item.sequence), relevance: phi };
      const names = { ...(blob !== undefined && { blob }), ...(digest !== undefined && { digest }) };
      shown.push(describe(item, { ...derived, ...names }));
    });
  }
  return shown;
}

interface ReadItem {
  readonly digest: string;
  readonly blob: string;
  readonly preview: string;
  /** The beginning of it, for comparing; absent for what is no text. */
  readonly text?: string;
}

/** More of an item changes its relevance by little. */
const COMPARED_BYTES = 64 * 1024;

async function readAll(
  contents: RecordContents,
  { session, items }: SessionItems,
  format: ObjectFormat,
): Promise<ReadonlyMap<number, ReadItem>> {
  const read = new Map<number, ReadItem>();
  // By where they are in the log, so that it is read once.
  const offset = ({ content: { place } }: ItemRecord): number => (place.in === 'transcript' ? place.offset : 0);
  for (const item of [...items].sort((a, b) => offset(a) - offset(b))) {
    const bytes = await contents.read(session, item.content, item.range).catch(passWithheld);
    if (bytes === undefined) continue;
    const preview = item.kind === 'image' ? '' : previewOf(bytes);
    const compared = preview === '' ? undefined : text(bytes.subarray(0, COMPARED_BYTES));
    const names = { digest: blake3(bytes), blob: item.content.blob ?? objectId(format, 'blob', bytes) };
    read.set(item.sequence, { ...names, preview, ...(compared === undefined ? {} : { text: compared }) });
  }
  return read;
}

/** What others published need not have the log with it. */
function passWithheld(error: unknown): undefined {
  if (!(error instanceof ContextError) || !['object_missing', 'format_unreadable'].includes(error.code)) throw error;
}

type Derived = Pick<ShownItem, 'session' | 'blob' | 'digest' | 'preview' | 'window' | 'relevance'>;

function describe(item: ItemRecord, derived: Derived): ShownItem {
  const { id, sequence, kind, role, path, pathBytes, range, from, selection, at, origin } = item;
  const { content, tokens, pinned = false } = item;
  return {
    id,
    sequence,
    kind,
    ...(role !== undefined && { role }),
    ...(path !== undefined && { path }),
    ...(pathBytes !== undefined && { pathBytes }),
    ...(range !== undefined && { range }),
    ...(from !== undefined && { from }),
    selection,
    ...(at !== undefined && { at }),
    ...(origin !== undefined && { origin }),
    ...(content.blob !== undefined && { blob: content.blob }),
    ...derived,
    bytes: content.bytes,
    tokens: tokens.count,
    estimated: tokens.estimated,
    pinned,
  };
}
