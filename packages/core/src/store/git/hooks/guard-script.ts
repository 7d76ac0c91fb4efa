/** The pre-push hook itself: a POSIX shell script that needs nothing but git, also when Savepoint is gone. */

/** Stands in the second line of every version of the hook. */
const MARK = '# savepoint: pre-push guard';
export const CHAINED_NAME = 'pre-push.savepoint-chained';

export const GUARD_SCRIPT = `#!/bin/sh
${MARK} 1
# Local snapshots hold untracked files, so no push may send them by accident: not --mirror, not refs/*, not a branch
# made at one of them. Then the hook runs that was here before, with the same arguments and the same input.
# \`savepoint uninstall\` takes this file away and puts that hook back.

lines=$(cat; printf .)
lines=\${lines%.}
heads=$(git for-each-ref --format='%(objectname)' refs/savepoint/v1/timelines refs/savepoint/v1/operations 2>/dev/null)

is_local() {
  case $1 in refs/savepoint/*/timelines/* | refs/savepoint/*/operations/*) return 0 ;; esac
  return 1
}

is_head() {
  case "
$heads
" in *"
$1
"*) return 0 ;; esac
  return 1
}

refused=$(
  printf '%s' "$lines" | while read -r local_ref local_id remote_ref remote_id; do
    case $local_id in *[!0]*) ;; *) continue ;; esac
    if is_local "$local_ref" || is_local "$remote_ref" || is_head "$local_id"; then
      printf '  %s -> %s\\n' "$local_ref" "$remote_ref"
    fi
  done
)

if [ -n "$refused" ]; then
  printf '%s\\n' 'savepoint: this push would send local snapshots, which hold untracked files of yours:' "$refused" \\
    'Nothing was pushed. Push the branches by name, or without --mirror; to push on purpose: git push --no-verify' >&2
  exit 1
fi

chained="$(dirname "$0")/${CHAINED_NAME}"
if [ -x "$chained" ]; then
  printf '%s' "$lines" | "$chained" "$@"
  exit $?
fi
exit 0
`;

/** Tells whether a hook's content is a guard, of whatever version. */
export function isGuard(content: string): boolean {
  return content.split('\n', 2)[1]?.startsWith(MARK) === true;
}
