/** Names that `git fsck` refuses in a tree: such files are kept under `content/`, so that the user's fsck stays clean. */
import { isDotGit, type BytePath } from '../base/path.js';
import type { TreeMode } from '../model/tree.js';

// git's fsck.c: a link called `.gitmodules` on any file system, by case, NTFS short name or HFS+ ignorable characters.
const GITMODULES = /^(?:\.gitmodules|gitmod~[1-9]|gi7eba~[0-9])[. ]*$/;
const HFS_IGNORED = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;
/** fsck reads `.gitmodules` and refuses a file that it cannot parse or that could run something. */
const LARGEST_GITMODULES = 64 * 1024;

/** A quick look that lets most paths pass. */
export function mayBeRefused(path: BytePath): boolean {
  return /git|gi7eba/i.test(path.replace(HFS_IGNORED, ''));
}

/** Tells whether no tree may hold this path, whatever the file's content. */
export function isRefusedName(path: BytePath): boolean {
  return path.split('/').some((part) => part.length > 3 && isDotGit(part));
}

/** Tells whether a tree may not hold this path with this content. `content` is undefined for a large file. */
export function isRefusedFile(path: BytePath, mode: TreeMode, content: Uint8Array | undefined): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!GITMODULES.test(name.replace(HFS_IGNORED, '').toLowerCase())) return false;
  if (mode === '120000' || content === undefined || content.length > LARGEST_GITMODULES) return true;
  return !isHarmlessGitmodules(Buffer.from(content).toString('latin1'));
}

/** True for a `.gitmodules` of plain sections and plain values; anything else is treated as refused. */
function isHarmlessGitmodules(text: string): boolean {
  return text.split(/\r?\n/).every((line) => {
    if (/^\s*(?:[#;].*)?$/.test(line)) return true;
    const section = /^\s*\[submodule "([^"\\\0]+)"\]\s*$/.exec(line)?.[1];
    if (section !== undefined) return !section.split(/[/\\]/).includes('..');
    const value = /^\s*([a-z]+)\s*=\s*([^\s"\\\0;#!-][^"\\\0;#]*)$/i.exec(line)?.[2];
    return value !== undefined && !/%0a/i.test(value) && !value.includes('::');
  });
}
