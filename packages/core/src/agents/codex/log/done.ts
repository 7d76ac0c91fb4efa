/** What a line says of a call that is done. */
import type { ActionStatus } from '../../../model/context/action.js';
import type { FileTouch, ResultEvent } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { listOf, objectOf, textOf, wordOf } from '../../log-fields.js';

type Done = Pick<ResultEvent, 'status' | 'exitCode' | 'output' | 'reads' | 'writes'>;

const OUTPUTS = ['aggregated_output', 'stdout'] as const;

export function doneOf(item: LogObject): Done {
  const exitCode = item['exit_code'];
  const output = OUTPUTS.find((name) => textOf(item, name) !== undefined);
  const reads = readsOf(item);
  return {
    status: statusOf(item),
    ...(typeof exitCode === 'number' && Number.isSafeInteger(exitCode) && { exitCode }),
    ...(output !== undefined && { output: { pointers: [`/payload/item/${output}`] } }),
    ...(reads.length > 0 && { reads }),
    ...(item['type'] === 'FileChange' && { writes: writesOf(item) }),
  };
}

function statusOf(item: LogObject): ActionStatus {
  switch (wordOf(item, 'status')) {
    case 'declined':
      return 'denied';
    case 'failed':
      return 'error';
    case 'in_progress':
      return 'running';
    default:
      return typeof item['exit_code'] === 'number' && item['exit_code'] !== 0 ? 'error' : 'ok';
  }
}

/** The agent itself understands of some commands that they only read a file. */
function readsOf(item: LogObject): readonly FileTouch[] {
  return listOf(item, 'parsed_cmd').flatMap((value) => {
    const parsed = asLogObject(value);
    const path = wordOf(parsed, 'path');
    return textOf(parsed, 'type') === 'read' && path !== undefined ? [{ path }] : [];
  });
}

function writesOf(item: LogObject): readonly FileTouch[] {
  return Object.entries(objectOf(item, 'changes') ?? {}).flatMap(([path, value]) => {
    const change = asLogObject(value);
    const [type, text, moved] = [textOf(change, 'type'), textOf(change, 'content'), wordOf(change, 'move_path')];
    if (type === 'add') return [{ path, existed: false, ...(text !== undefined && { after: text }) }];
    const before = type === 'delete' && text !== undefined ? { before: text } : {};
    return [{ path, existed: true, ...before }, ...(moved === undefined ? [] : [{ path: moved }])];
  });
}
