/** Items that can be added by hand: refused before anything is done where a snapshot has no place for them. */
import { contextError } from '../../base/errors.js';
import type { ItemInput } from '../../timeline/save/records/hand-items.js';
import { redactText } from '../../redact/redactor.js';

/** A capture takes in at most this many items. */
const MOST_ITEMS = 1000;
const LONGEST_PATH = 4096;

/** @throws argument_malformed */
export function checkItems(items: readonly ItemInput[], maxBytes: number): void {
  if (items.length === 0 || items.length > MOST_ITEMS) refuse('items', 'one to a thousand can be added at a time');
  for (const { kind, path, content, range } of items) {
    const name = path ?? kind;
    if (path !== undefined && (path === '' || path.length > LONGEST_PATH || /[\0\p{Surrogate}]/u.test(path)))
      refuse(name, `its name is empty, longer than ${String(LONGEST_PATH)} characters or no text`);
    if (content.length > maxBytes) refuse(name, `it has more than ${String(maxBytes)} bytes (capture.maxFileBytes)`);
    if (range === undefined) continue;
    if (kind !== 'file') refuse(name, 'only a file has lines');
    const { from, to } = range;
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 1 && from <= to))
      refuse(name, 'its lines do not go from a number above 0 to one that is not smaller');
  }
}

function refuse(name: string, reason: string): never {
  const value = JSON.stringify(redactText(name.slice(0, 100)).text);
  throw contextError('argument_malformed', { argument: 'an item', value, reason });
}
