/** The keys of this user: the own signing key, and the keys of others that were given a name. */
import type { Signer } from '../model/snapshot.js';

/** The private half of an own key, which never leaves this object. */
export interface SigningKey {
  readonly signer: Signer;
  /** Returns the 64 bytes of the Ed25519 signature. */
  sign(message: Uint8Array): Uint8Array;
}

/** An own key that takes over, and the one that it replaces, where that can still sign. */
export interface Rotation {
  readonly former: SigningKey | undefined;
  readonly current: SigningKey;
}

/** The port to the keys of this user. */
export interface KeyRing {
  /** Returns the own key, made on first use without a prompt; undefined where there is none that can be used. */
  signingKey(): Promise<SigningKey | undefined>;
  /** Why there is no usable key, after `signingKey` gave undefined. */
  problem(): string | undefined;
  /** Own keys, the present one first, then those it replaced, the newest first. */
  ownKeys(): Promise<readonly Signer[]>;
  /** Keys of others by name. */
  trustedKeys(): Promise<ReadonlyMap<Signer, string>>;
  /** Gives a key a name; an existing name for that key is replaced. */
  trust(key: Signer, name: string): Promise<void>;
  /**
   * Makes a new own key and keeps the old one as a former key; returns both. The old one signs nothing new after this but what
   * `announce` has it sign: that comes before the new key is the present one, and where it fails, the old key stays.
   */
  rotate(announce?: (rotation: Rotation) => Promise<void>): Promise<Rotation>;
  /**
   * Returns 32 bytes that nobody but this user can read, for what is remembered on this machine. `make` makes them where there
   * are none, beside a key of one's own; undefined where they cannot be had.
   */
  memorySecret(options?: { readonly make?: boolean }): Promise<Uint8Array | undefined>;
  /** Where the own key lies, for messages. */
  readonly location: string;
}
