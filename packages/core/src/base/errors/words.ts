/** Errors. What was typed: commands, options, arguments. */
import type { ErrorEntry } from './entry.js';

export const WORDS = {
  unknown_command: {
    kind: 'usage',
    message: 'There is no command {command}.',
    hint: 'Run `savepoint --help` for the list of commands.',
  },
  unknown_option: {
    kind: 'usage',
    message: '{command} has no option {option}.',
    hint: 'Run `savepoint {command} --help` for its options.',
  },
  argument_missing: {
    kind: 'usage',
    message: '{command} needs {argument}.',
    hint: 'Run `savepoint {command} --help` for an example.',
  },
  argument_unexpected: {
    kind: 'usage',
    message: '{command} does not take the argument {argument}.',
    hint: 'Run `savepoint {command} --help` for what it takes.',
  },
  arguments_exclusive: {
    kind: 'usage',
    message: '{command} takes {first} or {second}, not both.',
    hint: 'Leave one of them out.',
  },
  argument_malformed: {
    kind: 'usage',
    message: '{value} cannot be used as {argument}: {reason}.',
    hint: 'Correct the value and run the command again.',
  },
  output_unwritable: {
    kind: 'refused',
    message: 'The output cannot be written: {reason}.',
    hint: 'Send the output to another place and run the command again.',
  },
  selector_malformed: {
    kind: 'usage',
    message: 'The selector {selector} cannot be read: {reason}.',
    hint: 'Use an id or its beginning, `head`, `seq:12`, `commit:abc`, `tag:x`, `before:SELECTOR`, an ISO time, or words such as "2 hours ago".',
  },
  directory_unusable: {
    kind: 'refused',
    message: 'The directory {directory} cannot be used: {reason}. Nothing was changed.',
    hint: 'Name a directory that is empty or does not exist yet.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
