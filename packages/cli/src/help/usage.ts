/** The lines that help and documentation share: how a command is typed. */
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from '../arguments/definition.js';

/** Returns such as `savepoint diff A [B] [options] [-- PATH...]`: what comes after `--` is never an option. */
export function usageOf({ name, arguments: words, options }: CommandDefinition): string {
  const all = Object.values(words);
  const usages = (afterDashes: boolean): readonly string[] =>
    all.filter((word) => (word.afterDashes === true) === afterDashes).map(argumentUsage);
  const choice = Object.keys(options).length > 0 ? ['[options]'] : [];
  return ['savepoint', name, ...usages(false), ...choice, ...usages(true)].join(' ');
}

/** Returns such as `-m, --message TEXT`. */
export function optionUsage(name: string, { short, value }: OptionDefinition): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function argumentUsage({ label, optional, repeated, afterDashes }: ArgumentDefinition): string {
  const text = `${afterDashes === true ? '-- ' : ''}${label}${repeated === true ? '...' : ''}`;
  return optional === true || repeated === true ? `[${text}]` : text;
}
