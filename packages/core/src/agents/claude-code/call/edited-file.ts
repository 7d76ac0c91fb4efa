/** The whole file before and after an edit, from what the tool says that it did. */
import type { FileTouch } from '../../../model/context/log-event.js';
import { asLogObject, type LogObject } from '../../../model/context/log-value.js';
import { listOf, textOf } from '../../log-fields.js';

/** Of a file with more characters it is not computed what it became. */
const LARGEST = 16 * 1024 * 1024;

type Edited = Pick<FileTouch, 'existed' | 'before' | 'after'>;

/** Returns what a tool's result says of its file; what it became is worked out where only the edits are told. */
export function editedFile(result: LogObject | undefined): Edited {
  const before = textOf(result, 'originalFile');
  const created =
    result?.['type'] === 'create' || (result?.['originalFile'] === null && textOf(result, 'content') !== undefined);
  const after = result?.['userModified'] === true ? undefined : afterOf(result, before);
  return {
    ...(created && { existed: false }),
    ...(before !== undefined && !created && { existed: true, before }),
    ...(after !== undefined && { after }),
  };
}

function afterOf(result: LogObject | undefined, before: string | undefined): string | undefined {
  const whole = textOf(result, 'content');
  if (whole !== undefined) return whole;
  const edits = listOf(result, 'edits');
  let text = before;
  for (const edit of edits.length > 0 ? edits.map(asLogObject) : [result]) text = applied(text, edit);
  return text;
}

function applied(text: string | undefined, edit: LogObject | undefined): string | undefined {
  const from = textOf(edit, 'oldString') ?? textOf(edit, 'old_string');
  const to = textOf(edit, 'newString') ?? textOf(edit, 'new_string');
  if (text === undefined || from === undefined || from === '' || to === undefined || !text.includes(from))
    return undefined;
  const all = edit?.['replaceAll'] === true || edit?.['replace_all'] === true;
  // A hostile log may replace each letter by a book.
  const most = text.length + (all ? text.length / from.length : 1) * Math.max(0, to.length - from.length);
  if (most > LARGEST) return undefined;
  return all ? text.split(from).join(to) : text.replace(from, () => to);
}
