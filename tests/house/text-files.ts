/** The text files of the repository, as git lists them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './copied-tree.js';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Returns every file that is tracked, or new and not ignored, without those that hold NUL bytes. */
export function textFiles(): readonly TextFile[] {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const list = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: ROOT,
      env,
    },
  );
  return list
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '' && isFile(path.join(ROOT, name)))
    .map((name) => ({ path: name, text: readFileSync(path.join(ROOT, name), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

// A file can be listed and gone: deleted, and not yet committed so.
function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
