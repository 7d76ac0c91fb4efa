/** What publish, import and verify ask of a format of files; `formats.ts` lists those that there are. */
import type { SignatureVerdict, SignerJudge } from '../../../timeline/judge.js';
import type { Leaving, PublishChoice, Withheld } from '../../../timeline/publish/publication.js';
import type { VerifiedSnapshot } from '../../../timeline/verify/verify.js';
import type { LoadedSnapshot } from '../../../timeline/snapshot/load.js';
import type { Repository } from '../../repository/repository.js';

/** What would leave; making it has read and searched all of it. */
export interface Publication {
  readonly snapshot: LoadedSnapshot;
  readonly bytes: number;
  readonly files: readonly Leaving[];
  readonly withheld: readonly Withheld[];
  /** Fields whose 0 only means that nobody knows; absent where a format needs none. */
  readonly unknown?: readonly string[];
  /** Yields the file. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Keeps under a ref what left, and returns the ref and how many files are new there; absent where a format keeps nothing. */
  record?(): Promise<{ readonly ref: string; readonly added: number }>;
}

export interface PublishFormat {
  /** As `--format` names it. */
  readonly name: string;
  /** Of a file's name that nobody chose, such as `.savepoint`. */
  readonly ending: string;
  prepare(repository: Repository, choice: PublishChoice): Promise<Publication>;
}

/** One snapshot of a file that was taken in. */
export interface ImportedSnapshot {
  readonly id: string;
  readonly signer: string;
  readonly verdict: SignatureVerdict;
  readonly createdAt: string;
  readonly message: string;
  /** What its author left out: slices, and files of slices. */
  readonly withheld: readonly string[];
  /** Parents are seldom in a file: `withheld` says that one is not here, not that something is broken. */
  readonly parents: readonly { readonly id: string; readonly state: 'here' | 'withheld' }[];
  /** How many of its files were not here yet. */
  readonly added: number;
  /** True where it is one of this repository's own timelines, so that nothing was taken in. */
  readonly own: boolean;
  /** Of a snapshot of another program: its format and the id that it has there. */
  readonly original?: { readonly format: string; readonly id: string };
}

export interface ImportTask {
  readonly repository: Repository;
  readonly judge: SignerJudge;
  readonly requireTrusted: boolean;
}

export interface ImportFormat {
  readonly name: string;
  /** Tells by its first bytes, up to 512 of them, whether a file has this format. */
  recognises(head: Uint8Array): boolean;
  /** Reads a file to its end and says of each snapshot in it what holds; it never throws for what is in the file. */
  verify(chunks: AsyncIterable<Uint8Array>, judge: SignerJudge): Promise<readonly FileVerdict[]>;
  /** Verifies a file and takes nothing in. @throws bundle_refused and its like */
  inspect(chunks: AsyncIterable<Uint8Array>, task: ImportTask): Promise<void>;
  /** Verifies a file and takes it in, all or nothing. @throws as `inspect` does */
  take(chunks: AsyncIterable<Uint8Array>, task: ImportTask): Promise<readonly ImportedSnapshot[]>;
}

/** What `verify FILE` says of one snapshot. */
export interface FileVerdict extends VerifiedSnapshot {
  readonly slices: readonly { readonly name: string; readonly state: 'present' | 'in_part' | 'withheld' }[];
}
