import { writeFileSync } from 'node:fs';
import { addedComplaints, fsckComplaints, runGit, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { objectId } from '../../src/model/tree/object-id.js';
import { encodeTree } from '../../src/store/git-objects.js';
import type { TreeMode } from '../../src/model/tree/tree.js';
import { isRefusedFile, isRefusedName, mayBeRefused } from '../../src/worktree/place/refused-names.js';

const utf8 = (name: string): string => Buffer.from(name, 'utf8').toString('latin1');

const NAMES = [
  ...[
    '.git',
    '.GIT',
    '.Git',
    '.git ',
    '.git.',
    '.git. .',
    'git~1',
    'GIT~1',
    'git~1 ',
    'git~2',
    '.g\u200cit',
    '\u200d.git',
    '.gi\ufefft',
    '.git\u2060',
    '.git:stream',
    '.git::$INDEX_ALLOCATION',
    '.git\\x',
    'git~1\\x',
    '.git\\',
    '.gitx',
    '.gi',
    'git',
  ],
  ...[
    '.gitmodules',
    '.GITMODULES',
    '.gitmodules ',
    '.gitmodules.',
    '.gitmodules . .',
    '.gitmodules:stream',
    'gitmod~1',
    'GITMOD~4',
    'gitmod~5',
    'gi7eba~1',
    'GI7EBA~9',
    'gi7eb~10',
    'gi7e~123',
    '.gitm\u200codules',
    '.gitmodulesx',
    'gi7ebax',
  ],
  ...[
    '.gitattributes',
    '.GITATTRIBUTES',
    'gitatt~1',
    'gi7d29~1',
    '.gitignore',
    'gitign~1',
    'gi250a~1',
    '.mailmap',
    'mailma~1',
    '.gitattributes .',
    '.gitignore\u200c',
  ],
].map(utf8);

const MODULES = [
  '',
  '# nothing\n',
  '[submodule "a"]\n\tpath = a\n\turl = https://example.org/a\n',
  '[submodule "a"]\r\n\tpath = a\r\n',
  '[submodule "../x"]\n\tpath = a\n',
  '[submodule "a/../b"]\n\turl = x\n',
  '[submodule ".."]\n',
  '[submodule "a"]\n\tpath = -x\n',
  '[submodule "a"]\n\turl = -u./x\n',
  '[submodule "a"]\n\turl = "-u./x"\n',
  '[submodule "a"]\n\tupdate = !touch x\n',
  '[submodule "a"]\n\tupdate = "!touch x"\n',
  '[submodule "a"]\n\tupdate = none\n',
  'not a config\n',
  '[submodule "a"\n',
  '\0\0\0',
  '[submodule "a"]\n\turl = https://example.org/%0ahost\n',
  '[submodule "a"]\n\turl = ../x/%0a\n',
  '[submodule "a"]\n\turl = http::https://x\n',
  '[submodule "a"]\n\turl = ./%0a\n',
  '[submodule "a"]\n\turl\n',
  '[submodule "a"]\n\tpath\n',
  '[submodule "a"]\n\turl = x\\\ny\n',
  '[core]\n\tx = y\n',
  '[Submodule "../a"]\n\tpath = b\n',
  '[submodule "a\\"b"]\n',
  '[submodule.x/../y]\n\tpath = z\n',
  '[submodule "a"] path = -x\n',
  '\ufeff[submodule "a"]\n\tpath = -x\n',
  '[submodule "a"]\n\turl = https://\n',
  '[submodule "a"]\n\turl = https:\n',
  '[submodule "a"]\n\turl = file:///x\n',
  '[submodule "a"]\n\turl = :x\n',
  '[submodule "a"]\n\turl = ../../..:x\n',
  '[submodule "a"]\n\turl = ../../../:x\n',
  '[submodule "a"]\n\turl = https://x?a=%0Ab\n',
  '[submodule "a"]\n\tUPDATE = !x\n',
  '[submodule "a"]\n\turl = ftp:::x\n',
  '; x\n[submodule "a"]\n\tpath=b;c\n',
  `[submodule "a"]\n${'# x\n'.repeat(20_000)}`,
].map(utf8);

const ATTRIBUTES = ['* text=auto\n', `${'a'.repeat(2047)}\n`, `* x\n${'a'.repeat(2048)}`];

function refuses(
  fixture: FixtureRepository,
  entry: { readonly name: string; readonly mode: TreeMode; readonly content: string },
): boolean {
  const bytes = Buffer.from(entry.content, 'latin1');
  const isFolder = entry.mode === '040000';
  // What an earlier one left is complained about for ever.
  const before = fsckComplaints(fixture);
  const write = (type: string, content: Uint8Array): string => {
    const args = ['hash-object', '-t', type, '-w', '--literally', '--stdin'];
    return runGit({ cwd: fixture.root, home: fixture.home, args, input: content }).stdout.toString('latin1').trim();
  };
  const blob = write('blob', bytes);
  expect(blob).toBe(objectId('sha1', 'blob', bytes));
  const held = isFolder ? write('tree', encodeTree([{ name: 'f', mode: '100644', id: blob }])) : blob;
  const tree = write('tree', encodeTree([{ name: entry.name, mode: entry.mode, id: held }]));
  const commit = fixture.git('commit-tree', '-m', 'x', tree);
  writeFileSync(fixture.path('.git/refs/heads/main'), `${commit}\n`);
  return addedComplaints(before, fsckComplaints(fixture)).some((line) => !line.startsWith('exit '));
}

function isKept(name: string, mode: TreeMode, content: string): boolean {
  return !isRefusedName(name) && !isRefusedFile(name, mode, Buffer.from(content, 'latin1'));
}

describe('git fsck finds nothing new', () => {
  test('in what a tree may hold of names', () => {
    const fixture = unbornRepository();
    const wrong: string[] = [];
    for (const name of NAMES) {
      for (const mode of ['100644', '120000'] as const) {
        if (isKept(name, mode, '') && refuses(fixture, { name, mode, content: 'x' })) wrong.push(`${mode} ${name}`);
        if (!isKept(name, mode, '')) expect(`${name} ${String(mayBeRefused(`d/${name}`))}`).toBe(`${name} true`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('in what a tree may hold of directories', () => {
    const fixture = unbornRepository();
    const wrong = NAMES.filter(
      (name) => !isRefusedName(`${name}/f`) && refuses(fixture, { name, mode: '040000', content: 'x' }),
    );
    expect(wrong).toEqual([]);
  });

  test('in what a tree may hold of .gitattributes', () => {
    const fixture = unbornRepository();
    const wrong = ATTRIBUTES.filter(
      (content) =>
        isKept('.gitattributes', '100644', content) &&
        refuses(fixture, { name: '.gitattributes', mode: '100644', content }),
    );
    expect(wrong).toEqual([]);
    expect(ATTRIBUTES.map((content) => isKept('d/.gitattributes', '100644', content))).toEqual([true, true, false]);
  });

  test('in what a tree may hold of .gitmodules', () => {
    const fixture = unbornRepository();
    const wrong = MODULES.filter(
      (content) =>
        isKept('.gitmodules', '100644', content) && refuses(fixture, { name: '.gitmodules', mode: '100644', content }),
    );
    expect(wrong).toEqual([]);
  });

  test('and an ordinary .gitmodules is kept in the tree', () => {
    expect(MODULES.slice(0, 4).map((content) => isKept('.gitmodules', '100644', content))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    for (const name of [
      '.gitx',
      'git',
      '.gitignore',
      '.gitattributes',
      'a.git',
      'gitmodules',
      '.github/x',
      '.gitx/.gitattributes',
    ])
      expect(isKept(name, '100644', 'x')).toBe(true);
  });
});
