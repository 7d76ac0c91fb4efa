/** A redacted log is still one that the reader understands: ids, signatures and structure stay. */
import type { LogEvent, LogObject } from '@savepoint/core';
import { expect, test } from 'vitest';
import { draws, eventsOf, linesOf, type AgentCase } from './bench.js';

/** Such as prompts, outputs and answers have, and nothing that a reader looks for. */
const WORDS = /\b(?:hello|agent|second|done|Running|Told|committed|Please)\b/g;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function redactionRules(agent: AgentCase): void {
  test.each(agent.logs)(
    'with a secret in every sentence, the log of $name says the same once it is redacted',
    async (log) => {
      const below = draws(3);
      // Put together here, so that no file of this repository holds what looks like a token.
      const secret = `${['gh', 'p_'].join('')}${Array.from({ length: 36 }, () => LETTERS[below(LETTERS.length)] ?? 'a').join('')}`;
      let planted = 0;
      const clean = linesOf(log).map((line) => {
        const dirty = JSON.stringify(
          withSecret(line, (key, text) => (agent.isOpaque(key) ? text : dirtied(text, secret))),
        );
        planted += dirty.split(secret).length - 1;
        const text = Buffer.from(agent.redact(Buffer.from(dirty))).toString('utf8');
        expect(text).not.toContain(secret);
        return JSON.parse(text) as LogObject;
      });
      expect(planted).toBeGreaterThan(10);
      const dialect = await agent.adapter('/nowhere').dialect();
      const told = (lines: readonly LogObject[]): unknown =>
        eventsOf(dialect, lines).map(({ events }) => events.map(skeletonOf));
      expect(told(clean)).toEqual(told(linesOf(log)));
    },
  );
}

/** Puts it behind some words of every sentence: the same wherever a log repeats it. */
function dirtied(text: string, secret: string): string {
  return text.includes(' ') ? text.replace(WORDS, (word) => `${word} ${secret}`) : text;
}

function withSecret(value: unknown, change: (key: string, text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return change(key, value);
  if (Array.isArray(value)) return value.map((one) => withSecret(one, change, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withSecret(one, change, name)]));
}

/** An event without the words of its log, which may have had a secret in them. */
function skeletonOf(event: LogEvent): unknown {
  return JSON.parse(
    JSON.stringify(event, (name, value: unknown) =>
      ['path', 'command', 'title', 'text', 'before', 'after', 'progress'].includes(name) ? undefined : value,
    ),
  ) as unknown;
}
