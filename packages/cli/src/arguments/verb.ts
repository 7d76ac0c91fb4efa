/** Where the verb stands on a command line. It imports nothing: the start of every command reads it. */

/** Everyday words that may stand before a verb and change nothing: `savepoint checkpoint list` is `savepoint list`. */
export const FILLER_WORDS: readonly string[] = ['snapshot', 'checkpoint'];

// Options whose value is the next word. `--at` belongs to the verbs that read, but people also write it before the verb.
const TAKES_NEXT_WORD = /^(?:--at|--directory|-[A-Za-z]*C)$/;

/** Returns the index of the first word that is neither a global option nor its value. */
export function verbPosition(words: readonly string[]): number {
  let at = 0;
  while (at < words.length && words[at]?.startsWith('-') === true && words[at] !== '--') {
    at += TAKES_NEXT_WORD.test(words[at] ?? '') ? 2 : 1;
  }
  return at;
}

/** The verb that proves a snapshot or a file; it has a program of its own. */
export const PROVES = 'verify';
/** Verbs that look at one snapshot; they and the next have a program of their own. */
export const LOOKS_AT_ONE: readonly string[] = ['show', 'at'];
/** Verbs that look at the newest snapshots. */
export const LOOKS_AT_MANY: readonly string[] = ['list', 'ls', 'timeline', 'log'];
/** So many they show where no option says it: as many as fit a look. */
export const USUAL_LIMIT = 50;
/** Verbs that read a snapshot, mostly the newest, and more than snapshots. */
export const READS_MORE: readonly string[] = ['diff', 'status', 'ledger'];
