/** Commands and subagents that go on in the background: the agent is told of their end by a line in the user's name. */
import type { ActionStatus } from '../../../model/context/action.js';
import { byName } from '../../log-fields.js';
import type { Reading } from '../reading/reading.js';

const NOTIFICATION = /^\s*<task-notification>/;
const CALL = /<tool-use-id>([^<]{1,200})<\/tool-use-id>/;
const STATUS = /<status>([^<]{1,40})<\/status>/;
/** The command itself stands there too: only its end tells. */
const EXIT = /<summary>[^<]{0,1000}\bexit code (\d{1,3})\)?<\/summary>/;
const STATUSES = byName<ActionStatus>({
  completed: 'ok',
  failed: 'error',
  killed: 'cancelled',
  stopped: 'cancelled',
  timeout: 'timeout',
});
/** So many characters of a notification are looked at; what came back follows below. */
const HEAD = 4000;

/** Ends the call that a text in the user's name tells of, if it does. */
export function endTask({ events, at }: Reading, text: string): void {
  if (!NOTIFICATION.test(text)) return;
  const head = text.slice(0, HEAD);
  const [call, said = ''] = [CALL.exec(head)?.[1], STATUS.exec(head)?.[1]];
  const status = STATUSES[said];
  if (call === undefined || status === undefined) return;
  const exit = EXIT.exec(head)?.[1];
  events.push({
    event: 'result',
    call,
    status,
    ...(exit !== undefined && { exitCode: Number(exit) }),
    ...(at !== undefined && { at }),
  });
}
