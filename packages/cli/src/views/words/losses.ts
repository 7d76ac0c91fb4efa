/** What a snapshot leaves out, in words: omissions are a loss, boundaries are by design. */
import type { SnapshotBody } from '@savepoint/core';
import { styled, type Line } from '../../terminal/line.js';
import { counted, size } from './wording.js';

type Losses = Pick<SnapshotBody, 'omitted' | 'boundaries' | 'redactions'>;
type Omission = SnapshotBody['omitted'][number];

const REASONS: Readonly<Record<Omission['reason'], string>> = {
  unreadable: 'cannot be read',
  changing: 'kept changing while it was read',
  too_large: 'is larger than capture.maxFileBytes',
  over_limit: 'came after capture.maxNewBytes was reached',
};
const KINDS: Readonly<Record<SnapshotBody['boundaries'][number]['kind'], string>> = {
  submodule: 'submodule',
  repository: 'repository of its own',
  special: 'special file',
  sparse: 'outside the sparse cone',
};

/** Returns each omitted path with its reason. */
export function omissionLines(omitted: SnapshotBody['omitted']): readonly Line[] {
  return omitted.map(({ path, reason, bytes }) => [
    '  ',
    styled('bad', path),
    `  ${REASONS[reason]}${bytes === undefined ? '' : ` (${size(bytes)})`}`,
  ]);
}

/** Returns the paths that are left alone by design; sparse ones only as a number, for there may be thousands. */
export function boundaryLines(boundaries: SnapshotBody['boundaries']): readonly Line[] {
  const sparse = boundaries.filter(({ kind }) => kind === 'sparse');
  const lines = boundaries
    .filter(({ kind }) => kind !== 'sparse')
    .map(({ path, kind }): Line => `  ${path}  ${KINDS[kind]}`);
  return sparse.length === 0 ? lines : [...lines, `  ${counted(sparse.length, 'path')} ${KINDS.sparse}`];
}

export function redactionWords({ redactions }: Losses): string {
  const kinds = Object.entries(redactions.kinds).map(([kind, count]) => `${kind} ${String(count)}`);
  return `${counted(redactions.count, 'secret')} removed${kinds.length === 0 ? '' : `: ${kinds.join(', ')}`}`;
}
