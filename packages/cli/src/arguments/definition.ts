/** How a command declares what it takes; parser, help, completion and documentation read nothing else. */

export interface OptionDefinition {
  /** One letter. */
  readonly short?: string;
  /** What stands for the value in help, such as `TEXT`; absent for a switch. */
  readonly value?: string;
  /** May be given more than once. */
  readonly repeated?: true;
  readonly summary: string;
}

export interface ArgumentDefinition {
  /** Such as `SELECTOR`. */
  readonly label: string;
  readonly summary: string;
  readonly optional?: true;
  /** Takes all that is left. */
  readonly repeated?: true;
  /** Also takes what follows `--`, which no other argument does then. */
  readonly afterDashes?: true;
  /** The only words that it may be. */
  readonly choices?: readonly string[];
}

export interface Example {
  readonly command: string;
  readonly does: string;
}

export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;
export type ArgumentDefinitions = Readonly<Record<string, ArgumentDefinition>>;

/** The part of a command that is data. */
export interface CommandDefinition<
  A extends ArgumentDefinitions = ArgumentDefinitions,
  O extends OptionDefinitions = OptionDefinitions,
> {
  /** One word, or two where the first names a group: `key trust`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** What it does, as the end of the sentence "It …": third person, no period. */
  readonly summary: string;
  /** Further sentences for help and documentation. */
  readonly details?: readonly string[];
  readonly arguments: A;
  readonly options: O;
  readonly examples: readonly Example[];
  /** Exit codes that mean something of its own here; those of the error kinds hold everywhere. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

/** A word that several commands share as their first. */
export interface GroupDefinition {
  readonly name: string;
  readonly summary: string;
  /** The command that the bare word stands for. */
  readonly standsFor: string;
}

export type OptionValues<O> = {
  readonly [K in keyof O]: O[K] extends { readonly value: string }
    ? O[K] extends { readonly repeated: true }
      ? readonly string[]
      : string | undefined
    : boolean;
};

export type ArgumentValues<A> = {
  readonly [K in keyof A]: A[K] extends { readonly repeated: true }
    ? readonly string[]
    : A[K] extends { readonly optional: true }
      ? string | undefined
      : string;
};

/** Options of every command; they may also stand before the verb. */
export const GLOBAL_OPTIONS = {
  directory: { short: 'C', value: 'DIR', repeated: true, summary: 'Work as if started in DIR' },
  json: { summary: 'Print exactly one JSON value; an error is one JSON object on standard error' },
  quiet: { short: 'q', summary: 'Print only the result' },
  'no-color': { summary: 'Print no colours; the variable NO_COLOR does the same' },
  yes: { short: 'y', summary: 'Answer every question with yes' },
  help: { short: 'h', summary: 'Show help for the command' },
  version: { short: 'V', summary: 'Print the version' },
} as const satisfies OptionDefinitions;

/** The option of every verb that reads: look from an earlier snapshot. */
export const AT_OPTION = {
  value: 'SELECTOR',
  summary: 'See things as they were at this snapshot',
} as const satisfies OptionDefinition;

/** The option of every verb that takes paths. */
export const PATHS0_OPTION = {
  value: 'FILE',
  summary: 'Read paths from FILE (`-`: standard input), each ended by a NUL byte',
} as const satisfies OptionDefinition;

export type GlobalValues = OptionValues<typeof GLOBAL_OPTIONS>;
