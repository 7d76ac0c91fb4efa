import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultSettings } from '../../src/model/settings.js';
import { effectiveSettings, openSettingsFiles } from '../../src/open/settings-files.js';
import type { SettingsFiles } from '../../src/ops/config.js';

let root: string;
let configHome: string;
let files: SettingsFiles;

beforeEach(() => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-settings-'));
  root = path.join(base, 'worktree');
  configHome = path.join(base, 'config');
  fs.mkdirSync(root);
  files = openSettingsFiles({ root, configHome });
});
afterEach(() => {
  fs.rmSync(path.dirname(root), { recursive: true, force: true });
});

function write(layer: 'user' | 'project' | 'local', text: string | Uint8Array): void {
  const file = files.path(layer) ?? '';
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

describe('openSettingsFiles', () => {
  test('names the three files, and only the user file outside a worktree', () => {
    expect(files.path('user')).toBe(path.join(configHome, 'savepoint/settings.json'));
    expect(files.path('project')).toBe(path.join(root, '.savepoint/settings.json'));
    expect(files.path('local')).toBe(path.join(root, '.savepoint/settings.local.json'));
    expect(files.path('default')).toBeUndefined();
    const outside = openSettingsFiles({ configHome });
    expect(outside.path('project')).toBeUndefined();
    expect(outside.path('user')).toBe(files.path('user'));
  });

  test('loading settings that do not exist gives undefined and makes nothing', async () => {
    expect(await files.load('user')).toBeUndefined();
    expect(await files.load('project')).toBeUndefined();
    expect(await files.load('default')).toBeUndefined();
    expect(fs.readdirSync(root)).toEqual([]);
    expect(fs.existsSync(configHome)).toBe(false);
  });

  test('what is saved is loaded again, and no draft stays behind', async () => {
    await files.save('local', { 'capture.transcript': false });
    await files.save('local', { 'capture.transcript': true });
    expect(await files.load('local')).toEqual({ 'capture.transcript': true });
    expect(fs.readdirSync(path.join(root, '.savepoint'))).toEqual(['settings.local.json']);
  });

  test('saving keeps the mode of the file and follows a link of the user', async () => {
    const target = path.join(path.dirname(root), 'dotfiles.json');
    fs.writeFileSync(target, '{}', { mode: 0o600 });
    fs.mkdirSync(path.join(configHome, 'savepoint'), { recursive: true });
    fs.symlinkSync(target, files.path('user') ?? '');
    await files.save('user', { 'capture.transcript': false });
    expect(fs.lstatSync(files.path('user') ?? '').isSymbolicLink()).toBe(true);
    expect(JSON.parse(fs.readFileSync(target, 'utf8'))).toEqual({ 'capture.transcript': false });
    expect(fs.statSync(target).mode & 0o777).toBe(0o600);
  });

  test('saving does not follow a link that came with the repository', async () => {
    const victim = path.join(path.dirname(root), 'victim.json');
    fs.writeFileSync(victim, 'untouched');
    fs.mkdirSync(path.join(root, '.savepoint'));
    fs.symlinkSync(victim, files.path('project') ?? '');
    await files.save('project', { 'capture.transcript': false });
    expect(fs.readFileSync(victim, 'utf8')).toBe('untouched');
    fs.rmSync(path.join(root, '.savepoint'), { recursive: true });
    fs.symlinkSync(path.dirname(victim), path.join(root, '.savepoint'));
    await expect(files.save('project', {})).rejects.toMatchObject({ code: 'settings_unreadable' });
  });

  test.each([
    ['broken JSON', '{"capture": '],
    ['an array', '[]'],
    ['null', 'null'],
    ['a byte order mark', '\uFEFF{}'],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['more than a megabyte', `{"x": "${'y'.repeat(1024 * 1024)}"}`],
  ])('refuses %s with the path and the reason', async (_what, text) => {
    write('project', text);
    await expect(files.load('project')).rejects.toMatchObject({
      code: 'settings_unreadable',
      data: { path: files.path('project') },
    });
  });

  test('refuses a FIFO and a directory instead of waiting for them', async () => {
    fs.mkdirSync(path.join(root, '.savepoint'));
    execFileSync('mkfifo', [files.path('project') ?? '']);
    fs.mkdirSync(files.path('local') ?? '');
    await expect(files.load('project')).rejects.toMatchObject({ code: 'settings_unreadable' });
    await expect(files.load('local')).rejects.toMatchObject({ code: 'settings_unreadable' });
  });
});

describe('effectiveSettings', () => {
  test('without files every setting has its default', async () => {
    expect(await effectiveSettings(files)).toEqual({
      settings: defaultSettings(),
      unknown: [],
      refused: [],
      problems: [],
    });
  });

  test('local wins over project, project over user, field by field', async () => {
    write('user', '{"capture.maxFileBytes": 1, "capture.maxNewBytes": 1, "capture.transcript": false}');
    write('project', '{"capture": {"maxFileBytes": 2, "maxNewBytes": 2}}');
    write('local', '{"capture.maxFileBytes": 3}');
    const { settings } = await effectiveSettings(files);
    expect(settings).toEqual({
      ...defaultSettings(),
      'capture.maxFileBytes': 3,
      'capture.maxNewBytes': 2,
      'capture.transcript': false,
    });
  });

  test('unknown keys, dotted or nested, are named with their file and change nothing', async () => {
    write('project', '{"$schema": "x", "capture": {"colour": 1}, "future.thing": {"deep": true}}');
    const path = files.path('project');
    expect(await effectiveSettings(files)).toEqual({
      settings: defaultSettings(),
      unknown: [
        { key: 'capture.colour', path },
        { key: 'future.thing.deep', path },
      ],
      refused: [],
      problems: [],
    });
  });

  test('a repository cannot choose what only the user may: it is named and passed over', async () => {
    write('user', '{"ledger.prices": "/home/me/prices.json"}');
    for (const layer of ['project', 'local'] as const) write(layer, '{"ledger": {"prices": "/tmp/cheap.json"}}');
    const { settings, refused } = await effectiveSettings(files);
    expect(settings['ledger.prices']).toBe('/home/me/prices.json');
    expect(refused).toEqual([
      { key: 'ledger.prices', path: files.path('project') },
      { key: 'ledger.prices', path: files.path('local') },
    ]);
  });

  test.each([
    ['{"ledger.prices": "prices.json"}', 'ledger.prices'],
    ['{"capture.maxFileBytes": "big"}', 'capture.maxFileBytes'],
    ['{"capture.maxFileBytes": -1}', 'capture.maxFileBytes'],
    ['{"capture": {"transcript": "yes"}}', 'capture.transcript'],
    ['{"capture": {"transcript": {"deep": true}}}', 'capture.transcript'],
  ])('a value of the wrong type is passed over, and a problem: %s', async (text, key) => {
    write('user', text);
    const { settings, problems } = await effectiveSettings(files);
    expect(settings).toEqual(defaultSettings());
    expect(problems).toMatchObject([{ code: 'settings_unreadable' }]);
    expect(String(problems[0])).toContain(key);
  });

  test('a file that cannot be read is passed over, and the others still count', async () => {
    write('user', '{"capture.maxFileBytes": 1}');
    write('project', '{"capture.maxFileBytes": 2,}');
    write('local', '{"capture.maxNewBytes": 3}');
    const { settings, problems } = await effectiveSettings(files);
    expect(settings).toMatchObject({ 'capture.maxFileBytes': 1, 'capture.maxNewBytes': 3 });
    expect(problems).toMatchObject([{ code: 'settings_unreadable', data: { path: files.path('project') } }]);
  });
});
