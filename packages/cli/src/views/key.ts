/** Text of the `key` commands: the keys as they are afterwards. */
import type { KeyShowResult } from '@savepoint/core';
import { styled, type Line } from '../terminal/line.js';
import { labelled } from '../terminal/table.js';

const REVOKED = styled('bad', 'revoked in this repository: `savepoint key rotate` makes another one');

export function keyView({ signer, problem, location, former, trusted, revoked }: KeyShowResult): readonly Line[] {
  const own: Line = signer === undefined ? styled('bad', problem ?? 'none') : styled('bold', signer);
  return [
    'Your key',
    ...labelled([
      ['public', own],
      ['kept in', location],
      ...(revoked.some(({ key }) => key === signer) ? [['state', REVOKED] as const] : []),
    ]),
    ...section(
      'Former keys of yours',
      former.map((key): Line => `  ${key}`),
    ),
    ...section(
      'Keys that you trust',
      trusted.map(({ name, key }): Line => ['  ', key, '  ', styled('bold', name)]),
    ),
    ...section(
      'Revoked keys',
      revoked.flatMap(({ key, lastGood, reason }): readonly Line[] => [
        ['  ', styled('bad', key), reason === undefined ? '' : `  ${reason}`],
        ...lastGood.map((id): Line => `    good up to ${id.slice(0, 12)}`),
      ]),
    ),
  ];
}

function section(title: string, lines: readonly Line[]): readonly Line[] {
  return lines.length === 0 ? [] : [title, ...lines];
}
