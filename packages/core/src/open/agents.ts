/** The agents whose logs Savepoint reads, and where each keeps them; a new one is a line here. */
import path from 'node:path';
import type { AgentAdapter } from '../agents/adapter.js';
import { claudeCode } from '../agents/claude-code/claude-code.js';
import { codex } from '../agents/codex/codex.js';

export interface AgentPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder; empty where there is none. */
  readonly home: string;
}

export function agentsOf(places: AgentPlaces): readonly AgentAdapter[] {
  return [
    claudeCode({ configDirectory: folderOf(places, 'CLAUDE_CONFIG_DIR', '.claude') }),
    codex({ home: folderOf(places, 'CODEX_HOME', '.codex') }),
  ];
}

/** Where the environment says, else in the home folder. */
function folderOf({ env, home }: AgentPlaces, variable: string, name: string): string | undefined {
  const named = env[variable] ?? '';
  if (named !== '') return named;
  return home === '' ? undefined : path.join(home, name);
}
