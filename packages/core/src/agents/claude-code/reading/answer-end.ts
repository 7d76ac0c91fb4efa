/** How an answer ends; with `tool_use`, or nothing yet, it goes on. */
const ENDS: ReadonlySet<unknown> = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal']);

/** Tells by the reason with which a message stopped whether the turn is over. */
export function endsTurn(stopReason: unknown): boolean {
  return ENDS.has(stopReason);
}
