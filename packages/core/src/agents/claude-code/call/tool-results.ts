/** Results of calls: what came back is an item, and how the call ended belongs to its action. */
import type { ActionStatus } from '../../../model/context/action.js';
import type { LineRange } from '../../../model/context/item.js';
import type { FileTouch, LineContent, ResultEvent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { editedFile } from './edited-file.js';
import { countOf, digestOf, listOf, objectOf, textOf, wordOf } from '../../log-fields.js';
import { noteTask } from './progress.js';
import { addItem, awaitRequest, type Reading } from '../reading/reading.js';
import type { OpenCall } from '../../call.js';
import { toolOf } from './tools.js';

export function addResult(reading: Reading, block: LogObject, at: string): void {
  const { state, line, events } = reading;
  const call = wordOf(block, 'tool_use_id') ?? `${reading.node}${at}`;
  const open = state.calls.get(call);
  state.calls.delete(call);
  // Beside several results, the structured one belongs to nobody in particular.
  const alone = listOf(objectOf(line, 'message'), 'content').length === 1;
  const result = alone ? objectOf(line, 'toolUseResult') : undefined;
  const output = contentOf(block, at);
  noteTask(reading, open?.tool, result);
  addItemOf(reading, { call, open, result, pieces: piecesOf(block, at), at });
  events.push({
    event: 'result',
    call,
    ...endOf(reading, block, result),
    ...(output !== undefined && { output }),
    ...filesOf(open, result),
  });
}

interface Result {
  readonly call: string;
  readonly open: OpenCall | undefined;
  readonly result: LogObject | undefined;
  readonly pieces: readonly Piece[];
  readonly at: string;
}

function addItemOf(reading: Reading, { call, open, result, pieces, at }: Result): void {
  const file = objectOf(result, 'file');
  const [sent, ...beside] = pieces;
  const content = textOf(file, 'content') === undefined ? sent?.content : FILE_CONTENT;
  if (content === undefined) return;
  const range = rangeOf(file);
  const path = open?.path ?? open?.tool;
  const from = { role: 'user', ...(path !== undefined && { path }), call, selection: 'heuristic' } as const;
  const item = addItem(reading, at, {
    ...from,
    kind: sent?.image === true ? 'image' : toolOf(open?.tool ?? '').item,
    ...(range !== undefined && { range }),
    content,
    ...(content === FILE_CONTENT && sent !== undefined && { sent: sent.content }),
  });
  awaitRequest(reading, { item, digests: [], call });
  for (const { content: own, image, text } of beside) {
    const kind = image ? 'image' : 'snippet';
    const other = addItem(reading, own.pointers.join(), { ...from, kind, content: own });
    awaitRequest(reading, { item: other, digests: [digestOf(text)] });
  }
}

const FILE_CONTENT: LineContent = { pointers: ['/toolUseResult/file/content'] };

interface Piece {
  readonly content: LineContent;
  readonly image: boolean;
  /** What stands there. */
  readonly text: string;
}

/** Returns what came back as one piece; where there are images, each of them and each text beside them by itself. */
function piecesOf(block: LogObject, at: string): readonly Piece[] {
  const whole = contentOf(block, at);
  const parts = listOf(block, 'content').flatMap((value, index) => {
    const part = asLogObject(value);
    const text = textOf(part, 'text');
    const own = `${at}/content/${String(index)}`;
    if (text !== undefined) return [{ content: { pointers: [`${own}/text`] }, image: false, text }];
    const content = part === undefined ? undefined : imageAt(part, own);
    return content === undefined
      ? []
      : [{ content, image: true, text: textOf(objectOf(part, 'source'), 'data') ?? '' }];
  });
  if (parts.some(({ image }) => image)) return parts;
  return whole === undefined ? [] : [{ content: whole, image: false, text: '' }];
}

/** Returns where the bytes of an image stand. */
export function imageAt(block: LogObject, at: string): LineContent | undefined {
  const source = objectOf(block, 'source');
  if (textOf(source, 'data') === undefined) return undefined;
  return { pointers: [`${at}/source/data`], ...(textOf(source, 'type') === 'base64' && { base64: true }) };
}

/** Returns the lines that were read, where that is not the whole file. */
export function rangeOf(file: LogObject | undefined): LineRange | undefined {
  const [from, lines, total] = [countOf(file, 'startLine'), countOf(file, 'numLines'), countOf(file, 'totalLines')];
  if (from === undefined || from === 0 || lines === undefined || lines === 0) return undefined;
  return from === 1 && lines === total ? undefined : { from, to: from + lines - 1 };
}

/** Returns where the text of a result stands; of several blocks the texts, or the one image. */
export function contentOf(block: LogObject, at: string): LineContent | undefined {
  const content = block['content'];
  if (typeof content === 'string') return { pointers: [`${at}/content`] };
  const blocks = listOf(block, 'content').map(asLogObject);
  const texts = blocks.flatMap((one, index) =>
    textOf(one, 'text') === undefined ? [] : [`${at}/content/${String(index)}/text`],
  );
  if (texts.length > 0) return { pointers: texts };
  const images = blocks.map((one, index) => one && imageAt(one, `${at}/content/${String(index)}`));
  return images.find((image) => image !== undefined);
}

type End = Pick<ResultEvent, 'status' | 'exitCode' | 'milliseconds' | 'child' | 'at'>;

function endOf({ line, at }: Reading, block: LogObject, result: LogObject | undefined): End {
  const text = firstText(block);
  const exit = /^(?:Error: )?Exit code (\d{1,3})(?:\n|$)/.exec(text)?.[1];
  const status = statusOf(line, text, {
    failed: block['is_error'] === true,
    interrupted: result?.['interrupted'] === true,
  });
  const milliseconds = countOf(result, 'durationMs') ?? countOf(result, 'totalDurationMs');
  // Its log is named so.
  const child = wordOf(result, 'agentId');
  // A shell's result has its two streams; one that ended well says no exit code.
  const background = result?.['isAsync'] === true || wordOf(result, 'backgroundTaskId') !== undefined;
  const shellDone = textOf(result, 'stdout') !== undefined && !background;
  const exitCode = exit !== undefined ? Number(exit) : status === 'ok' && shellDone ? 0 : undefined;
  return {
    // How it ended is told by a notification.
    status: background && status === 'ok' ? 'running' : status,
    ...(exitCode !== undefined && { exitCode }),
    ...(milliseconds !== undefined && { milliseconds }),
    ...(child !== undefined && { child: `agent-${child}` }),
    ...(at !== undefined && { at }),
  };
}

interface Signs {
  readonly failed: boolean;
  readonly interrupted: boolean;
}

function statusOf(line: LogObject, text: string, { failed, interrupted }: Signs): ActionStatus {
  const decision = textOf(objectOf(line, 'permissionDecision'), 'decision');
  if (decision === 'reject' || decision === 'deny') return 'denied';
  if (failed && /^(?:The user doesn't want to proceed|Permission to use|.{0,80} requires approval)/.test(text))
    return 'denied';
  if (/^Command timed out|\nCommand timed out after/.test(text)) return 'timeout';
  if (interrupted || /^\[Request interrupted/.test(text)) return 'cancelled';
  return failed ? 'error' : 'ok';
}

function firstText(block: LogObject): string {
  return textOf(block, 'content') ?? textOf(asLogObject(listOf(block, 'content')[0]), 'text') ?? '';
}

function filesOf(open: OpenCall | undefined, result: LogObject | undefined): Pick<ResultEvent, 'reads' | 'writes'> {
  const action = toolOf(open?.tool ?? '').action;
  const file = objectOf(result, 'file');
  const path = wordOf(file, 'filePath') ?? wordOf(result, 'filePath') ?? open?.path;
  if (path === undefined) return {};
  if (action === 'edit') return { writes: [{ path, ...editedFile(result) }] };
  if (action !== 'read') return {};
  const text = textOf(file, 'content');
  const read: FileTouch = { path, ...(text !== undefined && rangeOf(file) === undefined && { text }) };
  return { reads: [read] };
}
