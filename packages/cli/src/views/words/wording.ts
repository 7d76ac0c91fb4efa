/** How sizes, ages, keys and verdicts are said, the same in every view. */
import { counted, grouped, isGoodVerdict, type Slice, type SnapshotBody, type Verdict } from '@savepoint/core';
import { styled, type Layout, type Piece } from '../../terminal/line.js';

export { counted, grouped };

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

const AGES: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/** Returns millionths of a US dollar as dollars: to the cent, below a dollar to the hundredth of a cent. */
export function money(micros: number): string {
  const size = Math.abs(micros);
  const [whole = '', rest = ''] = (size / 1e6).toFixed(size >= 1e6 ? 2 : 4).split('.');
  return `${micros < 0 ? '-' : ''}$${grouped(Number(whole))}.${rest}`;
}

/** Returns how long ago a time was, in words that `savepoint at` understands; `now` in milliseconds. */
export function age(time: string, now: number): string {
  const seconds = Math.floor((now - Date.parse(time)) / 1000);
  if (!(seconds >= 0) || seconds > 30 * 86_400) return time.slice(0, 10);
  for (const [length, unit] of AGES) {
    if (seconds >= length) return `${counted(Math.floor(seconds / length), unit)} ago`;
  }
  return seconds < 5 ? 'just now' : `${counted(seconds, 'second')} ago`;
}

/** Returns a time without its `T`, in UTC, to the second. */
export function clockTime(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

export function shortId(id: string): string {
  return id.slice(0, 12);
}

/** Returns the beginning and the end of a public key. */
export function shortKey(signer: string, { unicode }: Layout): string {
  const digits = signer.replace(/^ed25519:/, '');
  return digits.length <= 12 ? digits : `${digits.slice(0, 6)}${unicode ? '…' : '...'}${digits.slice(-4)}`;
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  valid: 'valid',
  valid_unknown_signer: 'valid, signer unknown',
  unsigned: 'unsigned',
  revoked: 'revoked',
  bad_signature: 'bad signature',
  digest_mismatch: 'digest mismatch',
  not_canonical: 'not canonical',
  missing_object: 'missing object',
  unexpected_entry: 'unexpected entry',
  wrong_place: 'wrong place',
  foreign_repository: 'foreign repository',
  broken_chain: 'broken chain',
  truncated: 'truncated',
  too_new: 'too new',
};

export function verdictWords(verdict: Verdict): string {
  return VERDICT_WORDS[verdict];
}

export function verdictPiece(verdict: Verdict, layout: Layout): Piece {
  const style = verdict === 'valid' ? 'good' : isGoodVerdict(verdict) ? 'notice' : 'bad';
  return styled(style, `${mark(isGoodVerdict(verdict), layout)} ${verdictWords(verdict)}`);
}

/** Returns the sign for yes or no. */
export function mark(good: boolean, { unicode }: Layout): string {
  if (unicode) return good ? '✓' : '✗';
  return good ? 'ok' : '!!';
}

export function separator({ unicode }: Layout): string {
  return unicode ? ' · ' : ', ';
}

type Anchor = Pick<SnapshotBody['anchor'], 'commit' | 'branch' | 'dirty'>;

/** Returns the anchor as `3a8f12c on main (clean)`. */
export function anchorWords({ commit, branch, dirty }: Anchor): string {
  const place = branch !== undefined ? ` on ${branch}` : commit === undefined ? '' : ' detached';
  return `${commit === undefined ? 'no commit yet' : commit.slice(0, 7)}${place} (${dirty ? 'dirty' : 'clean'})`;
}

export function sliceNames(slices: readonly Slice[], layout: Layout): string {
  return slices.map(({ name }) => name).join(separator(layout));
}

export function tagPieces(tags: readonly string[]): readonly Piece[] {
  return tags.map((tag) => styled('notice', ` [${tag}]`));
}

/** Returns the first line of a message. */
export function subject(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}
