import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/registry.js';
import { completionScript } from '../../src/help/completion.js';
import { run } from '../fake-face.js';

const KNOWN = { commands: COMMANDS, groups: GROUPS };

/** Returns what bash would offer for the last of the words. */
function offered(...words: readonly string[]): readonly string[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-completion-'));
  try {
    fs.mkdirSync(path.join(folder, 'adir'));
    fs.writeFileSync(path.join(folder, 'afile'), '');
    const script = `${completionScript('bash', KNOWN)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _savepoint; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', script, 'bash', 'savepoint', ...words], { cwd: folder, encoding: 'utf8' });
    return out.split('\n').filter((word) => word !== '');
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

describe('completion in bash', () => {
  test('offers verbs and groups', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['capture', 'list', 'key', 'config', 'checkpoint']));
    expect(offered('ver')).toEqual(['verify']);
    expect(offered('-C', '/', 'ver')).toEqual(['verify']);
    expect(offered('checkpoint', 'ver')).toEqual(['verify']);
  });

  test('offers the verbs of a group', () => {
    expect(offered('key', '')).toEqual(['show', 'trust', 'rotate', 'revoke']);
    expect(offered('config', 'un')).toEqual(['unset']);
    expect(offered('help', 'tim')).toEqual(['timeline']);
    expect(offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  test('offers the options of the verb and those of every verb', () => {
    expect(offered('diff', 'a', '--st')).toEqual(['--stat']);
    expect(offered('list', '--')).toEqual(expect.arrayContaining(['--json', '--limit', '--branch']));
    expect(offered('list', '--st')).toEqual([]);
    expect(offered('key', 'revoke', '--la')).toEqual(['--last-good']);
    expect(offered('create', '--fr')).toEqual(['--fresh']);
  });

  test('offers files and folders where they are asked for', () => {
    expect(offered('capture', '--transcript', 'a')).toEqual(expect.arrayContaining(['afile', 'adir']));
    expect(offered('-C', 'a')).toEqual(['adir']);
  });
});

describe('the completion script', () => {
  test.each(['bash', 'zsh', 'fish'] as const)('for %s is printed by `savepoint completion`', async (shell) => {
    const { out, exitCode } = await run({ words: ['completion', shell] });
    expect(exitCode).toBe(0);
    expect(out).toBe(completionScript(shell, KNOWN));
  });

  for (const [shell, check] of [
    ['zsh', '-n'],
    ['fish', '--no-execute'],
    ['bash', '-n'],
  ] as const) {
    const isThere = spawnSync(shell, ['--version']).error === undefined;
    test.skipIf(!isThere)(`for ${shell} is accepted by that shell`, () => {
      const input = completionScript(shell, KNOWN);
      const { status, stderr } = spawnSync(shell, [check], { input, encoding: 'utf8' });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });
  }

  test('for fish names every verb and option', () => {
    const script = completionScript('fish', KNOWN);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(`-a ${name.split(' ').at(-1) ?? ''} `);
      for (const option of Object.keys(options)) expect(script).toContain(`-l ${option}`);
    }
  });
});
