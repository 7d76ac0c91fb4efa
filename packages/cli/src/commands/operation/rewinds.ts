/** The commands that change the user's files: they have a program of their own, `dist/rewind.cjs`. */
import type { AnyCommand } from '../../face/command.js';
import { redoCommand } from './redo.js';
import { restoreCommand } from './restore.js';
import { rewindCommand } from './rewind.js';
import { undoCommand } from './undo.js';

export const REWINDS: readonly AnyCommand[] = [rewindCommand, restoreCommand, undoCommand, redoCommand];
