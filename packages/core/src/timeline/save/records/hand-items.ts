/** Items that a person or an agent adds by hand: files, pages, snippets, commands, images. */
import { blake3 } from '../../../format/digest.js';
import type { ActionRecord, ActionStatus } from '../../../model/context/action.js';
import { estimatedTokens, type ItemRecord, type LineRange, type Selection } from '../../../model/context/item.js';
import type { ObjectId } from '../../../model/tree/tree.js';
import { redactBytes, redactionKinds, redactText } from '../../../redact/redactor.js';
import { lineCount, linesOf } from '../../recorded/lines.js';
import type { RecordDraft } from './record-draft.js';

/** One thing that stood before the model and that no log holds. */
export interface ItemInput {
  readonly kind: 'file' | 'url' | 'snippet' | 'command' | 'image';
  /** Path in the worktree, address, command line, or a label. */
  readonly path?: string;
  /** The whole of it; of a command what it wrote. Nothing is fetched or run. */
  readonly content: Uint8Array;
  /** Of a file: the item is these lines. */
  readonly range?: LineRange;
  /** Default `explicit`. */
  readonly selection?: Selection;
  readonly pinned?: boolean;
  /** How a command ended. */
  readonly ran?: {
    readonly status: ActionStatus;
    readonly exitCode?: number;
    readonly startedAt?: string;
    readonly milliseconds?: number;
  };
}

/** How much a session holds already. */
export interface ItemStart {
  /** Name of its folder: what two runs see alike are two items. */
  readonly folder: string;
  readonly items: number;
  readonly actions: number;
  /** When they are added, as formatted time. */
  readonly at: string;
}

export interface MadeItems {
  readonly items: readonly ItemRecord[];
  readonly actions: readonly ActionRecord[];
  /** Secrets that were removed from them, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}

/** Makes the records of items after those that are there, and stores their content. */
export async function makeItems(
  draft: RecordDraft,
  inputs: readonly ItemInput[],
  before: ItemStart,
): Promise<MadeItems> {
  const items: ItemRecord[] = [];
  const actions: ActionRecord[] = [];
  const kinds: Record<string, number> = {};
  for (const input of inputs) {
    const clean = withoutSecrets(input);
    for (const [kind, count] of Object.entries(clean.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count;
    const blob = await draft.link(clean.content);
    const sequence = before.items + items.length;
    const item = itemOf(clean, { ...before, sequence, blob });
    if (input.kind !== 'command') items.push(item);
    else {
      const action = actionOf(clean, item, before.actions + actions.length);
      actions.push(action);
      items.push({ ...item, from: action.id });
    }
  }
  return { items, actions, kinds };
}

interface CleanItem extends ItemInput {
  readonly kinds: Readonly<Record<string, number>>;
}

function withoutSecrets(input: ItemInput): CleanItem {
  const { path, kind, content, range } = input;
  const locator = path === undefined ? undefined : redactText(path);
  // What a camera or a screen gave is no text, and chance hits would destroy it.
  const { bytes, spans } = kind === 'image' && isImage(content) ? { bytes: content, spans: [] } : redactBytes(content);
  const found = redactionKinds(spans);
  const clean = {
    ...input,
    content: bytes,
    kinds: { ...found },
    ...(locator === undefined ? {} : { path: locator.text }),
  };
  for (const [name, count] of Object.entries(locator?.kinds ?? {}))
    clean.kinds[name] = (clean.kinds[name] ?? 0) + count;
  if (range === undefined || spans.length === 0) return clean;
  // A replacement may take lines away: then the lines themselves are kept, as a whole.
  const excerpt = redactBytes(linesOf(content, range)).bytes;
  const label = `${clean.path ?? ''}:${String(range.from)}-${String(range.to)}`;
  return { ...withoutRange(clean), path: label, content: excerpt };
}

function withoutRange({ kind, content, kinds, selection, pinned }: CleanItem): CleanItem {
  const chosen = selection === undefined ? {} : { selection };
  return { kind, content, kinds, ...chosen, ...(pinned === undefined ? {} : { pinned }) };
}

function isImage(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return /^(?:\x89PNG\r\n|\xff\xd8\xff|GIF8|RIFF[^]{4}WEBP|BM)/.test(start);
}

interface ItemPlace extends Pick<ItemStart, 'folder' | 'at'> {
  readonly sequence: number;
  readonly blob: ObjectId;
}

function itemOf(
  { kind, path, range: asked, content, selection = 'explicit', pinned }: CleanItem,
  { folder, sequence, blob, at }: ItemPlace,
): ItemRecord {
  const range = asked && { from: asked.from, to: Math.min(asked.to, lineCount(content)) };
  const shown = range === undefined ? content.length : linesOf(content, range).length;
  const lines = range === undefined ? [] : [range.from, range.to];
  return {
    id: handId('item', [folder, sequence, kind, blob, ...lines, path ?? ''].join(' ')),
    sequence,
    kind,
    ...(path === undefined ? {} : { path }),
    ...(range === undefined ? {} : { range }),
    content: { blob, bytes: content.length, place: { in: 'content' } },
    tokens: estimatedTokens(kind, shown),
    selection,
    ...(pinned === undefined ? {} : { pinned }),
    at,
  };
}

function actionOf({ path = '', ran }: CleanItem, item: ItemRecord, sequence: number): ActionRecord {
  return {
    id: handId('action', item.id),
    sequence,
    kind: 'shell',
    tool: 'savepoint',
    status: 'ok',
    ...ran,
    command: path,
    output: item.content,
    reads: [],
    writes: [],
  };
}

function handId(kind: string, name: string): string {
  return blake3(Buffer.from(`manual ${kind} ${name}`, 'utf8')).slice(0, 16);
}
