/** Names that `git fsck` refuses in a tree: such files are kept under `content/`, so that the user's fsck stays clean. */
import { isDotGit, type BytePath } from '../../base/path.js';
import type { TreeMode } from '../../model/tree/tree.js';

// git's fsck.c: links with these names on any file system, by case, NTFS short name and stream, or HFS+ ignorable
// characters. The second is the short name, the third what NTFS falls back to (git's path.c, is_ntfs_dot_generic).
const MODULES = dotGitName('.gitmodules', 'gitmod', 'gi7eba');
const ATTRIBUTES = dotGitName('.gitattributes', 'gitatt', 'gi7d29');
const OTHERS = [ATTRIBUTES, dotGitName('.gitignore', 'gitign', 'gi250a'), dotGitName('.mailmap', 'mailma', 'maba30')];
const HFS_IGNORED = /\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;
/** fsck reads `.gitmodules` and refuses a file that it cannot parse or that could run something. */
const LARGEST_GITMODULES = 64 * 1024;
/** fsck refuses longer lines in `.gitattributes` (git's attr.h). */
const LONGEST_ATTRIBUTES = 2047;
// Only what surely is harmless: git looks for hosts and line ends that some program of another time was fooled by.
const PLAIN_URL =
  /^(?:(?:https?|ssh|git):\/\/(?:[\w.-]+@)?\w[\w.-]*(?::\d+)?\/[\w.+~/-]+|[\w.-]+@\w[\w.-]*:[\w.+~/-]+|file:\/\/\/[\w.+~%&/-]+)$/;
const PLAIN_PATH = /^[\w.+~/][\w.+~/-]*$/;

/** A quick look that lets most paths pass. */
export function mayBeRefused(path: BytePath): boolean {
  return /git|~[1-9]|mailmap/i.test(path.replace(HFS_IGNORED, ''));
}

/** Tells whether no tree may hold this path, whatever the file's content. */
export function isRefusedName(path: BytePath): boolean {
  if (!mayBeRefused(path)) return false;
  const parts = path.split('/');
  return parts.some((part, at) => part.length > 3 && (isDotGit(part) || (at < parts.length - 1 && isFileName(part))));
}

/** fsck reads what has such a name, and refuses a directory. */
function isFileName(part: BytePath): boolean {
  const name = plainName(part);
  return MODULES.test(name) || ATTRIBUTES.test(name);
}

function plainName(part: BytePath): string {
  return part.replace(HFS_IGNORED, '').toLowerCase();
}

/** Tells whether a tree may not hold this path with this content. `content` is undefined for a large file. */
export function isRefusedFile(path: BytePath, mode: TreeMode, content: Uint8Array | undefined): boolean {
  const name = plainName(path.slice(path.lastIndexOf('/') + 1));
  const isLink = mode === '120000';
  if (isLink && OTHERS.some((other) => other.test(name))) return true;
  if (ATTRIBUTES.test(name)) return content === undefined || hasLongLine(content);
  if (!MODULES.test(name)) return false;
  if (isLink || content === undefined || content.length > LARGEST_GITMODULES) return true;
  return !isHarmlessGitmodules(Buffer.from(content).toString('latin1'));
}

function hasLongLine(content: Uint8Array): boolean {
  const lines = Buffer.from(content).toString('latin1').split('\n');
  return lines.some((line) => line.length > LONGEST_ATTRIBUTES);
}

function dotGitName(name: string, short: string, fallback: string): RegExp {
  const fallbacks = [0, 1, 2, 3, 4, 5, 6].map((kept) => `${fallback.slice(0, kept)}~[1-9][0-9]{${String(6 - kept)}}`);
  return new RegExp(`^(?:\\${name}|${short}~[1-4]|${fallbacks.join('|')})[. ]*(?::.*)?$`, 's');
}

/** True for a `.gitmodules` of plain sections and plain values; anything else is treated as refused. */
function isHarmlessGitmodules(text: string): boolean {
  return text.split(/\r?\n/).every((line) => {
    if (/^\s*(?:[#;].*)?$/.test(line)) return true;
    const section = /^\s*\[submodule "([^"\\\0]+)"\]\s*$/.exec(line)?.[1];
    if (section !== undefined) return !section.split(/[/\\]/).includes('..');
    const [, key = '', value = ''] = /^\s*([a-z]+)\s*=\s*([^\s"\\\0;#!-][^"\\\0;#]*)$/i.exec(line) ?? [];
    return isHarmlessValue(key.toLowerCase(), value.trimEnd());
  });
}

function isHarmlessValue(key: string, value: string): boolean {
  if (key === '') return false;
  if (/%0a|::/i.test(value)) return false;
  return key !== 'url' || PLAIN_URL.test(value) || PLAIN_PATH.test(value);
}
