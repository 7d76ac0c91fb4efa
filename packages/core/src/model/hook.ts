/** Git hooks that Savepoint adds to a repository. */

/** Installs and removes git hooks in a repository; `store/git/` implements it. */
export interface HookFiles {
  /** Returns what was done; a second call changes nothing. */
  install(): Promise<HookReport>;
  /** Leaves the hooks byte for byte as they were before. */
  uninstall(): Promise<HookReport>;
  /** Changes nothing. */
  state(): Promise<HookReport>;
}

/** What stands in the way of a push now, and whether this call changed it. */
export interface HookReport {
  readonly hook: 'pre-push';
  /** File of the hook, also under `core.hooksPath`. */
  readonly path: string;
  readonly installed: boolean;
  /** True where this call changed something. */
  readonly changed: boolean;
  /** A hook that was there before; it is called when the guard let the push pass. */
  readonly chained?: string;
  /** Why it cannot be installed or works only in part, for people. */
  readonly problem?: string;
}
