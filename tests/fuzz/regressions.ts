/** What the fuzzer found once, shrunk: it stays found. */
import type { Step } from '@savepoint/testkit';

export const REGRESSIONS: Readonly<Record<string, readonly Step[]>> = {
  'what somebody put in the place of a directory that an operation made is not of that operation': [
    { do: 'delete', name: 'd' },
    { do: 'rewind', back: 0, exact: false, session: 'one' },
    { do: 'link', name: 'd', target: 'a' },
    { do: 'delete', name: 'a' },
    { do: 'rewind', back: 0, paths: ['a'], exact: false, force: true },
    { do: 'undo', session: 'one', force: true },
  ],
  'a linked worktree in the place of a directory with tracked files: what makes it one is left alone': [
    { do: 'git', args: ['worktree', 'add', '-q', '-f', '--detach', 'w', 'HEAD'] },
    { do: 'write', name: 'd/b', text: 'one\n' },
    { do: 'capture' },
    { do: 'delete', name: 'd' },
    { do: 'rename', name: 'w', to: 'd' },
    { do: 'capture' },
    { do: 'rewind', back: 1, exact: true },
    { do: 'undo' },
    { do: 'delete', name: 'd' },
    { do: 'write', name: 'd', text: 'one\n' },
    { do: 'capture' },
    { do: 'rewind', back: 2, exact: true },
  ],
  'a directory gives way to a file and comes back': [
    { do: 'write', name: 'd', text: 'one\n' },
    { do: 'rewind', back: 0, exact: true },
    { do: 'undo' },
    { do: 'redo' },
  ],
  'a tracked file in an ignored directory': [
    { do: 'ignore', file: '.gitignore', patterns: ['d/'] },
    { do: 'restore', back: 0, exact: false, planned: true },
    { do: 'undo', planned: true },
  ],
  'an ignored directory in the place of a tracked file': [
    { do: 'directory', name: 'd/a' },
    { do: 'ignore', file: '.git/info/exclude', patterns: ['d/'] },
    { do: 'capture' },
    { do: 'rewind', back: 1, exact: true },
  ],
  'a named file in an ignored directory is kept and listed, and is no obstacle once it is gone': [
    { do: 'ignore', file: '.gitignore', patterns: ['n'] },
    { do: 'write', name: 'n/a', text: 'one\n' },
    { do: 'restore', back: 0, paths: ['n/a'], exact: false },
    { do: 'undo' },
  ],
  'what an operation brought back is ignored when it is undone': [
    { do: 'write', name: 'n/a', text: 'one\n' },
    { do: 'capture' },
    { do: 'delete', name: 'n' },
    { do: 'rewind', back: 0, exact: false },
    { do: 'ignore', file: '.git/info/exclude', patterns: ['n'] },
    { do: 'undo' },
    { do: 'redo' },
  ],
  "the mode of an ignored directory that holds something tracked is nobody's to change": [
    { do: 'directory', name: 'n/a' },
    { do: 'capture' },
    { do: 'ignore', file: '.gitignore', patterns: ['d/'] },
    { do: 'chmod', name: 'n', mode: 0o700 },
    { do: 'capture' },
    { do: 'write', name: 'd/b', text: 'one\n' },
    { do: 'rewind', back: 1, exact: true },
    { do: 'undo' },
  ],
  'an ignored file in the place of a directory is in the way, and the plan says so': [
    { do: 'write', name: 'd', text: 'one\n' },
    { do: 'ignore', file: '.git/info/exclude', patterns: ['*'] },
    { do: 'rewind', back: 0, exact: false, planned: true },
    { do: 'undo', planned: true },
  ],
  'a named file within a repository of its own is kept, and the result says so': [
    { do: 'git', args: ['worktree', 'add', '-q', '-f', '--detach', 'w', 'HEAD'] },
    { do: 'restore', back: 0, paths: ['w/a'], exact: false, planned: true },
  ],
};
