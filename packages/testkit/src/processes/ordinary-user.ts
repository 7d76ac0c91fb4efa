/** Nothing is forbidden to root: where permissions are tested, a process of root's becomes somebody else for a while. */

/** The user and group that own nothing. */
export const NOBODY = 65_534;

const isRoot = process.geteuid?.() === 0;
// A Node whose libuv may use io_uring refuses to change users (CVE-2024-22017).
const canChange = isRoot && succeeds(() => process.seteuid?.(NOBODY)) && succeeds(() => process.seteuid?.(0));

/** False where what is forbidden cannot be tried: for root on a Node that refuses to change users. */
export const permissionsCount = !isRoot || canChange;

/** Gives up root's rights, if there are any and they can be given up. */
export function becomeOrdinary(): void {
  if (!canChange) return;
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
}

/** Takes back what `becomeOrdinary` gave up. */
export function becomeOneself(): void {
  if (!canChange) return;
  process.seteuid?.(0);
  process.setegid?.(0);
}

function succeeds(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
