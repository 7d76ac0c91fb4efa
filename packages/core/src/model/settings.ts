/** The settings, their types and defaults. `savepoint config list` prints them. */

export interface SettingDefinition {
  /** `file`: the absolute path of one. */
  readonly type: 'boolean' | 'bytes' | 'count' | 'text' | 'file';
  readonly default: boolean | number | string;
  readonly summary: string;
  /** True where a repository must not choose it: only the user's own settings hold it. */
  readonly own?: boolean;
}

/** Every setting: its type, its default, and what it does. */
export const SETTINGS = {
  'capture.maxFileBytes': {
    type: 'bytes',
    default: 50 * 1024 * 1024,
    summary: 'A new file larger than this is left out and listed as omitted',
  },
  'capture.maxNewBytes': {
    type: 'bytes',
    default: 1024 * 1024 * 1024,
    summary: 'When one capture has stored this much new content, further new files are left out and listed as omitted',
  },
  'capture.directoryCache': {
    type: 'boolean',
    default: true,
    summary:
      'Trust the modification time of directories to find new files; switch off on file systems that do not keep it',
  },
  'capture.transcript': {
    type: 'boolean',
    default: true,
    summary: "Look for the agent's transcript of this worktree when none is named",
  },
  'ledger.prices': {
    type: 'file',
    default: '',
    own: true,
    summary: 'The price table to use, in place of the one that Savepoint comes with; only in your own settings',
  },
} as const satisfies Readonly<Record<string, SettingDefinition>>;

/** The name of a setting, such as `capture.maxFileBytes`. */
export type SettingKey = keyof typeof SETTINGS;

type Widen<T> = T extends boolean ? boolean : T extends number ? number : string;

/** The effective value of every setting. */
export type Settings = { readonly [K in SettingKey]: Widen<(typeof SETTINGS)[K]['default']> };

export function defaultSettings(): Settings {
  return Object.fromEntries(Object.entries(SETTINGS).map(([key, { default: value }]) => [key, value])) as Settings;
}
