/** Actions of the fold: begun by a call, ended by its result. */
import { parseTime } from '../../base/clock.js';
import { utf8 } from '../../base/bytes.js';
import type { ActionRecord, FileRead, FileWrite } from '../../model/context/action.js';
import type { CallEvent, FileTouch, ResultEvent } from '../../model/context/log-event.js';
import { objectId } from '../../model/tree/object-id.js';
import type { ObjectId } from '../../model/tree/tree.js';
import type { Folding } from './folding.js';
import { contentIn } from './line.js';
import { placePath } from './paths.js';
import { LONGEST_COMMAND, recordId, timeIn, worded, wording } from './wording.js';

/** Calls whose result never came are given up beyond this. */
const MOST_OPEN = 1000;
/** Bytes of a file that were redacted in the log are not the file's. */
const REDACTED = '[REDACTED:';

export function beginAction(folding: Folding, event: CallEvent): void {
  const { state, line } = folding;
  const startedAt = timeIn(event.at);
  const content = contentIn(line, event.arguments);
  const action: ActionRecord = {
    id: recordId('action', event.call),
    sequence: state.totals.actions,
    kind: event.kind,
    tool: wording(event.tool),
    ...worded('callId', event.call),
    ...(content !== undefined && { arguments: content.reference }),
    ...(startedAt !== undefined && { startedAt }),
    status: 'running',
    reads: event.reads.map((read) => readOf(folding, read)),
    writes: event.writes.map((write) => writeOf(folding, write)),
    ...worded('command', event.command, LONGEST_COMMAND),
  };
  state.totals.actions += 1;
  put(folding, event.call, action);
}

export function endAction(folding: Folding, event: ResultEvent): void {
  const { state, line } = folding;
  const begun = state.calls.get(event.call);
  // The call stands in no line before this one: a log that begins in the middle.
  if (begun === undefined) return;
  const output = event.output === undefined ? undefined : contentIn(line, event.output);
  const milliseconds =
    event.status === 'running'
      ? undefined
      : isCount(event.milliseconds)
        ? event.milliseconds
        : durationOf(begun, event);
  const action: ActionRecord = {
    ...begun,
    status: event.status,
    ...(milliseconds !== undefined && { milliseconds }),
    ...(event.exitCode !== undefined && { exitCode: event.exitCode }),
    ...(output !== undefined && { output: output.reference }),
    ...(event.reads !== undefined && { reads: event.reads.map((read) => readOf(folding, read)) }),
    ...(event.writes !== undefined && { writes: event.writes.map((write) => writeOf(folding, write)) }),
    ...(event.child !== undefined && { child: wording(event.child) }),
  };
  if (event.child !== undefined && !state.children.includes(action.child ?? ''))
    state.children.push(wording(event.child));
  // What goes on in the background ends with a later line.
  if (event.status === 'running') state.calls.set(event.call, action);
  else state.calls.delete(event.call);
  folding.changes.actions.set(action.sequence, action);
}

function isCount(value: number | undefined): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function put({ state, changes }: Folding, call: string, action: ActionRecord): void {
  state.calls.set(call, action);
  changes.actions.set(action.sequence, action);
  const [oldest] = state.calls.keys();
  if (state.calls.size > MOST_OPEN && oldest !== undefined) state.calls.delete(oldest);
}

/** From the call to its result, with what was between: hooks, and a person who was asked. */
function durationOf({ startedAt }: ActionRecord, { at }: ResultEvent): number | undefined {
  const [from, to] = [startedAt, at].map((time) => (time === undefined ? undefined : parseTime(time)));
  return from === undefined || to === undefined || to < from ? undefined : to - from;
}

function readOf(folding: Folding, { path, text }: FileTouch): FileRead {
  const blob = blobOf(folding, text);
  return { ...touch(folding, path), ...(blob !== undefined && { blob }) };
}

function writeOf(folding: Folding, { path, existed, before, after }: FileTouch): FileWrite {
  const blobs = { before: blobOf(folding, before), after: blobOf(folding, after) };
  return {
    ...touch(folding, path),
    ...(existed !== undefined && { existed }),
    ...(blobs.before !== undefined && { before: blobs.before }),
    ...(blobs.after !== undefined && { after: blobs.after }),
  };
}

function blobOf({ line }: Folding, text: string | undefined): ObjectId | undefined {
  return text === undefined || text.includes(REDACTED) ? undefined : objectId(line.format, 'blob', utf8(text));
}

function touch({ state }: Folding, named: string): { readonly path: string } {
  const { path, inside } = placePath(named, state.session.directory);
  if (inside) state.touched.set(path, { path });
  return { path };
}
