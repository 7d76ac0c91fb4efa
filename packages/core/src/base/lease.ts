/** The port of a lease: which living process is at work on something that outlives the process. */

export interface Lease {
  /** Takes it, from a dead holder too; returns the living holder's name where there is one. */
  take(): string | undefined;
  /** Returns the living holder's name, this process included. */
  holder(): string | undefined;
  /** Lets go, if this object holds it. */
  release(): void;
}
