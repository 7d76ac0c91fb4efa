/** The body of a snapshot: what is signed, and whose digest is the snapshot's id. */
import type { Anchor } from './tree/anchor.js';
import type { Boundary, Omission } from './tree/filesystem.js';
import type { Trigger } from './trigger.js';

export const SNAPSHOT_FORMAT = 'savepoint.snapshot/1';

/** BLAKE3-256 of the body's canonical bytes, 64 lower hex digits. */
export type SnapshotId = string;

/** `ed25519:` and 64 lower hex digits of the raw public key; empty where there was no usable key. */
export type Signer = string;

export type DigestAlgorithm = 'blake3' | 'git-sha1' | 'git-sha256';

/** One named part of a snapshot: file `<name>.json` or folder `<name>/` of its tree. */
export interface Slice {
  readonly name: string;
  readonly algorithm: DigestAlgorithm;
  readonly digest: string;
  /** Sum of the sizes of its files. */
  readonly bytes: number;
  /** Number of its files. */
  readonly parts: number;
}

export type OriginKind = 'rewind' | 'restore' | 'undo' | 'redo' | 'import' | 'fork';

export interface Origin {
  readonly kind: OriginKind;
  readonly from: SnapshotId;
  readonly operation?: string;
}

/** The snapshot of another program that this one holds, whole, as a slice named after the program. */
export interface Original {
  /** The program's name and the version of its format, such as `lean-ctx/1`. */
  readonly format: string;
  /** As the other program identifies it. */
  readonly id: string;
  /** Who signed it there; the signer of the body only says that this held when it was taken in. */
  readonly signer: Signer;
}

/** The head of another timeline, seen at the time: a later proof that it was that long. */
export interface Witness {
  readonly timeline: string;
  readonly sequence: number;
  readonly id: SnapshotId;
}

export interface SessionReference {
  /** Name of the agent's adapter, such as `claude-code`. */
  readonly agent: string;
  /** The agent's own id of the session. */
  readonly id: string;
  /** True where the session was found by looking, not named. */
  readonly guessed?: boolean;
}

export interface Totals {
  readonly files: number;
  readonly bytes: number;
}

/** How many secrets were removed, by kind; never what they were. */
export interface Redactions {
  readonly count: number;
  readonly kinds: Readonly<Record<string, number>>;
}

/** What is signed and has the id: everything that a snapshot says of itself. `docs/format/v1.md` says what each field means. */
export interface SnapshotBody {
  readonly format: typeof SNAPSHOT_FORMAT;
  /** 32 hex digits, one value per store. */
  readonly repository: string;
  readonly timeline: string;
  /** 1 for the first of its timeline. */
  readonly sequence: number;
  readonly parents: readonly SnapshotId[];
  readonly origin?: Origin;
  readonly original?: Original;
  readonly createdAt: string;
  readonly signer: Signer;
  readonly message: string;
  readonly tags: readonly string[];
  readonly trigger: Trigger;
  readonly session?: SessionReference;
  readonly anchor: Anchor;
  readonly slices: readonly Slice[];
  readonly totals: Totals;
  readonly redactions: Redactions;
  readonly boundaries: readonly Boundary[];
  readonly omitted: readonly Omission[];
  /** False where something that belongs in it was left out: see `omitted`. */
  readonly complete: boolean;
  readonly seen: readonly Witness[];
}

/** Content of `signature.json`; absent where there was no usable key. */
export interface SignatureFile {
  readonly algorithm: 'ed25519';
  readonly signer: Signer;
  /** 128 lower hex digits. */
  readonly value: string;
}
