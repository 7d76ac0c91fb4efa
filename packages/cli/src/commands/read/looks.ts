/** The commands that only look at snapshots. They have a program of their own, which starts sooner than the one with everything. */
import type { AnyCommand } from '../../face/command.js';
import { atCommand } from './at.js';
import { listCommand } from './list.js';
import { showCommand } from './show.js';
import { timelineCommand } from './timeline.js';

export const LOOKS: readonly AnyCommand[] = [listCommand, timelineCommand, showCommand, atCommand];
