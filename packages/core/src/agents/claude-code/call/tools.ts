/** The tools of Claude Code: what kind of action each is, and what its arguments name. */
import type { ActionKind } from '../../../model/context/action.js';
import type { ItemKind } from '../../../model/context/item.js';
import type { LogObject } from '../../../model/context/log-value.js';
import { byName, textOf, wordOf } from '../../log-fields.js';

interface Tool {
  readonly action: ActionKind;
  /** What its result is to the reader of the window. */
  readonly item: ItemKind;
  /** The argument that says where the result is from. */
  readonly path?: string;
}

const edit = (path = 'file_path'): Tool => ({ action: 'edit', item: 'snippet', path });
const search = (path = 'pattern'): Tool => ({ action: 'search', item: 'snippet', path });
const shell = (path: string): Tool => ({ action: 'shell', item: 'command', path });

const TOOLS = byName<Tool>({
  Read: { action: 'read', item: 'file', path: 'file_path' },
  Write: edit(),
  Edit: edit(),
  MultiEdit: edit(),
  NotebookEdit: edit('notebook_path'),
  Bash: shell('command'),
  PowerShell: shell('command'),
  BashOutput: shell('bash_id'),
  TaskOutput: shell('task_id'),
  KillShell: shell('shell_id'),
  Grep: search(),
  Glob: search(),
  LS: search('path'),
  ToolSearch: search('query'),
  WebSearch: { action: 'search', item: 'url', path: 'query' },
  WebFetch: { action: 'fetch', item: 'url', path: 'url' },
  Agent: { action: 'spawn', item: 'message', path: 'description' },
  Task: { action: 'spawn', item: 'message', path: 'description' },
});

/** Tools that only change what the agent itself keeps, such as its list of things to do, and tools that are not known. */
const OTHER: Tool = { action: 'model', item: 'snippet' };

export function toolOf(name: string): Tool {
  if (name.startsWith('mcp__')) return { action: 'mcp', item: 'snippet' };
  return TOOLS[name] ?? OTHER;
}

export interface CallTargets {
  readonly path?: string;
  readonly command?: string;
  readonly reads: readonly { readonly path: string }[];
  readonly writes: readonly { readonly path: string }[];
}

export function targetsOf(name: string, input: LogObject | undefined): CallTargets {
  const { action, path: field } = toolOf(name);
  const path = field === undefined ? undefined : wordOf(input, field);
  const command = action === 'shell' ? textOf(input, 'command') : undefined;
  const file = path === undefined ? [] : [{ path }];
  return {
    ...(path !== undefined && { path }),
    ...(command !== undefined && { command }),
    reads: action === 'read' ? file : [],
    writes: action === 'edit' ? file : [],
  };
}
