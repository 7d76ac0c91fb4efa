/** Writes outcomes and failures: text or JSON, result on standard output, everything else on standard error. */
import type { ContextError } from '@savepoint/core';
import { renderLine, styled, type Layout, type Line } from '../terminal/line.js';
import { wantsColours, type Output, type Terminal } from '../terminal/terminal.js';
import type { Outcome } from './command.js';

export interface Printer {
  outcome(outcome: Outcome, layout: Layout): Promise<void>;
  failure(error: ContextError): void;
  note(sentence: string): void;
  /** Writes lines before the outcome is there. */
  show(lines: readonly Line[]): void;
  /** Writes the beginning of a line on which an answer is typed. */
  ask(question: Line): void;
}

export interface PrinterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colours: boolean;
}

export function printer(terminal: Terminal, { json, quiet, colours }: PrinterOptions): Printer {
  const { output, errors } = terminal;
  const say = (to: Output, lines: readonly Line[]): void => {
    if (lines.length === 0) return;
    const coloured = colours && wantsColours(terminal, to);
    to.write(`${lines.map((line) => renderLine(line, coloured)).join('\n')}\n`);
  };
  const failure = (error: ContextError): void => {
    if (json) errors.write(jsonText({ error }, errors));
    else say(errors, failureLines(error, terminal.environment['SAVEPOINT_DEBUG'] !== undefined));
  };
  const note = (sentence: string): void => {
    if (!json && !quiet) say(errors, [[styled('notice', 'note: '), sentence]]);
  };
  return {
    failure,
    note,
    show: (lines) => {
      say(output, lines);
    },
    ask: (question) => {
      output.write(renderLine(question, colours && wantsColours(terminal, output)));
    },
    outcome: async (outcome) => {
      if (outcome.bytes !== undefined) await copy(outcome.bytes, output);
      else if (json) output.write(jsonText(outcome.data, output));
      else say(output, quiet && outcome.quiet !== undefined ? outcome.quiet() : outcome.lines());
      outcome.notes?.forEach(note);
      // One object only: the first problem is the one that the exit code stands for.
      (json ? outcome.problems?.slice(0, 1) : outcome.problems)?.forEach(failure);
    },
  };
}

// JSON may hold these raw, but a terminal acts on them; `\u` says the same.
const ACTIVE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function jsonText(value: unknown, to: Output): string {
  const text = JSON.stringify(value, undefined, to.columns === undefined ? 0 : 2);
  return `${text.replace(ACTIVE_IN_JSON, (active) => `\\u${active.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

async function copy(bytes: AsyncIterable<Uint8Array>, output: Output): Promise<void> {
  for await (const chunk of bytes) {
    if (!output.write(chunk)) return;
  }
}

function failureLines(error: ContextError, debug: boolean): readonly Line[] {
  const label = error.kind === 'partial' ? styled('notice', 'incomplete: ') : styled('bad', 'error: ');
  const lines: Line[] = [[label, error.message]];
  const near = error.data['suggestions'];
  if (Array.isArray(near)) lines.push(`Did you mean ${near.map((word) => `\`${String(word)}\``).join(' or ')}?`);
  if (error.hint !== undefined) lines.push([styled('faint', 'hint: '), error.hint]);
  if (debug) lines.push(...stackLines(error));
  return lines;
}

function stackLines(error: Error): readonly Line[] {
  const stack = (error.stack ?? '').split('\n').slice(1);
  return error.cause instanceof Error ? [...stack, ...(error.cause.stack ?? '').split('\n')] : stack;
}
