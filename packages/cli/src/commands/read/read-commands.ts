/** The commands that only read. They have a program of their own, which starts sooner than the one with everything. */
import type { AnyCommand } from '../../face/command.js';
import { atCommand } from './at.js';
import { diffCommand } from './diff.js';
import { ledgerCommand } from './ledger.js';
import { listCommand } from './list.js';
import { showCommand } from './show.js';
import { statusCommand } from './status.js';
import { timelineCommand } from './timeline.js';
import { verifyCommand } from './verify.js';

export const READING: readonly AnyCommand[] = [
  listCommand,
  timelineCommand,
  showCommand,
  diffCommand,
  ledgerCommand,
  atCommand,
  verifyCommand,
  statusCommand,
];
