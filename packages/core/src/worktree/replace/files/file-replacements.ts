/**
 * The Replacements of a worktree on a real file system. Every capture asks whether one is open, and nearly none makes one:
 * what does the work is loaded when it is needed.
 */
import { JournalFiles } from '../journal/journal.js';
import type { OpenReplacement, Replacements } from '../replacement.js';
import type { ReplacePlace } from './replace-place.js';

export function fileReplacements(place: ReplacePlace): Replacements {
  const journals = new JournalFiles(place.disk, place.journalDirectory);
  return {
    prepare: async (request) =>
      (await import('./begin.js')).prepare({ place, journals, content: request.content }, request),
    hasRemains: () => journals.readHead() !== undefined,
    find: () => Promise.resolve(find(place, journals)),
    open: async (content) => (await import('./begin.js')).openLeft({ place, journals, content }),
  };
}

function find({ lease }: ReplacePlace, journals: JournalFiles): OpenReplacement | undefined {
  const found = journals.readHead();
  if (found === undefined) return undefined;
  const holder = lease.holder();
  const { stage, head } = found;
  if (stage === 'taken_back' && holder === undefined) return undefined;
  const { id, createdAt, note } = head;
  return {
    id,
    createdAt,
    note,
    applied: stage === 'applied' || stage === 'returning',
    ...(holder === undefined ? {} : { holder }),
  };
}
