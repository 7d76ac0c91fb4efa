/** What requests cost. A provider of this kind counts what came from its cache as input too; a ledger does not. */
import type { UsageEvent } from '../../../model/context/log-event.js';
import type { LogObject } from '../../../model/context/log-value.js';
import { countOf, objectOf, wordOf } from '../../log-fields.js';
import type { Reading } from './reading.js';

/** One line for each request, with the provider's id of the answer. */
export function readUsage(reading: Reading): void {
  const { payload, state, events } = reading;
  const usage = objectOf(payload, 'usage');
  if (usage === undefined) return;
  state.counted = true;
  const requestId = wordOf(payload, 'response_id');
  events.push({ ...usageOf(reading, usage), ...(requestId !== undefined && { requestId }) });
  countAnswer(reading, usage);
  state.answering = false;
}

/** Older logs only tell sums, again and again: where they have grown, one request was made. */
export function readTotal(reading: Reading): void {
  const { payload, state, events } = reading;
  const info = objectOf(payload, 'info');
  const [sums, usage] = [objectOf(info, 'total_token_usage'), objectOf(info, 'last_token_usage')];
  if (state.counted || sums === undefined || usage === undefined) return;
  const total = JSON.stringify(sums);
  if (total === state.total) return;
  state.total = total;
  events.push(usageOf(reading, usage));
  countAnswer(reading, usage);
  state.answering = false;
}

function usageOf({ state, at }: Reading, usage: LogObject): UsageEvent {
  const [read, written] = [countOf(usage, 'cached_input_tokens'), countOf(usage, 'cache_write_input_tokens')];
  const [input, output] = [countOf(usage, 'input_tokens'), countOf(usage, 'output_tokens')];
  const reasoning = countOf(usage, 'reasoning_output_tokens');
  return {
    event: 'usage',
    own: true,
    estimated: false,
    ...(at !== undefined && { at }),
    ...(state.model !== undefined && { model: state.model }),
    ...(input !== undefined && { input: Math.max(0, input - (read ?? 0) - (written ?? 0)) }),
    ...(output !== undefined && { output }),
    ...(read !== undefined && { cacheRead: read }),
    ...(written !== undefined && { cacheWrite: written }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** What was thought is not in the items of an answer. */
function countAnswer({ state, events }: Reading, usage: LogObject): void {
  const output = countOf(usage, 'output_tokens');
  if (output === undefined || state.answer.length === 0) return;
  const tokens = Math.max(0, output - (countOf(usage, 'reasoning_output_tokens') ?? 0));
  events.push({ event: 'counted', items: state.answer, tokens });
  state.answer = [];
}
