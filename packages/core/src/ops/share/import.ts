/** `import`: takes in what others published, after all of it was verified. */
import { contextError } from '../../base/errors.js';
import { makeJudge } from '../../timeline/judge.js';
import type { ImportedSnapshot } from './formats/format-port.js';
import { recognise } from './formats/formats.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

export type { ImportedSnapshot } from './formats/format-port.js';

/** A file that is read in one pass. */
export interface BundleInput {
  open(): AsyncIterable<Uint8Array>;
  /** True where it can be opened again and has the same bytes then; standard input cannot. */
  readonly again: boolean;
}

export interface ImportRequest {
  readonly repository: Repository;
  readonly input: BundleInput;
  /** Refuses a signer whom the user neither is nor trusts. */
  readonly requireTrusted?: boolean;
}

export interface ImportResult {
  readonly format: string;
  readonly snapshots: readonly ImportedSnapshot[];
  /** True where all of it was here already. */
  readonly unchanged: boolean;
}

/**
 * Imports a file that `publish` wrote. What comes from others is kept apart from one's own timelines and marked as foreign;
 * importing the same file again changes nothing.
 * @throws bundle_refused; format_version_unsupported; signer_unknown; timeline_locked; disk_full; store_unwritable
 * @example
 * const pieces: Uint8Array[] = [];
 * const write = async (all: AsyncIterable<Uint8Array>) => {
 *   for await (const piece of all) pieces.push(piece);
 * };
 * const nothing = async () => {};
 * await publish({ repository, output: () => ({ write, finish: nothing, discard: nothing }) });
 * const open = async function* () { yield* pieces; };
 * const { snapshots } = await importBundle({ repository, input: { open, again: true } });
 * console.log(snapshots.map(({ id, verdict, own }) => [id, verdict, own]));
 */
export async function importBundle(request: ImportRequest): Promise<ImportResult> {
  const { repository, input, requireTrusted = false } = request;
  const judge = await makeJudge(viewOf(repository), repository.keys);
  const task = { repository, requireTrusted, judge };
  if (input.again) {
    // Once without writing anything; the second time everything is verified again, as the file may be another one by then.
    const first = await recognise(input.open());
    await first.format.inspect(first.chunks, task);
  }
  const { format, chunks } = await recognise(input.open());
  const snapshots = await format.take(chunks, task);
  if (snapshots.length === 0) throw contextError('bundle_unknown', { reason: 'it holds no snapshot' });
  return { format: format.name, snapshots, unchanged: snapshots.every(({ added }) => added === 0) };
}
