/** Appending to a chain to which other processes of the same user append, too. */
import { ContextError } from '../base/errors.js';

// Each lost race means that another one succeeded.
const ATTEMPTS = 50;

/** Tries again while others are faster. `append` reads anew where the chain ends. @throws head_moved if others kept winning the race */
export async function winRace<T>(append: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await append();
    } catch (error) {
      const lost = error instanceof ContextError && error.code === 'head_moved';
      if (!lost || attempt >= ATTEMPTS) throw error;
    }
  }
}
