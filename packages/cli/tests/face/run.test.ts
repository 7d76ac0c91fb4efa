import { contextError } from '@savepoint/core';
import { describe, expect, test } from 'vitest';
import { run } from '../fake-face.js';
import { CAPTURED, DIFFERENCE, DRAWN, ID, LISTED, SHOWN, SUMMARY, VERIFIED } from '../records.js';

const NOT_A_REPOSITORY = contextError('not_a_git_repository', { directory: '/project' });

describe('with --json', () => {
  test('standard output is exactly one JSON value and standard error is empty', async () => {
    const ran = await run({
      words: ['capture', '--json'],
      answers: { capture: { ...CAPTURED, notes: ['a remark'] } },
      warnings: ['a warning'],
    });
    expect(ran.exitCode).toBe(0);
    expect(ran.out.endsWith('\n')).toBe(true);
    expect(JSON.parse(ran.out)).toMatchObject({ id: ID, shortId: '9f2c4b1a7e31', verdict: 'valid', complete: true });
    expect(ran.err).toBe('');
  });

  test('an error is one JSON object on standard error, wherever --json stands, and output is empty', async () => {
    for (const words of [
      ['--json', 'list'],
      ['list', '--json'],
    ]) {
      const ran = await run({ words, refusal: NOT_A_REPOSITORY });
      expect(ran.exitCode).toBe(10);
      expect(ran.out).toBe('');
      expect(JSON.parse(ran.err)).toEqual({
        error: {
          code: 'not_a_git_repository',
          kind: 'no_repository',
          message: '/project is not inside a git repository. Nothing was changed.',
          hint: 'Run `git init` there first, or name the repository with `savepoint -C DIR`.',
          data: { directory: '/project' },
        },
      });
    }
  });

  test('an unknown verb is such an object, with suggestions', async () => {
    const ran = await run({ words: ['lsit', '--json'] });
    expect(ran.exitCode).toBe(2);
    expect(JSON.parse(ran.err)).toMatchObject({
      error: { code: 'unknown_command', data: { command: 'lsit', suggestions: ['list'] } },
    });
  });

  test('characters that a terminal acts on are escaped, and the value stays the same', async () => {
    const message = 'a\u009b31m\u202eb\u001b[0m';
    const ran = await run({
      words: ['list', '--json'],
      answers: { list: { snapshots: [{ ...SUMMARY, message }], more: false, unreadable: [] } },
    });
    expect(ran.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(ran.out)).toMatchObject({ snapshots: [{ message }] });
  });

  test('a file is one value in base64', async () => {
    const ran = await run({ words: ['show', '--file', 'a', '--json'], answers: { showFile: pieces('ab', 'c') } });
    expect(JSON.parse(ran.out)).toEqual({ path: 'a', bytes: 3, base64: 'YWJj' });
  });

  test.each([
    ['list', LISTED, 'snapshots'],
    ['diff head', DIFFERENCE, 'ledger'],
    ['verify', VERIFIED, 'completeness'],
    ['show', SHOWN, 'verdict'],
  ])('%s has its field %3$s', async (line, answer, field) => {
    const words = line.split(' ');
    const ran = await run({ words: [...words, '--json'], answers: { [words[0] ?? '']: answer } });
    expect(JSON.parse(ran.out)).toHaveProperty(field);
  });
});

describe('exit codes', () => {
  test('a diff of content that is gone from the store says so by its exit code', async () => {
    const before = { mode: '0644', blob: 'b'.repeat(40) };
    const after = { ...before, bytes: 3 };
    const file = { path: 'gone.txt', change: 'modified' as const, before, after, binary: false };
    const submodule = { ...file, before: { ...before, mode: 'submodule' } };
    const exitOf = async (files: readonly unknown[], ...words: readonly string[]) =>
      run({ words: ['diff', 'head', ...words], answers: { diff: { ...DIFFERENCE, files } } });
    expect(await exitOf([file])).toMatchObject({ exitCode: 15 });
    expect((await exitOf([file])).err).toContain('of gone.txt is not in the store');
    expect(await exitOf([file], '--json')).toMatchObject({ exitCode: 15 });
    expect(await exitOf([submodule])).toMatchObject({ exitCode: 0 });
  });

  test('come from the kind of the error', async () => {
    const locked = contextError('timeline_locked', { holder: 'process 1', lock: 'a lock' });
    expect((await run({ words: ['capture'], answers: { capture: fail(locked) } })).exitCode).toBe(11);
    expect((await run({ words: ['capture'], answers: { capture: fail(new TypeError('x is not y')) } })).exitCode).toBe(
      1,
    );
  });

  test('capture exits 3 when the snapshot leaves something out, and lists it', async () => {
    const omitted = [{ path: 'big.bin', reason: 'too_large', bytes: 60_000_000 }];
    const ran = await run({ words: ['capture'], answers: { capture: { ...CAPTURED, complete: false, omitted } } });
    expect(ran.exitCode).toBe(3);
    expect(ran.out).toContain('big.bin  is larger than capture.maxFileBytes (60.0 MB)');
    expect(ran.err).toContain('incomplete: The snapshot 9f2c4b1a7e31 was made but leaves out 1 path.');
  });

  test('capture exits 3 when the snapshot is not signed, also in JSON with one error object', async () => {
    const unsigned = {
      ...CAPTURED,
      signer: '',
      verdict: 'unsigned',
      notes: ['The snapshot is not signed: the key file is empty.'],
    };
    const text = await run({ words: ['capture'], answers: { capture: unsigned } });
    expect(text.exitCode).toBe(3);
    expect(text.err).toBe(
      'incomplete: The snapshot 9f2c4b1a7e31 was made without a signature: the key file is empty.\n' +
        'hint: Run `savepoint key show` for the state of your key; `savepoint key rotate --lost` replaces one that is gone.\n',
    );
    const json = await run({ words: ['capture', '--json'], answers: { capture: unsigned } });
    expect(json.exitCode).toBe(3);
    expect(JSON.parse(json.out)).toMatchObject({ id: ID });
    expect(JSON.parse(json.err)).toMatchObject({ error: { code: 'snapshot_unsigned', kind: 'partial' } });
  });

  test('list exits 3 when it had to pass over a snapshot, and names it', async () => {
    const unreadable = [{ timeline: 'aa', commit: 'bb', code: 'object_missing', message: 'The object is gone.' }];
    const ran = await run({ words: ['list'], answers: { list: { ...LISTED, unreadable } } });
    expect(ran.exitCode).toBe(3);
    expect(ran.out).toContain('unreadable: commit bb of timeline aa: The object is gone.');
    expect((await run({ words: ['timeline'], answers: { timeline: { ...DRAWN, unreadable } } })).exitCode).toBe(3);
  });

  test('verify gives the code that its verdicts stand for, and its results in every case', async () => {
    const ran = await run({ words: ['verify', '--json'], answers: { verify: { ...VERIFIED, exitCode: 15 } } });
    expect(ran.exitCode).toBe(15);
    expect(JSON.parse(ran.out)).toMatchObject({ results: [{ id: ID }], completeness: 'not_proven' });
    expect(ran.err).toBe('');
  });

  test('init exits 3 when the hook could not be installed', async () => {
    const hooks = [
      { hook: 'pre-push', path: '/p', installed: false, changed: false, problem: 'the folder is read-only' },
    ];
    const ran = await run({ words: ['init'], answers: { init: { hooks } } });
    expect(ran.exitCode).toBe(3);
    expect(ran.err).toContain('the folder is read-only');
  });
});

describe('in text', () => {
  test('an error says what happened and the next step', async () => {
    const ran = await run({ words: ['list'], refusal: NOT_A_REPOSITORY });
    expect(ran.out).toBe('');
    expect(ran.err).toBe(
      'error: /project is not inside a git repository. Nothing was changed.\n' +
        'hint: Run `git init` there first, or name the repository with `savepoint -C DIR`.\n',
    );
  });

  test.each([
    [['captrue'], 'Did you mean `capture`?'],
    [['key', 'trsut'], 'Did you mean `key trust`?'],
    [['list', '--limt', '3'], 'Did you mean `--limit`?'],
    [['list', '--jsn'], 'Did you mean `--json`?'],
    [['verfy'], 'Did you mean `verify`?'],
  ])('%j is answered with what was meant', async (words, meant) => {
    const ran = await run({ words });
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain(meant);
  });

  test('a word that is near nothing gets no guess', async () => {
    const ran = await run({ words: ['bake'] });
    expect(ran.exitCode).toBe(2);
    expect(ran.err).not.toContain('Did you mean');
    expect(ran.err).toContain('There is no command bake.');
  });

  test('notes and warnings go to standard error, and --quiet leaves only the id', async () => {
    const answers = { capture: { ...CAPTURED, notes: ['a remark'] } };
    const loud = await run({ words: ['capture'], answers, warnings: ['an unknown setting'] });
    expect(loud.err).toBe('note: an unknown setting\nnote: a remark\n');
    const quiet = await run({ words: ['capture', '--quiet'], answers, warnings: ['an unknown setting'] });
    expect(quiet.err).toBe('');
    expect(quiet.out).toBe(`${ID}\n`);
  });

  test('a file is copied to standard output byte for byte', async () => {
    const ran = await run({ words: ['show', '--file', 'a'], answers: { showFile: pieces('\u001b[31m', 'raw') } });
    expect(ran.out).toBe('\u001b[31mraw');
  });

  test('an internal error asks for a report, and SAVEPOINT_DEBUG shows where it came from', async () => {
    const answers = { list: fail(new TypeError('x is not y')) };
    const ran = await run({ words: ['list'], answers });
    expect(ran.err).toContain('x is not y');
    expect(ran.err).toContain('This is a bug. Please report it');
    expect(ran.err).not.toContain('run.test.ts');
    expect((await run({ words: ['list'], answers, environment: { SAVEPOINT_DEBUG: '1' } })).err).toContain(
      'run.test.ts',
    );
  });
});

describe('outside a repository', () => {
  test('the keys and the settings of the user still work', async () => {
    const keys = await run({
      words: ['key'],
      refusal: NOT_A_REPOSITORY,
      answers: { keyShow: { location: 'k', former: [], trusted: [], revoked: [] } },
    });
    expect(keys.exitCode).toBe(0);
    expect(keys.calls[0]?.request).not.toHaveProperty('repository');
    const settings = await run({
      words: ['config'],
      refusal: NOT_A_REPOSITORY,
      answers: { configList: { settings: [], unknown: [], refused: [] } },
    });
    expect(settings.exitCode).toBe(0);
  });

  test('a settings file that cannot be read is not taken for "no repository"', async () => {
    const refusal = contextError('settings_unreadable', { path: 's', reason: 'r' });
    expect((await run({ words: ['config'], refusal })).exitCode).toBe(2);
  });
});

describe('colours', () => {
  const answers = { list: LISTED };
  test('are written on a terminal', async () => {
    expect((await run({ words: ['list'], answers, columns: 100 })).out).toContain('\u001b[1m9f2c4b1a7e31\u001b[0m');
  });

  test.each([
    ['in a pipe', { words: ['list'] }],
    ['with --no-color', { words: ['list', '--no-color'], columns: 100 }],
    ['with NO_COLOR', { words: ['list'], columns: 100, environment: { NO_COLOR: '1' } }],
    ['on a dumb terminal', { words: ['list'], columns: 100, environment: { TERM: 'dumb' } }],
  ])('are left out %s', async (_where, setup) => {
    const { out } = await run({ ...setup, answers });
    expect(out).toContain('9f2c4b1a7e31');
    expect(out).not.toContain('\u001b');
  });
});

async function* pieces(...texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function fail(error: Error): () => never {
  return () => {
    throw error;
  };
}
