/** Calls of tools, as every dialect tells of them: an event, an item of the conversation, and the memory of those that are open. */
import type { CallEvent, ItemEvent, LineContent } from '../model/context/log-event.js';

/** What is known of a call until its result comes. */
export interface OpenCall {
  readonly tool: string;
  readonly path?: string;
  readonly command?: string;
}

export type Call = OpenCall & Omit<CallEvent, 'event'>;

/** Open calls beyond this are forgotten, the oldest first. */
const MOST_OPEN = 1000;

/** Returns the event of a call. */
export function callEvent({ path, ...call }: Call): CallEvent {
  // It says which file the result is of; what the call itself touches is in its reads and writes.
  void path;
  return { event: 'call', ...call };
}

/** Returns what stands of a call in the conversation. */
export function callItem({ call, tool, arguments: content }: Call): Omit<ItemEvent, 'event' | 'key' | 'at'> & {
  readonly content: LineContent;
} {
  return { kind: 'message', role: 'assistant', path: tool, content, call, selection: 'heuristic' };
}

/** Remembers a call until its result comes. */
export function rememberCall(open: Map<string, OpenCall>, { call, tool, path, command }: Call): void {
  open.set(call, { tool, ...(path !== undefined && { path }), ...(command !== undefined && { command }) });
  const [oldest] = open.keys();
  if (open.size > MOST_OPEN && oldest !== undefined) open.delete(oldest);
}
