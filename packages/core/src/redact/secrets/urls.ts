/** Finds passwords in URLs and in the commands that take one: scheme, user and host stay. */
import type { Finding } from '../text/spans.js';
import { isCode, isPlaceholder, valueAt } from '../text/values.js';

const LONGEST_AUTHORITY = 1024;
const SCHEME_BEFORE = /[A-Za-z][A-Za-z0-9+.-]{0,30}$/;

/** Adds the password of each `scheme://user:password@host`. */
export function findUrlPasswords(text: string, findings: Finding[]): void {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const found = passwordAt(text, at);
    if (found !== undefined) findings.push(found);
  }
}

function passwordAt(text: string, at: number): Finding | undefined {
  if (!SCHEME_BEFORE.test(text.slice(Math.max(0, at - 32), at))) return undefined;
  const from = at + 3;
  const rest = text.slice(from, from + LONGEST_AUTHORITY);
  const stop = rest.search(/[ \t\r\n\f\v"'`<>\\]/);
  const authority = stop < 0 ? rest : rest.slice(0, stop);
  const end = endOfUser(authority);
  if (end < 0) return undefined;
  const user = authority.slice(0, end);
  const colon = user.indexOf(':');
  // Without a colon the user itself may be the token.
  const start = colon < 0 ? 0 : colon + 1;
  const password = user.slice(start);
  if (isPlaceholder(password) || isCode(password) || (colon < 0 && !isToken(password))) return undefined;
  return { start: from + start, end: from + end, kind: 'url-password' };
}

/** Returns where the user part ends. An `@` behind a slash counts only if what precedes cannot be `host:port`. */
function endOfUser(authority: string): number {
  const slash = authority.search(/[/?#]/);
  const host = slash < 0 ? authority : authority.slice(0, slash);
  const end = host.lastIndexOf('@');
  if (end >= 0 || slash < 0 || !host.includes(':')) return end;
  if (/^[^:]*:[0-9]*$/.test(host) || host.startsWith('[')) return -1;
  const later = authority.search(/@[A-Za-z0-9.-]+(?::[0-9]+)?(?:[/?#]|$)/);
  return /[?&]/.test(authority.slice(0, Math.max(0, later))) ? -1 : later;
}

function isToken(user: string): boolean {
  return user.length >= 20 && /[0-9]/.test(user) && /[A-Za-z]/.test(user) && /^[A-Za-z0-9_.~%-]+$/.test(user);
}

const COMMANDS: readonly { readonly pattern: RegExp; readonly userFirst: boolean }[] = [
  { pattern: /(?<=sshpass )-p[ ]{0,2}/g, userFirst: false },
  { pattern: /(?<=\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,120} )-p(?=[^\s"'-])/g, userFirst: false },
  {
    pattern: /(?<=\b(?:docker|podman|helm|az|oc|skopeo)\b[^\n|;&]{0,16} login\b[^\n|;&]{0,80} )-p[ ]/g,
    userFirst: false,
  },
  { pattern: /(?<=\bredis-cli\b[^\n|;&]{0,120} )-a[ ]/g, userFirst: false },
  { pattern: /(?<=\b(?:curl|wget|http|https)\b[^\n|;]{0,300} )(?:-u|--user|--proxy-user|-U)[ =]?/g, userFirst: true },
  { pattern: /(?<=\blogin[ ]\S{1,100}[ \n\t]{1,8})password[ \t]/g, userFirst: false },
];
// Plain searches are faster than one pattern of all.
const COMMAND_NAMES = [
  'sshpass ',
  'mysql',
  'mariadb',
  ' login',
  'login ',
  'redis-cli',
  'curl ',
  'wget ',
  'http ',
  'https ',
];

/** Adds the passwords that well-known commands take without a telling name: `curl -u user:password`, `mysql -ppassword`. */
export function findCommandPasswords(text: string, findings: Finding[]): void {
  if (!COMMAND_NAMES.some((name) => text.includes(name))) return;
  for (const { pattern, userFirst } of COMMANDS) {
    for (const match of text.matchAll(pattern)) {
      const value = valueAt(text, match.index + match[0].length, false);
      if (value === undefined) continue;
      const content = text.slice(value.start, value.end);
      const colon = userFirst ? content.indexOf(':') : -1;
      const password = content.slice(colon + 1);
      if (password === '' || (userFirst && colon < 0)) continue;
      const start = value.start + colon + 1;
      if (isPlaceholder(password) || isCode(password) || (userFirst && /^[0-9]+$/.test(password))) continue;
      findings.push({ start, end: value.end, kind: userFirst ? 'authorization' : 'assignment' });
    }
  }
}
