/**
 * Plays the recorded agent session: what the agent did to files is done again, and its log grows as it did then. The
 * recording (demo/session.jsonl) has the shapes of a real log of Claude Code 2.1.329, retold as a small story.
 */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { contextError } from '@savepoint/core';
import type { Scratch } from './scratch.js';

/** What is seen of the session. */
export type Deed =
  | { readonly kind: 'asked'; readonly text: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'wrote' | 'edited'; readonly path: string }
  | { readonly kind: 'ran'; readonly command: string; readonly output: string; readonly failed: boolean }
  | { readonly kind: 'ended' };

const RECORDED_ROOT = '/home/dev/shop';
const SECRET_MARK = '{{PAYMENT_KEY}}';
const FULL_TIMESTAMP = /(?<="timestamp":")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/;

interface LogLine {
  readonly type: string;
  readonly sessionId: string;
  readonly timestamp?: string;
  readonly message?: { readonly content: string | readonly Block[] };
}
interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly tool_use_id?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, string>>;
  readonly content?: string;
  readonly is_error?: boolean;
}

/** Plays the session; each step is done when its deed is handed out. `recording` is the text of the log. */
export function* playSession(scratch: Scratch, recording: string): Generator<Deed, void> {
  const lines = recording.split('\n').filter((line) => line !== '');
  const rewrite = rewriter(scratch, lines[0] ?? '');
  const calls = new Map<string, Block>();
  let log: string | undefined;
  for (const line of lines.map(rewrite)) {
    const entry = JSON.parse(line) as LogLine;
    const deeds = deedsOf(entry, calls, scratch);
    log ??= makeLog(scratch, entry.sessionId);
    fs.appendFileSync(log, `${line}\n`);
    yield* deeds;
  }
}

// The log tells of the scratch repository and of today.
function rewriter({ repository, secret, folder }: Scratch, first: string): (line: string) => string {
  const root = JSON.stringify(repository).slice(1, -1);
  // The folder is new: its time is the present, as the file system tells it.
  const delay = fs.statSync(folder).mtimeMs - Date.parse(FULL_TIMESTAMP.exec(first)?.[0] ?? '');
  return (line) =>
    line
      .replaceAll(RECORDED_ROOT, () => root)
      .replaceAll(SECRET_MARK, () => secret)
      .replace(FULL_TIMESTAMP, (time) => new Date(Date.parse(time) + delay).toISOString());
}

function makeLog({ agentFolder, repository }: Scratch, session: string): string {
  const project = repository.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200);
  const folder = path.join(agentFolder, 'projects', project);
  fs.mkdirSync(folder, { recursive: true });
  return path.join(folder, `${session}.jsonl`);
}

function deedsOf({ type, message }: LogLine, calls: Map<string, Block>, scratch: Scratch): readonly Deed[] {
  if (type === 'cost-state') return [{ kind: 'ended' }];
  if (type !== 'user' && type !== 'assistant') return [];
  const content = message?.content;
  if (typeof content === 'string') return [{ kind: 'asked', text: content }];
  return (content ?? []).flatMap((block): readonly Deed[] => {
    if (block.type === 'text') return [{ kind: 'said', text: block.text ?? '' }];
    if (block.type === 'tool_use') calls.set(block.id ?? '', block);
    const call = calls.get(block.tool_use_id ?? '');
    return call === undefined ? [] : [doAgain(call, block, scratch)];
  });
}

function doAgain({ name, input = {} }: Block, result: Block, { repository, environment }: Scratch): Deed {
  const { file_path: file = '', command = '', content = '', old_string: before = '', new_string: after = '' } = input;
  const shown = path.relative(repository, file);
  if (name === 'Write') {
    fs.writeFileSync(file, content);
    return { kind: 'wrote', path: shown };
  }
  if (name === 'Edit') {
    fs.writeFileSync(
      file,
      fs.readFileSync(file, 'utf8').replace(before, () => after),
    );
    return { kind: 'edited', path: shown };
  }
  const ran = spawnSync('sh', ['-c', command], { cwd: repository, env: environment, encoding: 'utf8' });
  const failed = ran.status !== 0;
  if (failed !== (result.is_error === true)) {
    const reason = ran.error?.message ?? `it should ${failed ? 'succeed' : 'fail'} here: ${ran.stderr.trim()}`;
    throw contextError('demo_stopped', { command, reason, directory: repository });
  }
  return { kind: 'ran', command, output: ran.stdout, failed };
}
