/** Text that looks and compresses like source code and prose, the same for the same seed. */

const NAMES =
  'account action address agent amount anchor answer archive array batch block body branch buffer build bundle cache call capture case change channel check child chunk client clock code column command commit config content context count cursor data date default delta depth detail digest draft edge edit element empty encode entry error event field file filter first flag folder format frame graph group handle hash head header height history host index input item journal key label last layer length level limit line link list load lock log main map mark match member memory merge message method mode model month name next node note number object offset open option order output owner page parent part path patch pattern peak place point pool port prefix price query queue range rate reader record ref region request result retry root route row rule sample scale scan schema scope search sector section seed select session setting shape sign size slice slot sort source span stage start state status step store stream string style subject suffix summary table tag target task text theme time title token total trace track tree trigger type unit update user value vector version view watch weight width window word worker writer zone'.split(
    ' ',
  );
const PROSE =
  'the a of to and in that is it for was on are as with this be at by from or have an they which one had not but what all were when we there can your said if do will each about how up out them then she many some so these would other into has more two like him see could no make than first been its who now people my made over did down only way find use may long little very after words called just where most know'.split(
    ' ',
  );
const VERBS =
  'add apply build check close collect compare copy count create decode drop emit fetch find flush format get join keep list load make merge move open parse pick print push read remove render resolve save send set skip sort split start store sync take trim update visit walk write'.split(
    ' ',
  );

/** Returns numbers in [0, 1), the same sequence for the same seed (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random, low, high) => low + Math.floor(random() * (high - low + 1));

export function hexDigits(random, count) {
  let digits = '';
  while (digits.length < count)
    digits += Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return digits.slice(0, count);
}

// Words at the beginning of a list are more frequent, as words are.
const word = (random, list) => list[Math.floor(list.length * random() ** 2)];
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Returns source code of at least so many characters, in whole lines. */
export function sourceText(random, characters) {
  const lines = [];
  const name = () => word(random, NAMES);
  const verb = () => word(random, VERBS);
  const own = () => `${verb()}${capital(name())}`;
  const forms = [
    () => `export function ${own()}(${name()}: ${capital(name())}, ${name()}Count: number): ${capital(name())} {`,
    () => `  const ${name()}${capital(name())} = await ${own()}(${name()}.${name()}, ${between(random, 0, 4096)});`,
    () => `  if (${name()}.${name()}Length > ${between(random, 1, 99)}) return ${own()}(${name()});`,
    () =>
      `  for (const ${name()} of ${name()}.${name()}s) ${own()}(${name()}, '${name()}-${between(random, 1, 999)}');`,
    () => `  // ${capital(prose(random, 40)).slice(0, 90)}`,
    () => `    ${name()}: ${name()}.${own()}(),`,
    () => `  throw new ${capital(name())}Error(\`${prose(random, 20)} \${${name()}}\`);`,
    () => '}',
    () => '',
  ];
  for (let length = 0; length < characters;) {
    const line = forms[Math.floor(random() * forms.length)]();
    lines.push(line);
    length += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}

/** Returns words of at least so many characters. */
export function prose(random, characters) {
  const words = [];
  for (let length = 0; length < characters;) {
    const next = random() < 0.6 ? word(random, PROSE) : word(random, NAMES);
    words.push(random() < 0.08 ? `${next}.` : next);
    length += next.length + 1;
  }
  return words.join(' ');
}
