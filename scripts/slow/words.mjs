/** The words of a campaign on the command line: all nine are asked for, helped with and refused alike. */
import { parseArgs } from 'node:util';

/** What an option can be. `usual` stands where it is not given; `say` is its line in the help. */
export const whole = (usual, say, least = 1) => ({ form: 'N', usual, say, read: (word) => readWhole(word, least) });
export const seed = () => ({
  form: 'N',
  usual: Math.floor(Math.random() * 1_000_000),
  unsaid: 'another one each time, and printed',
  say: 'where chance starts: the same seed plays the same again',
  read: (word) => readWhole(word, 0),
});
export const oneOf = (names, say) => ({
  form: 'NAME',
  unsaid: 'all',
  say: `${say}: ${names.join(', ')}`,
  read: (word) => (names.includes(word) ? word : undefined),
});

/**
 * Returns the options by name and the `parts` that were asked for (all of `usualParts` where none was). Prints the help for
 * `--help` and ends the process with 0; for words that it does not know with 2, before anything is begun: a campaign that did
 * nothing must not look like one that found nothing.
 */
export function readWords({ command, about, options = {}, parts = {}, usualParts = [] }) {
  const help = helpText({ command, about, options, parts, usualParts });
  const parsed = parse({ options, parts, help });
  if (parsed.values.help === true) {
    console.log(help);
    process.exit(0);
  }
  const values = Object.entries(options).map(([name, { usual, read, say }]) => {
    const word = parsed.values[name];
    const value = word === undefined ? usual : read(word);
    if (word !== undefined && value === undefined) refuse(`--${name} cannot be "${word}" (${say}).`, help);
    return [name, value];
  });
  const asked = parsed.positionals;
  const unknown = asked.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) refuse(`There is no part called "${unknown}".`, help);
  return { ...Object.fromEntries(values), parts: asked.length === 0 ? usualParts : asked };
}

function parse({ options, parts, help }) {
  const strings = Object.keys(options).map((name) => [name, { type: 'string' }]);
  try {
    return parseArgs({
      options: { ...Object.fromEntries(strings), help: { type: 'boolean', short: 'h' } },
      allowPositionals: Object.keys(parts).length > 0,
    });
  } catch (error) {
    return refuse(error.message, help);
  }
}

function refuse(message, help) {
  console.error(`${message}\n\n${help}`);
  process.exit(2);
}

function readWhole(word, least) {
  return /^\d{1,15}$/.test(word) && Number(word) >= least ? Number(word) : undefined;
}

function helpText({ command, about, options, parts, usualParts }) {
  const rows = [
    ...Object.entries(parts),
    ...Object.entries(options).map(([name, { form, usual, unsaid = usual, say }]) => [
      `--${name} ${form}`,
      unsaid === undefined ? say : `${say} (else: ${unsaid})`,
    ]),
  ];
  const width = Math.max(...rows.map(([left]) => left.length));
  const usage = [
    `npm run ${command} --`,
    ...(Object.keys(parts).length === 0 ? [] : ['[PART]...']),
    ...Object.entries(options).map(([name, { form }]) => `[--${name} ${form}]`),
  ].join(' ');
  const end = usualParts.length === 0 ? '' : `\nWithout a part: ${usualParts.join(' and ')}.`;
  return `${about}\n\n${usage}\n\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}${end}`;
}
