/** Shell scripts that complete verbs, their words and their options; made from the definitions, asking nothing at run time. */
import {
  GLOBAL_OPTIONS,
  type CommandDefinition,
  type GroupDefinition,
  type OptionDefinitions,
} from '../arguments/definition.js';
import { topWords } from '../arguments/find-command.js';

export type Shell = 'bash' | 'zsh' | 'fish';

interface Known {
  readonly commands: readonly CommandDefinition[];
  readonly groups: readonly GroupDefinition[];
}

/** What may follow a verb: the words of a group or the choices of an argument, and options. */
interface VerbWords {
  readonly verb: string;
  readonly words: readonly string[];
  readonly options: readonly string[];
}

export function completionScript(shell: Shell, known: Known): string {
  return shell === 'fish' ? fishScript(known) : shell === 'zsh' ? zshScript(known) : bashScript(known);
}

function bashScript(known: Known): string {
  const top = [...topWords(known.commands, known.groups), 'snapshot', 'checkpoint'];
  return `# savepoint completion for bash: eval "$(savepoint completion bash)"
_savepoint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="" verb="" group="" index word
  ((COMP_CWORD > 0)) && previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  case "$previous" in
    -C | --directory) COMPREPLY=($(compgen -d -- "$current")); return ;;
    ${fileOptions(known).join(' | ')}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      -C | --directory | --at) ((index++)) ;;
      -*) ;;
      snapshot | checkpoint) ;;
      ${known.groups.map(({ name }) => name).join(' | ')}) if [[ -z "$verb" ]]; then verb="$word"; group="$word"; fi ;;
      *) if [[ -z "$verb" ]]; then verb="$word"; elif [[ "$verb" == "$group" ]]; then verb="$group $word"; fi ;;
    esac
  done
  local words="" options="${globalNames().join(' ')}"
  case "$verb" in
    "") words="${top.join(' ')}" ;;
${verbWords(known).map(bashCase).join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _savepoint savepoint
`;
}

function bashCase({ verb, words, options }: VerbWords): string {
  const set = words.length === 0 ? '' : `words="${words.join(' ')}" `;
  return `    "${verb}") ${set}options="$options ${options.join(' ')}" ;;`;
}

// zsh runs the same function through its own emulation of bash completion.
function zshScript(known: Known): string {
  return `# savepoint completion for zsh: eval "$(savepoint completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bashScript(known)}`;
}

function fishScript({ commands, groups }: Known): string {
  const verbs = commands.filter(({ name }) => !name.includes(' '));
  const lines = [
    '# savepoint completion for fish: savepoint completion fish | source',
    'complete -c savepoint -f',
    ...[...verbs, ...groups].map(
      ({ name, summary }) => `complete -c savepoint -n __fish_use_subcommand -a ${name} -d ${fishQuoted(summary)}`,
    ),
    ...fishOptions(GLOBAL_OPTIONS, ''),
    ...commands.flatMap((command) => fishCommand(command)),
  ];
  return `${lines.join('\n')}\n`;
}

function fishCommand({ name, summary, options, arguments: words }: CommandDefinition): readonly string[] {
  const [first = '', second] = name.split(' ');
  const seen = `__fish_seen_subcommand_from ${first}`;
  const own = second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
  const choices = Object.values(words).flatMap(({ choices: list }) => list ?? []);
  return [
    ...(second === undefined ? [] : [`complete -c savepoint -n '${seen}' -a ${second} -d ${fishQuoted(summary)}`]),
    ...choices.map((choice) => `complete -c savepoint -n '${seen}' -a ${choice}`),
    ...fishOptions(options, ` -n '${own}'`),
  ];
}

function fishOptions(options: OptionDefinitions, condition: string): readonly string[] {
  return Object.entries(options).map(([name, { short, value, summary }]) => {
    const letter = short === undefined ? '' : ` -s ${short}`;
    const argument = value === undefined ? '' : isFile(value) ? ' -r -F' : ' -x';
    return `complete -c savepoint${condition} -l ${name}${letter}${argument} -d ${fishQuoted(summary)}`;
  });
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function verbWords({ commands, groups }: Known): readonly VerbWords[] {
  const ofGroups = groups.map(({ name, standsFor }): VerbWords => {
    const members = commands.filter((command) => command.name.startsWith(`${name} `));
    const bare = commands.find((command) => command.name === standsFor);
    const words = members.map((command) => command.name.slice(name.length + 1));
    return { verb: name, words, options: names(bare?.options ?? {}) };
  });
  const ofCommands = commands.flatMap(({ name, aliases = [], options, arguments: words }) =>
    [name, ...aliases].map((verb): VerbWords => {
      const choices = Object.values(words).flatMap(({ choices: list }) => list ?? []);
      const verbs = name === 'help' ? topWords(commands, groups) : [];
      return { verb, words: [...choices, ...verbs], options: names(options) };
    }),
  );
  return [...ofGroups, ...ofCommands];
}

function names(options: OptionDefinitions): readonly string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short === undefined ? [] : [`-${short}`]),
  ]);
}

function globalNames(): readonly string[] {
  return names(GLOBAL_OPTIONS);
}

function isFile(value: string): boolean {
  return value === 'FILE' || value === 'PATH' || value === 'DIR';
}

function fileOptions({ commands }: Known): readonly string[] {
  const all = commands.flatMap(({ options }) => Object.entries(options));
  return [...new Set(all.filter(([, { value }]) => value === 'FILE' || value === 'PATH').map(([name]) => `--${name}`))];
}
