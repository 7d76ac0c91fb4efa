/** Which disks a power cut may leave behind: at every moment of a recording, by either policy, with many choices of loss. */
import { createHash } from 'node:crypto';
import type { DiskModel } from './disk-model.js';
import { fraction, type ContentLoss, type DiskPolicy, type DiskState, type Losses } from './disk-model.js';
import type { DiskOperation } from './disk-operations.js';

export interface PowerCut {
  readonly policy: DiskPolicy;
  /** So many operations were done. */
  readonly after: number;
  readonly losses: Losses;
  readonly acknowledged: readonly string[];
}

export interface Recording {
  /** A model that knows the disk as it was before the first operation. */
  readonly start: (policy: DiskPolicy) => DiskModel;
  readonly operations: readonly DiskOperation[];
  /** Moments, by operations done, at which the user's own git may lose what is its own. */
  readonly exposed: readonly { readonly from: number; readonly to: number }[];
}

const CONTENT_LOSSES: Readonly<Record<DiskPolicy, readonly ContentLoss[]>> = {
  posix: ['old', 'zeros', 'cut', 'torn'],
  ordered: ['old', 'cut'],
};

/** Returns cuts with different disks behind them: the plain extremes at every moment, and `chances` random ones each. */
export function powerCuts(recording: Recording, chances: number, seed: number): readonly PowerCut[] {
  const cuts: PowerCut[] = [];
  const seen = new Set<string>();
  for (const policy of ['posix', 'ordered'] as const) {
    const model = recording.start(policy);
    for (let after = 0; after <= recording.operations.length; after += 1) {
      const operation = recording.operations[after - 1];
      if (operation !== undefined) model.apply(operation);
      if (operation !== undefined && !leavesTraces(operation)) continue;
      if (recording.exposed.some(({ from, to }) => after > from && after < to)) continue;
      const isBarrier = operation?.kind === 'sync' || operation?.kind === 'acknowledge';
      const extent = { chances, singly: isBarrier || after === recording.operations.length };
      for (const losses of choices(model, policy, { ...extent, seed: seed + after * 1009 })) {
        const key = `${String(model.acknowledged.length)} ${stateDigest(model.cut(losses))}`;
        if (seen.has(key)) continue;
        seen.add(key);
        cuts.push({ policy, after, losses, acknowledged: [...model.acknowledged] });
      }
    }
  }
  return cuts;
}

/** Returns the disk after a cut. */
export function diskAfter(recording: Recording, cut: Pick<PowerCut, 'policy' | 'after' | 'losses'>): DiskState {
  return modelAt(recording, cut).cut(cut.losses);
}

/** Says what a cut took. */
export function describeLosses(recording: Recording, cut: PowerCut): readonly string[] {
  const { names, contents } = modelAt(recording, cut).unsafe();
  return [
    ...names.filter(({ number }) => cut.losses.names.has(number)).map(({ what }) => `lost: ${what}`),
    ...contents.flatMap(({ file, what }) => {
      const loss = cut.losses.contents.get(file);
      return loss === undefined ? [] : [`${loss}: ${what}`];
    }),
  ];
}

/** Returns cuts that take one thing less each, to find out which loss does the harm. */
export function milderCuts(cut: PowerCut): readonly PowerCut[] {
  const { names, contents } = cut.losses;
  const ordered = cut.policy === 'ordered';
  // Where names are kept in order, only the earliest lost one can be kept.
  const spared = ordered ? [...names].slice(0, 1) : [...names];
  return [
    ...spared.map((number) => ({
      ...cut,
      losses: { ...cut.losses, names: new Set([...names].filter((one) => one !== number)) },
    })),
    ...[...contents.keys()].map((file) => ({
      ...cut,
      losses: { ...cut.losses, contents: new Map([...contents].filter(([one]) => one !== file)) },
    })),
  ];
}

function modelAt(recording: Recording, { policy, after }: Pick<PowerCut, 'policy' | 'after'>): DiskModel {
  const model = recording.start(policy);
  for (const operation of recording.operations.slice(0, after)) model.apply(operation);
  return model;
}

function leavesTraces({ kind }: DiskOperation): boolean {
  return kind !== 'seek' && kind !== 'advance';
}

function* choices(
  model: DiskModel,
  policy: DiskPolicy,
  { chances, singly, seed }: { readonly chances: number; readonly singly: boolean; readonly seed: number },
): Iterable<Losses> {
  const { names, contents } = model.unsafe();
  const all = new Set(names.map(({ number }) => number));
  const none: ReadonlySet<number> = new Set();
  const each = (loss: ContentLoss): Losses['contents'] => new Map(contents.map(({ file }) => [file, loss]));
  yield { names: all, contents: each('old'), seed };
  yield { names: none, contents: new Map(), seed };
  for (const loss of CONTENT_LOSSES[policy]) yield { names: none, contents: each(loss), seed };
  if (singly) yield* singleLosses(model, policy, seed);
  for (let round = 0; round < chances; round += 1) {
    yield randomLosses({ names, contents, policy, seed: seed * 7919 + round });
  }
}

/** One thing lost and all else kept; one name lost and with it the content of all that is kept. */
function* singleLosses(model: DiskModel, policy: DiskPolicy, seed: number): Iterable<Losses> {
  const { names, contents } = model.unsafe();
  for (const { number } of names) {
    const later = names.map((one) => one.number).filter((one) => one > number);
    const lost = new Set(policy === 'ordered' ? [number, ...later] : [number]);
    yield { names: lost, contents: new Map(), seed };
    yield { names: lost, contents: new Map(contents.map(({ file }) => [file, 'old'])), seed };
  }
  for (const { file } of contents) {
    for (const loss of CONTENT_LOSSES[policy]) yield { names: new Set(), contents: new Map([[file, loss]]), seed };
  }
}

function randomLosses(
  parts: ReturnType<DiskModel['unsafe']> & { readonly policy: DiskPolicy; readonly seed: number },
): Losses {
  const { names, contents, policy, seed } = parts;
  const chance = (number: number): number => fraction(seed + number * 104_729);
  const lost = new Set<number>();
  const first = Math.floor(chance(1) * (names.length + 1));
  const share = chance(2);
  for (const { number, operation } of names) {
    if (policy === 'ordered' ? number >= first : chance(operation + 10) < share) lost.add(number);
  }
  const kinds = CONTENT_LOSSES[policy];
  const taken = new Map<number, ContentLoss>();
  for (const { file } of contents) {
    const kind = kinds[Math.floor(chance(file + 5000) * (kinds.length + 1))];
    if (kind !== undefined) taken.set(file, kind);
  }
  return { names: lost, contents: taken, seed };
}

/** Of one entry of a disk, by its bytes; most entries are the same in thousands of states. */
const digests = new WeakMap<Buffer, Map<string, bigint>>();
const directories = new Map<string, bigint>();

/** A digest of the set of all entries: their digests are added, so that no order has to be made. */
function stateDigest(state: DiskState): string {
  let sum = 0n;
  for (const [path, { bytes }] of state) sum += entryDigest(path, bytes);
  return sum.toString(36);
}

function entryDigest(path: string, bytes: Buffer | undefined): bigint {
  const known = bytes === undefined ? directories : (digests.get(bytes) ?? new Map<string, bigint>());
  if (bytes !== undefined) digests.set(bytes, known);
  const found = known.get(path);
  if (found !== undefined) return found;
  const hash = createHash('sha256').update(`${path}\0`);
  const digest = BigInt(`0x${(bytes === undefined ? hash.update('/') : hash.update('.').update(bytes)).digest('hex')}`);
  known.set(path, digest);
  return digest;
}
