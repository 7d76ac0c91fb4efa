/** Upkeep of the store that runs in the background: many small packs become one. */

/** What one run of it did. */
export interface MaintenanceReport {
  /** Packs that were merged into one. */
  readonly merged: number;
  /** Packs that a merge made superfluous and that are gone now. */
  readonly removed: number;
  /** Superfluous packs that stay until no git program can be reading them. */
  readonly waiting: number;
  /** Why nothing was done, for people. */
  readonly skipped?: string;
}

/** The port to the upkeep of a store. */
export interface Maintenance {
  /** Tells at next to no cost whether there is something to do. */
  isDue(): boolean;
  run(): Promise<MaintenanceReport>;
}
