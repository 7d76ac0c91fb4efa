/** Says in plain words what a verification proves and what it does not. */
import { isGoodVerdict } from '../../model/verdict.js';
import type { FactProblem } from '../facts.js';
import type { Completeness } from './witnesses.js';
import type { VerifiedSnapshot } from './verify.js';

type Problem = Pick<FactProblem, 'ref' | 'reason'>;

export interface VerifyFindings {
  readonly results: readonly VerifiedSnapshot[];
  readonly timelines: ReadonlySet<string>;
  readonly completeness: Completeness;
  /** Names of the slices that a git tree id of SHA-1 stands for. */
  readonly sha1: ReadonlySet<string>;
  /** How many of the snapshots leave something out. */
  readonly incomplete: number;
  readonly deep: boolean;
  /** Signed records beside the snapshots that are not believed. */
  readonly problems: Readonly<Record<'facts' | 'operations', readonly Problem[]>>;
}

export interface Sentences {
  readonly completeness: 'proven' | 'not_proven';
  readonly proven: readonly string[];
  readonly notProven: readonly string[];
}

export function saidOf(findings: VerifyFindings): Sentences {
  const { timelines, completeness, results } = findings;
  if (results.length === 0)
    return { completeness: 'not_proven', proven: [], notProven: [NOTHING, ...unbelieved(findings.problems)] };
  const open = [...timelines].filter((one) => !completeness.witnessed.has(one) || completeness.damaged.has(one));
  // What was imported has no timeline here that could be complete.
  const complete = timelines.size > 0 && open.length === 0;
  return {
    completeness: complete ? 'proven' : 'not_proven',
    proven: [
      ...integrity(findings),
      ...origin(results),
      ...order(results.filter(({ foreign }) => foreign !== true)),
      ...(complete ? [COMPLETE] : []),
    ],
    notProven: [
      ...bad(results),
      ...limits(findings),
      ...leftOut(findings.incomplete),
      ...incomplete(open, completeness),
      ...unbelieved(findings.problems),
      CLOCK,
    ],
  };
}

const COMPLETE =
  'Completeness: the newest snapshot of each of these timelines was seen by another timeline, a signed fact or an operation, so none is cut off at its end.';
const NOTHING = 'There is no snapshot to verify.';
const CLOCK = 'Time: that the clock of this computer was right. The order of snapshots does not depend on it.';

function count(number: number, noun = 'snapshot'): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** The subject of a sentence and its verb: `1 snapshot holds`, `2 snapshots hold`. */
function doing(number: number, [one, many]: readonly [string, string]): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

function failed(results: readonly VerifiedSnapshot[], names: readonly string[]): readonly VerifiedSnapshot[] {
  return results.filter(({ checks }) => checks.some(({ name, ok }) => !ok && names.includes(name)));
}

function integrity({ results, deep }: VerifyFindings): readonly string[] {
  const broken = failed(results, ['content', 'slices', 'place', 'anchor']);
  // Under a signature that is not its own, a body may say anything and still have its id.
  const isForged = ({ checks }: VerifiedSnapshot) => checks.some(({ verdict }) => verdict === 'bad_signature');
  const whole = results.filter((entry) => entry.commit !== undefined && !broken.includes(entry) && !isForged(entry));
  if (whole.length === 0) return [];
  const bytes = deep ? 'every byte of them was read and hashed' : 'all that they name is in the store';
  return [`Integrity: ${doing(whole.length, ['holds', 'hold'])} exactly what was recorded; ${bytes}.`];
}

function origin(results: readonly VerifiedSnapshot[]): readonly string[] {
  const with_ = (verdict: string) =>
    results.filter(({ checks }) => checks.some((check) => check.name === 'signature' && check.verdict === verdict))
      .length;
  const [known, unknown] = [with_('valid'), with_('valid_unknown_signer')];
  return [
    ...(known > 0 ? [`Origin: ${doing(known, ['was', 'were'])} signed by keys that you own or named.`] : []),
    ...(unknown > 0
      ? [`Origin: ${doing(unknown, ['was', 'were'])} signed by keys that you neither own nor named.`]
      : []),
  ];
}

function order(results: readonly VerifiedSnapshot[]): readonly string[] {
  const linked = results.filter(({ checks }) => checks.some(({ name, ok }) => name === 'chain' && ok)).length;
  return linked === 0
    ? []
    : [`Order: ${doing(linked, ['names', 'name'])} the one before by its digest, without a gap.`];
}

function bad(results: readonly VerifiedSnapshot[]): readonly string[] {
  const broken = results.filter(({ verdict }) => !isGoodVerdict(verdict)).length;
  const unsigned = results.filter(({ verdict }) => verdict === 'unsigned').length;
  const unknown = results.filter(({ verdict }) => verdict === 'valid_unknown_signer').length;
  return [
    ...(broken > unsigned ? [`${count(broken - unsigned)} did not pass: see the checks that failed.`] : []),
    ...(unsigned > 0 ? [`Origin: who made ${count(unsigned)} without a signature.`] : []),
    ...(unknown > 0
      ? [`Origin: whose keys signed ${count(unknown)}; \`savepoint key trust\` gives a key a name.`]
      : []),
  ];
}

function limits({ sha1, deep }: VerifyFindings): readonly string[] {
  return [
    ...(deep
      ? []
      : ['Bytes: that the contents of worktree files are unharmed on the disk; `--deep` reads every byte.']),
    ...(sha1.size === 0
      ? []
      : [
          `Strength: what is named by git tree ids (${[...sha1].sort().join(', ')}) is protected by collision-detecting SHA-1, not by BLAKE3.`,
        ]),
  ];
}

function leftOut(number: number): readonly string[] {
  if (number === 0) return [];
  return [
    `Contents: what ${doing(number, ['leaves', 'leave'])} out; \`savepoint list\` marks such as incomplete, and \`savepoint show\` names the paths.`,
  ];
}

function incomplete(open: readonly string[], { damaged }: Completeness): readonly string[] {
  const cut = open.filter((timeline) => damaged.has(timeline));
  const unseen = open.length - cut.length;
  return [
    ...cut.map(
      (timeline) =>
        `Completeness: the timeline ${timeline} is not what others saw of it; snapshots were cut off or exchanged, or it goes on in a copy of the repository.`,
    ),
    ...(unseen > 0
      ? [
          `Completeness: nothing else has seen the newest snapshot of ${count(unseen, 'timeline')}; if one after it was cut off, it is not missed.`,
        ]
      : []),
  ];
}

function unbelieved({ facts, operations }: VerifyFindings['problems']): readonly string[] {
  return [
    ...facts.map(({ ref, reason }) => `Facts: a fact on ${ref} is not believed: ${reason}.`),
    ...operations.map(({ ref, reason }) => `Operations: an operation on ${ref} is not believed: ${reason}.`),
  ];
}
