/** Every flag of every command reaches its op, under the name and in the form that the op asks for. */
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/commands/registry.js';
import { FAKE_HOOKS, FAKE_REMOTES, FAKE_KEYS, FAKE_SETTINGS, run } from '../fake-face.js';
import * as records from '../records.js';

const KEY = `ed25519:${'3f'.repeat(32)}`;
const ANSWERS: Readonly<Record<string, unknown>> = {
  capture: records.CAPTURED,
  list: records.LISTED,
  timeline: records.DRAWN,
  show: records.SHOWN,
  showSlice: { items: [] },
  showFile: bytesOf('content'),
  showWindow: records.WINDOW,
  showItem: Buffer.from('content'),
  ledger: records.LEDGER,
  diff: records.DIFFERENCE,
  at: records.READ,
  verify: records.VERIFIED,
  verifyFile: records.VERIFIED,
  publish: records.PUBLISHED,
  importBundle: records.IMPORTED,
  rewind: records.REWOUND,
  rewindPoints: records.POINTS,
  restore: { ...records.REWOUND, kind: 'restore' },
  undo: records.UNDONE,
  redo: { ...records.UNDONE, kind: 'redo' },
  operations: records.OPERATIONS,
  recover: { outcome: 'nothing', left: [] },
  status: records.HEALTH,
  init: records.GUARDED,
  uninstall: { hooks: [] },
  keyShow: records.KEYS,
  keyTrust: records.KEYS,
  keyRotate: records.KEYS,
  keyRevoke: records.KEYS,
  configList: records.SETTINGS_LISTED,
  configGet: records.SETTINGS_LISTED.settings[0],
  configSet: records.SETTINGS_LISTED.settings[0],
  configUnset: records.SETTINGS_LISTED.settings[0],
};

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

type Case = readonly [words: readonly string[], op: string, fields: Readonly<Record<string, unknown>>];

const PLAIN = { force: false, dryRun: undefined, plan: undefined, session: undefined, paths: undefined };

const CASES: readonly Case[] = [
  [['capture'], 'capture', { fresh: false, message: undefined, tags: undefined, transcript: undefined }],
  [['capture', '-m', 'Before'], 'capture', { message: 'Before' }],
  [['capture', '-m', ''], 'capture', { message: '' }],
  [['capture', '--message=Before'], 'capture', { message: 'Before' }],
  [['capture', '-t', 'a', '--tag', 'b,c'], 'capture', { tags: ['a', 'b,c'] }],
  [['create', 'Before', '--tags', 'a,b'], 'capture', { message: 'Before', tags: ['a', 'b'] }],
  [['capture', '--transcript', 'log.jsonl'], 'capture', { transcript: '/project/log.jsonl' }],
  [['-C', 'sub', 'capture', '--transcript', '../log.jsonl'], 'capture', { transcript: '/project/log.jsonl' }],
  [['capture', '--no-transcript'], 'capture', { transcript: false }],
  [['capture', '--fresh'], 'capture', { fresh: true }],
  [
    ['-C', 'sub', 'capture', '--file', '../names:1-2', '--image', '/project/bytes', '--heuristic'],
    'capture',
    {
      items: [
        {
          kind: 'file',
          path: 'names',
          content: Buffer.from('one\0two\nlines\0'),
          range: { from: 1, to: 2 },
          selection: 'heuristic',
        },
        { kind: 'image', path: 'bytes', content: Buffer.from('a\0caf\xe9', 'latin1'), selection: 'heuristic' },
      ],
    },
  ],
  [
    [
      'capture',
      '--evict',
      'ab',
      '--evict',
      'manual:3',
      '--saved',
      'lean-ctx:90:20',
      '--saved',
      'x:1:2:a:b',
      '--by',
      'me:run:7',
    ],
    'capture',
    {
      evict: ['ab', 'manual:3'],
      savings: [
        { tool: 'lean-ctx', baseline: 90, sent: 20 },
        { tool: 'x', baseline: 1, sent: 2, id: 'a:b' },
      ],
      by: { agent: 'me', id: 'run:7' },
    },
  ],
  [['capture', '--brief', 'names'], 'capture', { brief: { text: Buffer.from('one\0two\nlines\0') } }],
  [
    ['capture', '--brief', 'bytes', '--of', 'seq:3'],
    'capture',
    { brief: { text: Buffer.from('a\0caf\xe9', 'latin1'), of: 'seq:3' } },
  ],
  [
    ['capture', '--url', 'https://example.org/', '--content', 'names', '--snippet', 'a', '--command', 'ls -l'],
    'capture',
    {
      items: [
        { kind: 'url', path: 'https://example.org/', content: Buffer.from('one\0two\nlines\0') },
        { kind: 'snippet', content: Buffer.from('a') },
        {
          kind: 'command',
          path: 'ls -l',
          content: Buffer.from('ls -l in /project'),
          ran: { status: 'ok', exitCode: 0, milliseconds: 7 },
        },
      ],
    },
  ],
  [['list'], 'list', { limit: 50, all: false, tag: undefined }],
  [['list', '--tag', 'safe'], 'list', { tag: 'safe' }],
  [['list', '--session', 'b7c1'], 'list', { session: 'b7c1' }],
  [['list', '--branch', 'main'], 'list', { branch: 'main' }],
  [['list', '--since', '2 hours ago'], 'list', { since: '2 hours ago' }],
  [['list', '--limit', '3'], 'list', { limit: 3 }],
  [['list', '--all'], 'list', { all: true }],
  [['list', '--at', 'seq:3'], 'list', { at: 'seq:3' }],
  [['--at', 'seq:3', 'list'], 'list', { at: 'seq:3' }],
  [['timeline'], 'timeline', { limit: 50, all: false }],
  [['timeline', '--limit', '3'], 'timeline', { limit: 3 }],
  [['timeline', '--all'], 'timeline', { all: true }],
  [['timeline', '--at', 'head'], 'timeline', { at: 'head' }],
  [['show'], 'show', { selector: undefined, files: false }],
  [['show', '9f2c'], 'show', { selector: '9f2c' }],
  [['show', '--at', '9f2c'], 'show', { selector: undefined, at: '9f2c' }],
  [['show', '--files'], 'show', { files: true }],
  [['show', '9f2c', '--slice', 'context'], 'showSlice', { selector: '9f2c', slice: 'context' }],
  [['show', '9f2c', '--file', 'src/a.ts'], 'showFile', { selector: '9f2c', path: 'src/a.ts' }],
  [['-C', 'src', 'show', '--file', './a.ts'], 'showFile', { path: 'src/a.ts' }],
  [['-C', 'src', 'show', '--file', '../a.ts'], 'showFile', { path: 'a.ts' }],
  [['show', '--file', '-x'], 'showFile', { path: '-x' }],
  [['show', '9f2c', '--window'], 'showWindow', { selector: '9f2c' }],
  [['show', '--item', 'abcd', '--at', 'x'], 'showItem', { item: 'abcd', sent: false, at: 'x' }],
  [['show', '--item', 'abcd', '--sent'], 'showItem', { item: 'abcd', sent: true }],
  [['ledger'], 'ledger', { selector: undefined, since: undefined, prices: undefined }],
  [['ledger', '9f2c', '--since', 'a', '--at', 'b'], 'ledger', { selector: '9f2c', since: 'a', at: 'b' }],
  [['ledger', '--prices', 'names'], 'ledger', { prices: Buffer.from('one\0two\nlines\0') }],
  [['diff', 'a'], 'diff', { from: 'a', to: undefined, patch: true, paths: undefined }],
  [['diff', 'a', 'b'], 'diff', { from: 'a', to: 'b' }],
  [['diff', 'a', '--at', 'b'], 'diff', { from: 'a', to: 'b', at: 'b' }],
  [['diff', 'a', 'c', '--at', 'b'], 'diff', { from: 'a', to: 'c', at: 'b' }],
  [['-C', 'sub', 'diff', 'a', '--', '.'], 'diff', { paths: ['sub'] }],
  [['diff', 'a', '--', '.'], 'diff', { paths: ['.'] }],
  [['diff', 'a', '--', 'src', '-x'], 'diff', { from: 'a', to: undefined, paths: ['src', '-x'] }],
  [['diff', 'a', 'b', 'src/'], 'diff', { to: 'b', paths: ['src'] }],
  [['diff', 'a', '--paths0', 'names'], 'diff', { paths: ['one', 'two\nlines'] }],
  [['diff', 'a', '--paths0', 'bytes'], 'diff', { paths: ['a', { path: 'caf\ufffd', pathBytes: 'Y2Fm6Q==' }] }],
  [['diff', 'a', '--stat'], 'diff', { patch: false, namesOnly: false }],
  [['diff', 'a', '--name-only'], 'diff', { patch: false, namesOnly: true }],
  [['diff', 'a', '--json'], 'diff', { patch: false }],
  [['diff', 'a', '--json', '--patch'], 'diff', { patch: true }],
  [['at', '2 hours ago'], 'at', { selector: '2 hours ago' }],
  [['at', '--at', 'seq:1'], 'at', { selector: 'head', at: 'seq:1' }],
  [['at', '2 hours ago', '--at', 'seq:1'], 'at', { selector: '2 hours ago', at: 'seq:1' }],
  [['show', 'x', '--at', 'y', '--slice', 'z'], 'showSlice', { selector: 'x', at: 'y', slice: 'z' }],
  [['show', 'x', '--at', 'y', '--file', 'z'], 'showFile', { selector: 'x', at: 'y', path: 'z' }],
  [['verify'], 'verify', { selector: undefined, all: false, deep: false }],
  [['verify', '9f2c'], 'verify', { selector: '9f2c' }],
  [['verify', '--at', '9f2c'], 'verify', { selector: undefined, at: '9f2c' }],
  [['verify', '--all', '--at', '9f2c'], 'verify', { all: true, at: '9f2c' }],
  [['verify', '--all'], 'verify', { selector: undefined, all: true }],
  [['verify', '--deep'], 'verify', { deep: true }],
  [['verify', 'a.savepoint'], 'verifyFile', { keys: FAKE_KEYS }],
  [['verify', './9f2c'], 'verifyFile', { keys: FAKE_KEYS }],
  [['verify', '-'], 'verifyFile', { keys: FAKE_KEYS }],
  [['verify', 'names'], 'verifyFile', { keys: FAKE_KEYS }],
  [['publish'], 'publish', { selector: undefined, slices: undefined, files: [], dryRun: false, format: undefined }],
  [['publish', '9f2c', '--out', 'x'], 'publish', { selector: '9f2c', dryRun: false }],
  [['publish', '-o', 'x'], 'publish', { selector: undefined }],
  [
    ['publish', '-s', 'ledger', '--slice', 'transcript,content'],
    'publish',
    { slices: ['ledger', 'transcript', 'content'] },
  ],
  [['-C', 'sub', 'publish', '--file', './a', '--file', 'b'], 'publish', { files: ['sub/a', 'b'] }],
  [['publish', '--dry-run'], 'publish', { dryRun: true }],
  [['publish', '-n', '9f2c'], 'publish', { dryRun: true, selector: '9f2c' }],
  [['publish', '--format', 'bundle'], 'publish', { format: 'bundle' }],
  [['import', 'x'], 'importBundle', { requireTrusted: false }],
  [['import', 'x', '--require-trusted'], 'importBundle', { requireTrusted: true }],
  [['rewind', '9f2c', '--yes'], 'rewind', { ...PLAIN, selector: '9f2c', exact: false, index: false }],
  [['rewind', '9f2c', '-y', 'src/', './a', '--', '-x'], 'rewind', { paths: ['src', 'a', '-x'] }],
  [['-C', 'sub', 'rewind', '9f2c', '--yes', './a'], 'rewind', { paths: ['sub/a'] }],
  [['rewind', '9f2c', '--yes', '--paths0', 'names'], 'rewind', { paths: ['one', 'two\nlines'] }],
  [
    ['rewind', '9f2c', '--yes', '--paths0', 'bytes'],
    'rewind',
    { paths: ['a', { path: 'caf\ufffd', pathBytes: 'Y2Fm6Q==' }] },
  ],
  [['rewind', '9f2c', '--yes', '--files'], 'rewind', { part: 'files' }],
  [['rewind', '9f2c', '--yes', '--context'], 'rewind', { part: 'context' }],
  [['rewind', '9f2c', '--yes', '--exact'], 'rewind', { exact: true }],
  [['rewind', '9f2c', '--yes', '--force'], 'rewind', { force: true }],
  [['rewind', '9f2c', '--yes', '--index'], 'rewind', { index: true }],
  [['rewind', '9f2c', '--yes', '--session', 'b7c1'], 'rewind', { session: 'b7c1' }],
  [['rewind', '9f2c', '--yes', '--plan', 'abc'], 'rewind', { plan: 'abc', dryRun: undefined }],
  [['rewind', '9f2c', '--dry-run'], 'rewind', { dryRun: true, plan: undefined }],
  [['rewind', '9f2c', '-n', '--exact'], 'rewind', { dryRun: true, exact: true }],
  [['rewind', '--list'], 'rewindPoints', { limit: 10 }],
  [['rewind', '--list', '--limit', '3'], 'rewindPoints', { limit: 3 }],
  [['restore', '9f2c'], 'restore', { ...PLAIN, selector: '9f2c', git: false, exact: false, slice: undefined }],
  [['restore', '9f2c', 'a', '--', 'b'], 'restore', { paths: ['a', 'b'] }],
  [['restore', '9f2c', '--paths0', 'names'], 'restore', { paths: ['one', 'two\nlines'] }],
  [['restore', '9f2c', '--slice', 'worktree'], 'restore', { slice: 'worktree', to: undefined }],
  [['-C', 'sub', 'restore', '9f2c', '--to', '../out'], 'restore', { to: '/project/out' }],
  [['restore', '9f2c', '--git'], 'restore', { git: true }],
  [['restore', '9f2c', 'a', '--hunk', '2,5', '--hunk', '1'], 'restore', { paths: ['a'], hunks: [2, 5, 1] }],
  [['restore', '9f2c', 'a', '--exact'], 'restore', { exact: true }],
  [['restore', '9f2c', 'a', '--force', '--session', 'b7c1'], 'restore', { force: true, session: 'b7c1' }],
  [['restore', '9f2c', 'a', '--dry-run'], 'restore', { dryRun: true }],
  [['restore', '9f2c', 'a', '--plan', 'abc'], 'restore', { plan: 'abc' }],
  [['undo'], 'undo', PLAIN],
  [['undo', '--dry-run'], 'undo', { dryRun: true }],
  [['undo', '-n'], 'undo', { dryRun: true }],
  [['undo', '--plan', 'abc', '--force', '--session', 'b7c1'], 'undo', { plan: 'abc', force: true, session: 'b7c1' }],
  [['redo'], 'redo', PLAIN],
  [['redo', '--dry-run'], 'redo', { dryRun: true }],
  [['redo', '--plan', 'abc', '--force', '--session', 'b7c1'], 'redo', { plan: 'abc', force: true, session: 'b7c1' }],
  [['operations'], 'operations', { limit: undefined }],
  [['operations', '--limit', '3'], 'operations', { limit: 3 }],
  [['recover'], 'recover', { rollBack: false }],
  [['recover', '--roll-back'], 'recover', { rollBack: true }],
  [['status'], 'status', { hooks: FAKE_HOOKS, remotes: FAKE_REMOTES }],
  [['init'], 'init', { hooks: FAKE_HOOKS }],
  [['uninstall'], 'uninstall', { hooks: FAKE_HOOKS }],
  [['key'], 'keyShow', { keys: FAKE_KEYS }],
  [['key', 'show'], 'keyShow', { keys: FAKE_KEYS }],
  [['key', 'trust', 'ada', KEY], 'keyTrust', { name: 'ada', key: KEY }],
  [['key', 'rotate'], 'keyRotate', { lost: false }],
  [['key', '--json', 'rotate', '--lost'], 'keyRotate', { lost: true }],
  [['key', 'revoke', KEY], 'keyRevoke', { key: KEY, lastGood: [], untilNow: false, reason: undefined }],
  [
    ['key', 'revoke', KEY, '--last-good', 'a', '--last-good', 'b', '--until-now', '--reason', 'Stolen'],
    'keyRevoke',
    { lastGood: ['a', 'b'], untilNow: true, reason: 'Stolen' },
  ],
  [['config'], 'configList', { files: FAKE_SETTINGS }],
  [['config', 'list'], 'configList', { files: FAKE_SETTINGS }],
  [['config', 'get', 'k'], 'configGet', { key: 'k' }],
  [['config', 'set', 'k', 'v'], 'configSet', { key: 'k', value: 'v', layer: undefined }],
  [['config', 'set', 'k', '7', '--user'], 'configSet', { layer: 'user' }],
  [['config', 'set', 'ledger.prices', 'names'], 'configSet', { value: '/project/names' }],
  [['config', 'set', 'k', 'v', '--project'], 'configSet', { layer: 'project' }],
  [['config', 'set', 'k', 'v', '--local'], 'configSet', { layer: 'local' }],
  [['config', 'unset', 'k'], 'configUnset', { key: 'k', layer: undefined }],
  [['config', 'unset', 'k', '--user'], 'configUnset', { layer: 'user' }],
  [['config', 'unset', 'k', '--project'], 'configUnset', { layer: 'project' }],
  [['config', 'unset', 'k', '--local'], 'configUnset', { layer: 'local' }],
  [['snapshot', 'list'], 'list', { limit: 50 }],
  [['checkpoint', 'create', 'Before'], 'capture', { message: 'Before' }],
  [['snapshot', 'key', 'show'], 'keyShow', {}],
];

describe('a command line', () => {
  test.each(CASES)('%j calls %s', async (words, op, fields) => {
    const ran = await run({
      words,
      answers: { ...ANSWERS, showFile: bytesOf('x') },
      files: {
        '/project/names': 'one\0two\nlines\0',
        '/project/bytes': Buffer.from('a\0caf\xe9', 'latin1'),
      },
    });
    expect(ran.calls.map((call) => call.op)).toEqual([op]);
    const [call] = ran.calls;
    for (const [name, value] of Object.entries(fields)) expect(call?.request[name], name).toEqual(value);
    expect(ran.closed).toBe(ran.places.length);
  });

  test('opens the file that it was given, where the user stands', async () => {
    const asked: unknown[] = [];
    const reading = async ({ input }: { input: { open(): AsyncIterable<Uint8Array>; again: boolean } }) => {
      for await (const piece of input.open()) asked.push(Buffer.from(piece).toString(), input.again);
      return records.IMPORTED;
    };
    const files = { '/project/sub/x': 'in sub', '-': 'from a pipe' };
    await run({ words: ['-C', 'sub', 'import', 'x'], answers: { importBundle: reading }, files });
    await run({ words: ['import', '-'], answers: { importBundle: reading }, files });
    expect(asked).toEqual(['in sub', true, 'from a pipe', false]);
  });

  test('is tried for every option of every command', () => {
    const tried = CASES.map(([words, op]) => ({ op, words: words.join(' ') }));
    // Those without an op have tests of their own: `demo`.
    const withOps = COMMANDS.filter(({ ops }) => Object.keys(ops).length > 0);
    const untried = withOps.flatMap(({ name, ops, options }) =>
      Object.entries(options)
        .filter(([option, { short }]) => {
          const forms = [`--${option}`, ...(short === undefined ? [] : [`-${short} `])];
          return !tried.some(({ op, words }) => op in ops && forms.some((form) => words.includes(form)));
        })
        .map(([option]) => `${name} --${option}`),
    );
    // In text, patches come without being asked for; the flag is tried with --json.
    expect(untried).toEqual([]);
  });

  test.each([
    [['capture', 'one', '-m', 'two'], 'arguments_exclusive'],
    [['capture', 'one', 'two'], 'argument_unexpected'],
    [['show', '--slice', 'a', '--file', 'b'], 'arguments_exclusive'],
    [['show', '--window', '--item', 'b'], 'arguments_exclusive'],
    [['show', '--sent'], 'argument_missing'],
    [['ledger', '--prices', 'nowhere'], 'file_not_found'],
    [['capture', '--saved', 'lean-ctx:90'], 'argument_malformed'],
    [['capture', '--saved', 'lean-ctx:-90:1'], 'argument_malformed'],
    [['capture', '--by', 'me'], 'argument_malformed'],
    [['capture', '--of', 'head'], 'argument_missing'],
    [['capture', '--brief', 'nowhere'], 'file_not_found'],
    [['verify', 'a', '--all'], 'arguments_exclusive'],
    [['config', 'set', 'k', 'v', '--user', '--local'], 'arguments_exclusive'],
    [['rewind'], 'argument_missing'],
    [['rewind', 'a', '--yes', '--limit', '3'], 'argument_missing'],
    [['rewind', 'a', '--yes', '--paths0', 'none'], 'argument_malformed'],
    [['diff', 'a', '--paths0', 'none'], 'argument_malformed'],
    [['rewind', 'a', '--yes', '--session', ''], 'argument_malformed'],
    [['rewind', 'a', '--list'], 'arguments_exclusive'],
    [['rewind', 'a', '--files', '--context'], 'arguments_exclusive'],
    [['rewind', '--list', '--limit', '0'], 'argument_malformed'],
    [['verify', 'a.savepoint', '--at', 'b'], 'arguments_exclusive'],
    [['verify', 'a.savepoint', '--all'], 'arguments_exclusive'],
    [['publish', '--out', '-'], 'argument_unexpected'],
    [['import'], 'argument_missing'],
    [['restore'], 'argument_missing'],
    [['restore', 'a', '--to', 'x', '--git'], 'arguments_exclusive'],
    [['undo', 'a'], 'argument_unexpected'],
    [['operations', '--limit', 'x'], 'argument_malformed'],
    [['list', '--limit', '0'], 'argument_malformed'],
    [['list', '--limit', 'many'], 'argument_malformed'],
    [['list', '--all=yes'], 'argument_malformed'],
    [['completion', 'tcsh'], 'argument_malformed'],
    [['diff'], 'argument_missing'],
    [['at'], 'argument_missing'],
    [['capture', '-m'], 'argument_missing'],
    [['capture', '--url', 'x'], 'argument_missing'],
    [['capture', '--content', 'x'], 'argument_missing'],
    [['capture', '--file', 'nowhere:1'], 'file_not_found'],
    [['diff', 'a', '--paths0', 'nowhere'], 'file_not_found'],
  ])('%j is refused with %s before any op is called', async (words, code) => {
    const json = words.at(-1) === '-m' ? [] : ['--json'];
    const ran = await run({ words: [...words, ...json], answers: ANSWERS, files: { '/project/none': '' } });
    expect(ran.calls).toEqual([]);
    expect(ran.exitCode).toBeGreaterThan(0);
    expect(ran.err).toContain(words.at(-1) === '-m' ? 'needs a value TEXT for -m' : `"code":"${code}"`);
  });

  test('with -C works as if started there, and -C adds up as in git', async () => {
    const ran = await run({ words: ['-C', 'a', '-C', '../b', 'status'], answers: ANSWERS });
    expect(ran.places.map(({ directory }) => directory)).toEqual(['/project/b']);
  });
});
