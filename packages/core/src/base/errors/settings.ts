/** Errors. Keys and settings. */
import type { ErrorEntry } from './entry.js';

export const SETTINGS = {
  key_not_found: {
    kind: 'not_found',
    message: 'There is no signing key {key} here.',
    hint: 'Run `savepoint key show` for your key and the keys that you trust.',
  },
  key_malformed: {
    kind: 'usage',
    message: '{key} is not a usable public key: {reason}.',
    hint: 'A public key is `ed25519:` and 64 hex digits, as `savepoint key show` prints it.',
  },
  key_unusable: {
    kind: 'untrusted',
    message: 'The signing key in {path} cannot be used: {reason}. Nothing was changed.',
    hint: 'Repair the file and its permissions (0600); `savepoint key rotate --lost` replaces a key that is gone.',
  },
  keys_unwritable: {
    kind: 'refused',
    message: 'The folder of the keys, {directory}, cannot be written: {reason}. Nothing was changed.',
    hint: 'Make the directory writable for you and run the command again.',
  },
  unknown_setting: {
    kind: 'usage',
    message: 'There is no setting {key}.',
    hint: 'Run `savepoint config list` for all settings and their values.',
  },
  prices_unreadable: {
    kind: 'usage',
    message: 'The price table {path} cannot be used: {reason}.',
    hint: 'Correct it (`savepoint ledger --help` shows the form), or run `savepoint config unset ledger.prices`.',
  },
  setting_malformed: {
    kind: 'usage',
    message: 'The setting {key} cannot be {value}: {reason}.',
    hint: 'Run `savepoint config list` for all settings and their values.',
  },
  settings_unreadable: {
    kind: 'usage',
    message: 'The settings file {path} cannot be read: {reason}. Nothing was changed.',
    hint: 'Correct the file; it has to be one JSON object.',
  },
  settings_unwritable: {
    kind: 'refused',
    message: 'The settings file {path} cannot be written: {reason}. Nothing was changed.',
    hint: 'Make the file and its directory writable for you and run the command again.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
