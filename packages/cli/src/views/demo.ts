/** Text of `demo`, one step after the other. */
import type { CommandStep, Step, Suggestion } from '../demo/step.js';
import { renderLine, styled, type Layout, type Line, type Piece } from '../terminal/line.js';
import { wrapped } from '../terminal/wrap.js';

const WIDEST = 80;
const SPEAKERS = { user: '  You    ', agent: '  Agent  ' } as const;

/** Returns a function that gives the text of each step in turn; what a command printed stays as it is. */
export function demoText({ width = WIDEST }: Layout, colours: boolean): (step: Step) => string {
  const columns = Math.min(width, WIDEST);
  let before: Step['kind'] | undefined;
  return (step) => {
    const text = (lines: readonly Line[]): string => lines.map((line) => `${renderLine(line, colours)}\n`).join('');
    const isNewBlock = before !== undefined && !(isSpeech(before) && isSpeech(step.kind));
    before = step.kind;
    return `${isNewBlock ? '\n' : ''}${text(linesOf(step, columns))}${step.kind === 'command' ? step.output + text(endOf(step, columns)) : ''}`;
  };
}

function isSpeech(kind: Step['kind']): boolean {
  return kind === 'user' || kind === 'agent';
}

function linesOf(step: Step, columns: number): readonly Line[] {
  switch (step.kind) {
    case 'chapter':
      return [styled('heading', step.title)];
    case 'text':
      return wrapped(step.text, columns);
    case 'user':
      return speech(SPEAKERS.user, step.text, columns);
    case 'agent':
      return speech(SPEAKERS.agent, step.text, columns).map(([who, line]) => [
        who,
        step.failed === true ? styled('bad', line) : line,
      ]);
    case 'command':
      return [[styled('faint', '$ '), styled('bold', step.command)]];
    case 'suggestions':
      return step.commands.flatMap(suggestionLines);
  }
}

function speech(speaker: string, text: string, columns: number): readonly (readonly [Piece, string])[] {
  const lines = wrapped(text, columns - speaker.length);
  return lines.map((line, index) => [styled('faint', index === 0 ? speaker : ' '.repeat(speaker.length)), line]);
}

function endOf({ remarks, exitCode }: CommandStep, columns: number): readonly Line[] {
  const said = remarks.split('\n').filter((line) => line !== '');
  const ended = exitCode === 0 ? [] : [styled('faint', `(exit code ${String(exitCode)})`)];
  return [...said.flatMap((line) => wrapped(line, columns)), ...ended];
}

function suggestionLines({ command, does }: Suggestion): readonly Line[] {
  return [styled('faint', `  # ${does}`), styled('bold', `  ${command}`)];
}
