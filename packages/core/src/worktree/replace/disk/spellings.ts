/** Which paths are one for a file system that ignores case or composition. */
import type { BytePath } from '../../../base/path.js';

export class Spellings {
  /** Of each path and all above it, by what such a file system makes of it. */
  readonly #first = new Map<string, BytePath>();
  readonly #ambiguous = new Set<string>();

  add(path: BytePath): void {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const whole = path.slice(0, end);
      const key = folded(whole);
      const first = this.#first.get(key);
      // All above it was added with the first one.
      if (first === whole) return;
      if (first === undefined) this.#first.set(key, whole);
      else this.#ambiguous.add(key);
    }
  }

  isAmbiguous(path: BytePath): boolean {
    return this.#ambiguous.size > 0 && this.#ambiguous.has(folded(path));
  }
}

function folded(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8').normalize('NFC').toLowerCase();
}
