/** Two trees between which everything happens that can happen to a path. */
import { USUAL, type Node, type Tree } from './trees.js';

const file = (text: string, mode = 0o644): Node => ({ kind: 'file', text, mode });
const link = (text: string): Node => ({ kind: 'link', text });
const folder = (mode = USUAL): Node => ({ kind: 'directory', mode });

const ONE_FROM: Tree = new Map([
  ['same', file('same\n')],
  ['overwritten', file('old\n')],
  ['removed', file('gone\n')],
  ['mode', file('mode\n', 0o644)],
  ['private', file('private old\n', 0o600)],
  ['swap-a', file('a\n')],
  ['swap-b', file('b\n', 0o755)],
  ['file-to-link', file('file\n')],
  ['link-to-file', link('../elsewhere')],
  ['link-moves', link('here')],
  ['file-to-folder', file('a file\n')],
  ['folder-to-file', folder()],
  ['folder-to-file/x', file('x\n')],
  ['folder-to-file/deep', folder()],
  ['folder-to-file/deep/y', file('y\n', 0o400)],
  ['folder-to-file/deep/empty', folder(0o700)],
  ['goes', folder()],
  ['goes/z', file('z\n')],
  ['closed', folder(0o555)],
  ['closed/inner', file('inner old\n')],
  ['opens', folder(0o700)],
  ['emptied', file('content\n')],
  ['bad\xff\nname', file('odd old\n')],
]);

const ONE_TO: Tree = new Map([
  ['same', file('same\n')],
  ['overwritten', file('new and longer\n')],
  ['created', file('created\n', 0o755)],
  ['mode', file('mode\n', 0o755)],
  ['private', file('private new\n', 0o600)],
  ['swap-a', file('b\n', 0o755)],
  ['swap-b', file('a\n')],
  ['file-to-link', link('same')],
  ['link-to-file', file('now a file\n')],
  ['link-moves', link('there')],
  ['file-to-folder', folder()],
  ['file-to-folder/p', file('p\n')],
  ['file-to-folder/q', folder(0o555)],
  ['file-to-folder/q/r', file('r\n')],
  ['folder-to-file', file('a file now\n')],
  ['fresh', folder()],
  ['fresh/deep', folder()],
  ['fresh/deep/file', file('deep\n')],
  ['hollow', folder(0o700)],
  ['closed', folder(0o500)],
  ['closed/inner', file('inner new\n')],
  ['opens', folder()],
  ['opens/-rf', file('dash\n')],
  ['emptied', file('')],
  ['bad\xff\nname', file('odd new\n', 0o600)],
]);

/** How many times the sample stands side by side; 12 make a rewind of 300 files. */
const COPIES = Number(process.env['SAVEPOINT_REPLACE_COPIES'] ?? 1);

function copies(tree: Tree): Tree {
  if (COPIES === 1) return tree;
  const all = new Map<string, Node>();
  for (let count = 0; count < COPIES; count += 1) {
    all.set(`copy${String(count)}`, folder());
    for (const [path, node] of tree) all.set(`copy${String(count)}/${path}`, node);
  }
  return all;
}

export const FROM: Tree = copies(ONE_FROM);
export const TO: Tree = copies(ONE_TO);
