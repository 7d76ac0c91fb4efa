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

/** Verbs that only read, the newest snapshot or any one; they and the next have a program of their own. */
export const READS_ONE: readonly string[] = ['show', 'at', 'status', 'diff', 'verify', 'ledger'];
/** Verbs that read the newest snapshots. */
export const READS_MANY: readonly string[] = ['list', 'ls', 'timeline', 'log'];
