/** Text of the `config` commands. */
import type { ConfigResult, SettingEntry } from '@savepoint/core';
import { styled, type Layout, type Line } from '../terminal/line.js';
import { table } from '../terminal/table.js';

const COLUMNS = [
  { title: 'SETTING' },
  { title: 'VALUE', align: 'right' },
  { title: 'FROM' },
  { title: 'MEANING' },
] as const;

export function configView({ settings, unknown, refused }: ConfigResult, layout: Layout): readonly Line[] {
  const rows = settings.map(({ key, value, layer, summary }): readonly Line[] => [
    key,
    String(value),
    layer === 'default' ? styled('faint', layer) : styled('notice', layer),
    styled('faint', summary),
  ]);
  return [
    ...table(COLUMNS, rows, layout),
    ...unknown.map(({ key, path }): Line => [styled('notice', 'unknown: '), `${key} in ${path}`]),
    ...refused.map(({ key, path }): Line => [
      styled('notice', 'ignored: '),
      `${key} in ${path}, which only your own settings can choose`,
    ]),
  ];
}

/** The bare value, for scripts. */
export function settingView({ value }: SettingEntry): readonly Line[] {
  return [String(value)];
}

/** What holds after a change. */
export function changedSettingView({ key, value, layer }: SettingEntry): readonly Line[] {
  return [[key, ' = ', styled('bold', String(value)), styled('faint', ` (${layer})`)]];
}
