/** Every command, in the order of help and documentation. */
import type { GroupDefinition } from '../arguments/definition.js';
import type { AnyCommand } from '../face/command.js';
import { atCommand } from './read/at.js';
import { captureCommand } from './capture.js';
import { completionCommand } from './completion.js';
import { configGetCommand } from './config/get.js';
import { configListCommand } from './config/list.js';
import { configSetCommand } from './config/set.js';
import { configUnsetCommand } from './config/unset.js';
import { demoCommand } from './demo.js';
import { diffCommand } from './read/diff.js';
import { helpCommand } from './help.js';
import { initCommand } from './init.js';
import { keyRevokeCommand } from './key/revoke.js';
import { keyRotateCommand } from './key/rotate.js';
import { keyShowCommand } from './key/show.js';
import { keyTrustCommand } from './key/trust.js';
import { ledgerCommand } from './read/ledger.js';
import { listCommand } from './read/list.js';
import { maintainCommand } from './maintain.js';
import { operationsCommand } from './operation/operations.js';
import { recoverCommand } from './operation/recover.js';
import { redoCommand } from './operation/redo.js';
import { restoreCommand } from './operation/restore.js';
import { rewindCommand } from './operation/rewind.js';
import { importCommand } from './share/import.js';
import { publishCommand } from './share/publish.js';
import { showCommand } from './read/show.js';
import { statusCommand } from './read/status.js';
import { timelineCommand } from './read/timeline.js';
import { undoCommand } from './operation/undo.js';
import { uninstallCommand } from './uninstall.js';
import { verifyCommand } from './read/verify.js';

export const COMMANDS: readonly AnyCommand[] = [
  captureCommand,
  listCommand,
  timelineCommand,
  showCommand,
  diffCommand,
  ledgerCommand,
  atCommand,
  rewindCommand,
  restoreCommand,
  undoCommand,
  redoCommand,
  operationsCommand,
  recoverCommand,
  verifyCommand,
  publishCommand,
  importCommand,
  statusCommand,
  initCommand,
  uninstallCommand,
  maintainCommand,
  keyShowCommand,
  keyTrustCommand,
  keyRotateCommand,
  keyRevokeCommand,
  configListCommand,
  configGetCommand,
  configSetCommand,
  configUnsetCommand,
  demoCommand,
  completionCommand,
  helpCommand,
];

export const GROUPS: readonly GroupDefinition[] = [
  { name: 'key', summary: 'your signing key and the keys that you trust', standsFor: 'key show' },
  { name: 'config', summary: 'settings, by file', standsFor: 'config list' },
];
