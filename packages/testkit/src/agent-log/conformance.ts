/** The rules that every agent's adapter keeps, as one suite: a new one adds recorded logs, and is held to the same sentences. */
import { describe } from 'vitest';
import type { AgentCase } from './bench.js';
import { placeRules } from './place-rules.js';
import { readerRules } from './reader-rules.js';
import { redactionRules } from './redaction-rules.js';

export type { AgentCase, RecordedLog } from './bench.js';

/** Declares the suite for one adapter. */
export function describeAgent(agent: AgentCase): void {
  describe(`the adapter of ${agent.name}`, () => {
    placeRules(agent);
    readerRules(agent);
    redactionRules(agent);
  });
}
