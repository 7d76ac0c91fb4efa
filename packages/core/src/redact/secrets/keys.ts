/** Judges the name of a field or variable: does its value hold a secret, must it stay for a replay, or neither? */

export type KeyRule = 'plain' | 'identifier' | 'random' | 'secret';

export interface KeyClass {
  /**
   * `secret`: the whole value goes. `identifier`: an id or a digest, only tokens with a provider's prefix go. `random`: the
   * same, and the value is base64 in which such a prefix must stand free.
   */
  readonly rule: KeyRule;
  /** Kind of the replacement for `secret`. */
  readonly kind: string;
  /** True for passwords, whose values may look harmless; false for tokens, which never do. */
  readonly password: boolean;
  /** True for `pwd`, which is a password or the working directory. */
  readonly mayBePath?: boolean;
}

/** What a value without a key, or with one that says nothing, is judged by. */
export const PLAIN: KeyClass = { rule: 'plain', kind: '', password: false };
const IDENTIFIER: KeyClass = { rule: 'identifier', kind: '', password: false };
const RANDOM: KeyClass = { rule: 'random', kind: '', password: false };

export const LONGEST_KEY = 64;

const LAST_RANDOM = /(?:signature|signatures|ciphertext|certificate|(?:signature|digest|cipher) value)$/;
const ANY_RANDOM = /(?:^| )(?:encrypted|opaque)(?: |$)/;
const LAST_IDENTIFIER =
  /(?:^| )(?:id|ids|uuid|uuids|guid|hash|hashes|digest|checksum|sha|sha ?\d+|md5|commit|blob|oid|integrity|cursor|etag|fingerprint)$/;

const PASSWORD = /(?:password|passwords|passwd|passphrase|passcode|(?:^| )pwd|(?:^| )pass)(?: |$)/;
const SECRET = new RegExp(
  '(?:' +
    [
      '(?:secret|token|apikey|secretkey|accesskey|privatekey|credential|credentials)',
      '(?:^| )(?:secrets|cookie|set cookie|authorization|connection ?string)',
      '(?:^| )(?:api|access|private|secret|auth|encryption|signing|account|master|storage|service|deploy|license|shared ?access) ?keys?',
    ].join('|') +
    ')(?: |$)',
);

// What a key *about* a secret ends in: where it lies, how long it is, what it is called.
const HARMLESS_LAST = new Set(
  (
    'url uri path file filename dir name type count counts length len size limit budget max min policy expiry expires ' +
    'expiration ttl age endpoint host port enabled disabled required optional usage format prefix suffix field label hint ' +
    'prompt placeholder status state version source store stdin env reset change changed strength regex pattern rules index ' +
    'position offset ids range ranges list map provider manager service class scope scopes kind title text description ' +
    'message error input command algorithm header param parameter arn ref mode valid validation arg args'
  ).split(' '),
);
const MOST_WORDS = 8;
// `Unexpected_token_Did_you_mean_1382` is a message.
const HARMLESS_FIRST = /(?:^| )(?:unexpected|expected|invalid|missing|unknown) (?:[a-z]+ )?token/;
const HARMLESS =
  /(?:^| )(?:(?:next|page|continuation|sync|resume|eos|bos|pad|unk|sep|cls|mask|stop|special|first|last|per|max|min|total|num|n|time to first|inter|prev|previous|current|start|end|image|audio|text|input|output|string|number|keyword|punctuation) token|(?:by|first|second|one|two|multi|single|all|no|build|render|shader|compute|bi|low|high|band) pass)$/;

const known = new Map<string, KeyClass>();
const MOST_KNOWN = 4096;

/** Returns what a key says about its value. */
export function classifyKey(key: string): KeyClass {
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const judged = key === '' || key.length > LONGEST_KEY ? PLAIN : judge(key);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, judged);
  return judged;
}

function judge(key: string): KeyClass {
  // Of `spring.datasource.password` the last part counts; `token.value` is about something else.
  const words = key
    // The kind in a marker says nothing about the value.
    .replace(/\[REDACTED:[a-z0-9-]{1,40}\]/g, '')
    .replace(/^.*\.(?=[^.])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  if (ANY_RANDOM.test(words) || LAST_RANDOM.test(words)) return RANDOM;
  if (LAST_IDENTIFIER.test(words)) return IDENTIFIER;
  if (key === 'PWD' || /^old ?pwd$/.test(words)) return PLAIN;
  const password = PASSWORD.test(words);
  if (!password && !SECRET.test(words)) return PLAIN;
  if (HARMLESS_LAST.has(words.slice(words.lastIndexOf(' ') + 1)) || HARMLESS.test(words)) return PLAIN;
  if (HARMLESS_FIRST.test(words) || words.split(' ').length > MOST_WORDS) return PLAIN;
  return { rule: 'secret', kind: kindOf(words), password, mayBePath: words === 'pwd' };
}

function kindOf(words: string): string {
  if (words.includes('authorization')) return 'authorization';
  if (words.includes('cookie')) return 'cookie';
  if (/aws secret|(?:^| )secret access key/.test(words)) return 'aws-secret-key';
  if (/account ?key|shared ?access ?key/.test(words)) return 'azure-key';
  return 'assignment';
}

/** Tells whether a value is the path that a key such as `pwd` may stand for. */
export function isPathOf({ mayBePath }: KeyClass, value: string): boolean {
  return mayBePath === true && /^(?:[A-Za-z]:[\\/]|~?\/|\.)/.test(value);
}
