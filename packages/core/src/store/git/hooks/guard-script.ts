/** The pre-push hook itself: a POSIX shell script that needs nothing but git, also when Savepoint is gone. */
import { createHash } from 'node:crypto';

/** Begins the second line of every version of the hook. */
const MARK = '# savepoint: pre-push guard ';
const VERSION = 1;
const FOLDERS = '# Folders made for this hook: ';
export const CHAINED_NAME = 'pre-push.savepoint-chained';

export interface GuardOptions {
  /** Shell words that start the chained hook. */
  readonly start: string;
  /** How many folders were made to hold the hook, so that they can be taken away with it. */
  readonly foldersMade: number;
}

/** Starts the chained hook as the program that it is. */
export const START_PROGRAM = '"$savepoint_chained"';

/** Starts the chained hook in a shell that says `pre-push` when the hook asks for its own name. */
export function startInShell(shell: string): string {
  return `${shell} -c '. "\${0%/*}/${CHAINED_NAME}"' "$savepoint_here/pre-push"`;
}

/** What can be told of a hook that has the mark of a guard. */
export interface GuardState {
  /** False where somebody changed it after it was written. */
  readonly intact: boolean;
  /** True where a newer Savepoint wrote it. */
  readonly newer: boolean;
  readonly foldersMade: number;
}

/** Returns the hook. */
export function guardScript({ start, foldersMade }: GuardOptions): string {
  const folders = foldersMade === 0 ? '' : `${FOLDERS}${String(foldersMade)}\n`;
  const body = `${folders}${SCRIPT}${launch(start)}`;
  return `#!/bin/sh\n${MARK}${String(VERSION)} ${digest(body)}\n${body}`;
}

/** Tells what a hook is, or undefined if it is no guard of whatever version. */
export function readGuard(content: string): GuardState | undefined {
  const [, second = '', ...rest] = content.split('\n');
  if (!second.startsWith(MARK)) return undefined;
  const [version, sum] = second.slice(MARK.length).split(' ');
  const folders = rest[0]?.startsWith(FOLDERS) === true ? Number(rest[0].slice(FOLDERS.length)) : 0;
  return {
    intact: digest(rest.join('\n')) === sum,
    newer: Number(version) > VERSION,
    foldersMade: Number.isInteger(folders) ? folders : 0,
  };
}

function digest(body: string): string {
  return createHash('sha256').update(body, 'latin1').digest('hex').slice(0, 16);
}

// Every variable is named savepoint_*, or lives in a subshell: one that the user exported must reach the next hook as it
// was. No `case` stands inside $( ): the sh of macOS is a bash 3.2, which cannot parse that.
const SCRIPT = `# Local snapshots hold untracked files, so no push may send them by accident: not --mirror, not refs/*, not a branch
# made at one of them. Then the hook runs that was here before, with the same arguments and the same input.
# \`savepoint uninstall\` takes this file away and puts that hook back.

savepoint_input=$(cat)
savepoint_heads=$(git for-each-ref '--format=%(objectname)' \\
  'refs/savepoint/*/timelines/*' 'refs/savepoint/*/operations/*' 2>/dev/null)

savepoint_is_local() {
  case \${1#refs/} in
  savepoint/*/timelines/* | savepoint/*/operations/*) return 0 ;;
  esac
  return 1
}

# Prints what must not be pushed by its name or because it is a head ("named"), or every commit to look into ("commits").
savepoint_each() (
  set -f
  IFS='
'
  for line in $savepoint_input; do
    # <local ref> <local id> <remote ref> <remote id>; the first may hold blanks: HEAD@{2 days ago}
    line=\${line% *}
    target=\${line##* }
    line=\${line% *}
    id=\${line##* }
    source=\${line% *}
    # A deletion sends nothing: that is how a remote is cleaned.
    case $id in
    *[!0]*) ;;
    *) continue ;;
    esac
    if [ "$1" = commits ]; then
      printf '%s\\n' "$id:snapshot.json $source -> $target"
    elif savepoint_is_local "$source" || savepoint_is_local "$target"; then
      printf '%s\\n' "$source -> $target"
    else
      case $savepoint_heads in
      *"$id"*) printf '%s\\n' "$source -> $target" ;;
      esac
    fi
  done
)

# Reads answers of git and prints those that are about a snapshot, also one that is no head.
savepoint_snapshots() (
  while read -r blob type pushed; do
    if [ "$type" = blob ] &&
      git cat-file blob "$blob" 2>/dev/null </dev/null | grep -q '"format":"savepoint.snapshot/'; then
      printf '%s\\n' "$pushed"
    fi
  done
)

savepoint_refuse() (
  printf '%s\\n' 'savepoint: nothing was pushed, because this would send local snapshots, which hold untracked files:'
  set -f
  IFS='
'
  count=0
  for line in $savepoint_refused; do
    count=$((count + 1))
    [ "$count" -gt 10 ] || printf '  %s\\n' "$line"
  done
  [ "$count" -le 10 ] || printf '  and %s more\\n' "$((count - 10))"
  if [ "$(git config --type=bool "remote.$1.mirror" 2>/dev/null)" = true ]; then
    printf '%s\\n' "The remote mirrors: \\\`git config --unset remote.$1.mirror\\\` ends that."
  fi
  printf '%s\\n' 'Push branches by name, or with --all and --tags. To mirror the rest:' \\
    "  git push $1 '+refs/heads/*:refs/heads/*' '+refs/tags/*:refs/tags/*'" \\
    'To send the snapshots on purpose: git push --no-verify'
)

savepoint_refused=$(savepoint_each named)
if [ -z "$savepoint_refused" ] && [ -n "$savepoint_heads" ]; then
  savepoint_refused=$(savepoint_each commits |
    git cat-file '--batch-check=%(objectname) %(objecttype) %(rest)' 2>/dev/null | savepoint_snapshots)
fi
if [ -n "$savepoint_refused" ]; then
  savepoint_refuse "$1" >&2
  exit 1
fi

case $0 in
*/*) savepoint_here=\${0%/*} ;;
*) savepoint_here=. ;;
esac
savepoint_chained=$savepoint_here/${CHAINED_NAME}
[ -x "$savepoint_chained" ] || exit 0
case $0 in
pre-push | */pre-push) ;;
*)
  # A hook manager that came later moved this file aside and calls it. It has run already what is chained here if that
  # was its own, and it must not be called from within itself. [-]: this file must not look like pre-commit's.
  if cmp -s "$savepoint_chained" "$savepoint_here/pre-push"; then exit 0; fi
  if grep -q 'generated by pre[-]commit' "$savepoint_chained" &&
    grep -q 'generated by pre[-]commit' "$savepoint_here/pre-push"; then exit 0; fi
  ;;
esac
`;

// exec: the hook's exit code and signals are git's to see, nothing stands between.
const launch = (start: string): string => `
savepoint_chain() {
  exec ${start} "$@"
}
if [ -z "$savepoint_input" ]; then savepoint_chain "$@" </dev/null; fi
savepoint_chain "$@" <<SAVEPOINT_INPUT
$savepoint_input
SAVEPOINT_INPUT
`;
