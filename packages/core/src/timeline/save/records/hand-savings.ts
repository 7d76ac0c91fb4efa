/** Savings that a context tool reports: how many tokens would have been sent without it, and how many were. */
import { createHash } from 'node:crypto';
import type { LedgerEntry } from '../../../model/context/ledger.js';

/** What a context tool reports to have left out, in tokens. */
export interface SavingInput {
  /** Name of the tool, such as `lean-ctx`; `brief` is Savepoint's own. */
  readonly tool: string;
  /** Tokens that would have been sent without it. */
  readonly baseline: number;
  /** Tokens that were sent instead. */
  readonly sent: number;
  /** The tool's own name of this saving: told again, it counts once. Without it, each report is another saving. */
  readonly id?: string;
  /** True where nobody counted these tokens. */
  readonly estimated?: boolean;
}

export interface SavingStart {
  /** Name of the session's folder. */
  readonly folder: string;
  readonly known: readonly LedgerEntry[];
  /** When it is told, as formatted time. */
  readonly at: string;
}

/** Returns entries for what was not told before. */
export function savingEntries(
  inputs: readonly SavingInput[],
  { folder, known, at }: SavingStart,
): readonly LedgerEntry[] {
  const ids = new Set(known.map(({ id }) => id));
  const entries: LedgerEntry[] = [];
  for (const { tool, baseline, sent, id: name, estimated = false } of inputs) {
    const sequence = known.length + entries.length;
    const id = savingId(name === undefined ? [folder, String(sequence), tool] : [tool, name]);
    if (ids.has(id)) continue;
    ids.add(id);
    entries.push({ id, sequence, at, source: tool, baseline, sent, estimated });
  }
  return entries;
}

function savingId(names: readonly string[]): string {
  return createHash('sha256')
    .update(`saving\0${names.join('\0')}`)
    .digest('hex')
    .slice(0, 16);
}
