/** `publish`: writes a snapshot into one file for others, after everything that would leave was searched for secrets. */
import { shortId } from '../../format/v1/body.js';
import type { Leaving, Withheld } from '../../timeline/publish/publication.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { publishFormat } from './formats/formats.js';
import { demandOwn } from '../repository/own-snapshot.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

/** Where the file goes. */
export interface BundleOutput {
  /** Takes all pieces, without showing them to anybody where that can be done. */
  write(pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Puts what was written where it belongs. */
  finish(): Promise<void>;
  discard(): Promise<void>;
}

export interface PublishRequest {
  readonly repository: Repository;
  /** Default `head`. */
  readonly selector?: string;
  /** Default: all but `worktree` and `index`. */
  readonly slices?: readonly string[];
  /** Files of the worktree, by their paths in the snapshot. */
  readonly files?: readonly string[];
  /** Default `bundle`. */
  readonly format?: string;
  /** Only says what would leave. */
  readonly dryRun?: boolean;
  /** Returns where the file goes; `name` is what it is called where nobody chose. Not asked for with `dryRun`. */
  readonly output?: (name: string) => BundleOutput;
}

export interface PublishResult {
  readonly id: string;
  readonly shortId: string;
  readonly signer: string;
  readonly format: string;
  readonly dryRun: boolean;
  /** Size of the file. */
  readonly bytes: number;
  /** What leaves; `slice` is empty for the body and its signature. */
  readonly files: readonly Leaving[];
  /** What stays here, and why. */
  readonly withheld: readonly Withheld[];
  /** Fields of a format that demands a number where none is known: they hold 0. */
  readonly unknown?: readonly string[];
  /** Files that stay here because a secret was found in them; where there are any, the publication is partial. */
  readonly secrets: number;
  /** The ref that keeps what was published, and how many files are new there. */
  readonly ref?: string;
  readonly added?: number;
}

/**
 * Publishes a snapshot. A file in which a secret is found stays here as a whole; one in the body refuses.
 * @throws as resolving a selector does; secret_found; gate_failed; bundle_impossible; signature_broken; snapshot_foreign;
 * slice_not_found; path_not_found; path_left_out; path_refused; digest_mismatch; object_missing; argument_malformed;
 * timeline_locked
 * @example
 * const { files, withheld } = await publish({ repository, selector: 'head', dryRun: true });
 * console.log(files.map(({ path }) => path), withheld);
 */
export async function publish(request: PublishRequest): Promise<PublishResult> {
  const { repository, selector = 'head', slices, files = [], dryRun = false, output } = request;
  const format = publishFormat(request.format);
  const { snapshot } = await resolveSelector(viewOf(repository), selector);
  const { id, body } = snapshot;
  demandOwn(repository, snapshot);
  const choice = { store: repository.store, snapshot, files, ...(slices !== undefined && { slices }) };
  const publication = await format.prepare(repository, choice);
  const { bytes, withheld } = publication;
  const told = {
    id,
    shortId: shortId(id),
    signer: body.signer,
    format: format.name,
    dryRun,
    bytes,
    files: publication.files,
    withheld,
    ...(publication.unknown !== undefined && { unknown: publication.unknown }),
    secrets: withheld.filter(({ reason }) => reason === 'secret').length,
  };
  if (dryRun || output === undefined) return told;
  const out = output(`${shortId(id)}${format.ending}`);
  try {
    await out.write(publication.pieces());
    // The ref before the file has its name: what is nowhere recorded did not leave.
    const recorded = await publication.record?.();
    await out.finish();
    return { ...told, ...recorded };
  } catch (error) {
    await out.discard();
    throw error;
  }
}
