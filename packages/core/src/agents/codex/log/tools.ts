/** The tools of Codex: what kind of action each is, and what its arguments name. */
import type { ActionKind } from '../../../model/context/action.js';
import type { ItemKind } from '../../../model/context/item.js';
import { asLogObject, type LogObject, type LogValue } from '../../../model/context/log-value.js';
import { byName, listOf, objectOf, wordOf } from '../../log-fields.js';

interface Tool {
  readonly action: ActionKind;
  /** What its output is to the reader of the window. */
  readonly item: ItemKind;
  /** The argument that says where the output is from. */
  readonly path?: string;
}

const SHELL: Tool = { action: 'shell', item: 'command' };

const TOOLS = byName<Tool>({
  exec_command: SHELL,
  shell: SHELL,
  shell_command: SHELL,
  local_shell: SHELL,
  write_stdin: { action: 'shell', item: 'command', path: 'session_id' },
  apply_patch: { action: 'edit', item: 'snippet' },
  view_image: { action: 'read', item: 'image', path: 'path' },
  web_search: { action: 'search', item: 'url', path: 'query' },
  spawn_agent: { action: 'spawn', item: 'message' },
});

/** Tools that only change what the agent itself keeps, such as its plan, and tools that are not known. */
const OTHER: Tool = { action: 'model', item: 'snippet' };

export function toolOf(name: string): Tool {
  if (name.startsWith('mcp__')) return { action: 'mcp', item: 'snippet' };
  return TOOLS[name] ?? OTHER;
}

/** Arguments of a function are JSON in a string; what is none has no fields. */
export function argumentsOf(text: string | undefined): LogObject | undefined {
  try {
    return text === undefined ? undefined : asLogObject(JSON.parse(text) as LogValue);
  } catch {
    return undefined;
  }
}

/** Returns the command line: a shell that is only there to run it is left away. */
export function commandOf(given: LogObject | undefined): string | undefined {
  const words = listOf(given, 'command').filter((word) => typeof word === 'string');
  const [shell, option, line] = words;
  if (
    words.length === 3 &&
    line !== undefined &&
    /(?:^|\/)(?:ba|z|da)?sh$/.test(shell ?? '') &&
    /^-l?c$/.test(option ?? '')
  )
    return line;
  if (words.length > 0) return words.join(' ');
  return wordOf(given, 'cmd') ?? wordOf(given, 'command') ?? commandIn(objectOf(given, 'action'));
}

function commandIn(action: LogObject | undefined): string | undefined {
  return action === undefined ? undefined : commandOf(action);
}

const TOUCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
/** A patch of more files is no edit of a person's size; the rest is told when it is done. */
const MOST_FILES = 200;

/** Returns the files that a patch names. */
export function filesOfPatch(patch: string): readonly string[] {
  const names = new Set<string>();
  for (const [, name] of patch.matchAll(TOUCHED)) {
    if (name !== undefined) names.add(name.trim());
    if (names.size >= MOST_FILES) break;
  }
  return [...names];
}
