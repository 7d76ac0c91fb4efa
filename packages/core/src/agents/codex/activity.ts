/** Reads from a log whether a turn is in progress, and which files the session's patches wrote. */
import type { SessionActivity, TranscriptLocation } from '../adapter.js';
import { asObject, findInHead, linesSince, timeOf, type LogLine } from '../log-lines.js';

export function readActivity({ file }: TranscriptLocation, since: number): SessionActivity {
  const lines = linesSince(file, since, (line) => turnOf(line) !== undefined);
  const began = findInHead(file, timeOf);
  return {
    ...(began !== undefined && { began }),
    inTurn: lines.map(turnOf).findLast((turn) => turn !== undefined) === 'goes on',
    written: new Set(lines.filter((line) => (timeOf(line) ?? since) >= since).flatMap(writtenBy)),
  };
}

function turnOf({ type, payload }: LogLine): 'goes on' | 'ended' | undefined {
  const event = type === 'event_msg' ? asObject(payload)?.['type'] : undefined;
  if (event === 'task_started') return 'goes on';
  return event === 'task_complete' || event === 'turn_aborted' ? 'ended' : undefined;
}

function writtenBy({ payload }: LogLine): readonly string[] {
  const item = asObject(asObject(payload)?.['item']);
  if (item?.['type'] !== 'FileChange' || item['status'] !== 'completed') return [];
  return Object.entries(asObject(item['changes']) ?? {}).flatMap(([file, change]) => {
    const moved = asObject(change)?.['move_path'];
    return typeof moved === 'string' ? [file, moved] : [file];
  });
}
