/** The lines that help and documentation share: how a command is typed. */
import type { ArgumentDefinition, CommandDefinition, OptionDefinition } from '../arguments/definition.js';

/** Returns such as `savepoint diff A [B] [-- PATH...] [options]`. */
export function usageOf({ name, arguments: words, options }: CommandDefinition): string {
  const hasOptions = Object.keys(options).length > 0;
  return ['savepoint', name, ...Object.values(words).map(argumentUsage), ...(hasOptions ? ['[options]'] : [])].join(
    ' ',
  );
}

/** Returns such as `-m, --message TEXT`. */
export function optionUsage(name: string, { short, value }: OptionDefinition): string {
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function argumentUsage({ label, optional, repeated, afterDashes }: ArgumentDefinition): string {
  const text = `${afterDashes === true ? '-- ' : ''}${label}${repeated === true ? '...' : ''}`;
  return optional === true || repeated === true ? `[${text}]` : text;
}
