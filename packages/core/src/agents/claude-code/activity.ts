/** Reads from a log whether a turn is in progress, and which files the session's tools wrote. */
import path from 'node:path';
import type { SessionActivity, TranscriptLocation } from '../adapter.js';
import { asObject, findInHead, linesSince, timeOf, type LogLine } from '../log-lines.js';
import { namesIn } from '../places.js';
import { endsTurn } from './reading/answer-end.js';

/** Tools that write the file they name. */
const WRITING: ReadonlySet<unknown> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

export function readActivity({ file }: TranscriptLocation, since: number): SessionActivity {
  const lines = linesSince(file, since, tellsTurn);
  // The log of a subagent lies beside that of its session, and its turn is a part of the session's turn.
  const below = path.join(file.replace(/\.jsonl$/, ''), 'subagents');
  const names = namesIn(below).filter((name) => name.endsWith('.jsonl'));
  const ofSubagents = names.map((name) => linesSince(path.join(below, name), since, tellsTurn));
  const began = findInHead(file, timeOf);
  return {
    ...(began !== undefined && { began }),
    inTurn: isInTurn(lines),
    written: new Set([lines, ...ofSubagents].flatMap((all) => writtenFiles(all, since))),
  };
}

function isInTurn(lines: readonly LogLine[]): boolean {
  for (const line of lines.toReversed()) {
    const turn = turnOf(line);
    if (turn !== undefined) return turn === 'goes on';
  }
  return false;
}

const tellsTurn = (line: LogLine): boolean => turnOf(line) !== undefined;

/** What a line says of the turn; most say nothing. */
function turnOf(line: LogLine): 'goes on' | 'ended' | undefined {
  if (line['isSidechain'] === true || line['isMeta'] === true || line['isCompactSummary'] === true) return undefined;
  const { type, subtype } = line;
  if (type === 'system') return subtype === 'stop_hook_summary' || subtype === 'compact_boundary' ? 'ended' : undefined;
  const message = asObject(line['message']);
  if (message === undefined) return undefined;
  if (type === 'assistant') return endsTurn(message['stop_reason']) ? 'ended' : 'goes on';
  return type === 'user' ? turnOfUser(message['content']) : undefined;
}

function turnOfUser(content: unknown): 'goes on' | 'ended' | undefined {
  const texts = Array.isArray(content) ? content.map((block) => asObject(block)?.['text'] ?? '') : [content];
  const [text] = texts.filter((one) => typeof one === 'string');
  if (text?.startsWith('[Request interrupted by user') === true) return 'ended';
  // A command of the terminal, and its output: the model is not asked.
  return /^<(?:local-command-|command-name>|bash-)/.test(text ?? '') ? undefined : 'goes on';
}

function writtenFiles(lines: readonly LogLine[], since: number): readonly string[] {
  const written = new Map<unknown, string>();
  for (const line of lines) {
    const content = asObject(line['message'])?.['content'];
    if (!Array.isArray(content)) continue;
    for (const block of content.map(asObject).filter((one) => one !== undefined)) {
      if (block['type'] === 'tool_result' && block['is_error'] === true) written.delete(block['tool_use_id']);
      if (block['type'] !== 'tool_use' || !WRITING.has(block['name']) || (timeOf(line) ?? since) < since) continue;
      const input = asObject(block['input']) ?? {};
      const file = input['file_path'] ?? input['notebook_path'];
      if (typeof file === 'string') written.set(block['id'], file);
    }
  }
  return [...written.values()];
}
