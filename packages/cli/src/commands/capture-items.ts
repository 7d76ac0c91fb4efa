/** What the options of `capture` add by hand: items with their content, and savings. */
import { contextError, type BriefInput, type ItemInput, type SavingInput } from '@savepoint/core';
import path from 'node:path';
import { worktreePath } from '../arguments/values.js';
import type { Face } from '../face/command.js';

export interface ItemOptions {
  readonly file: readonly string[];
  readonly snippet: readonly string[];
  readonly command: readonly string[];
  readonly image: readonly string[];
  readonly url: string | undefined;
  readonly content: string | undefined;
  readonly heuristic: boolean;
}

/**
 * Reads the items that the options name, undefined where they name none. Commands run last, when everything else is known
 * to be there. @throws argument_missing where one of `--url` and `--content` is given alone; file_not_found
 */
export function itemsOf(face: Face, options: ItemOptions, root: string): readonly ItemInput[] | undefined {
  const { file, snippet, command, image, url, content, heuristic } = options;
  if ((url === undefined) !== (content === undefined)) {
    throw contextError('argument_missing', { command: 'capture', argument: url === undefined ? '--url' : '--content' });
  }
  const items: readonly ItemInput[] = [
    ...file.map((name) => fileItem(face, name, root)),
    ...image.map((name): ItemInput => ({ kind: 'image', path: placeOf(face, name, root), content: face.read(name) })),
    ...(url === undefined || content === undefined
      ? []
      : [{ kind: 'url', path: url, content: face.read(content) } as const]),
    ...snippet.map((text): ItemInput => ({ kind: 'snippet', content: Buffer.from(text, 'utf8') })),
    ...command.map((line) => commandItem(face, line)),
  ];
  if (items.length === 0) return undefined;
  return heuristic ? items.map((item) => ({ ...item, selection: 'heuristic' })) : items;
}

function fileItem(face: Face, name: string, root: string): ItemInput {
  const [, file = name, first, last] = /^(.+?)(?::(\d{1,9})(?:-(\d{1,9}))?)?$/s.exec(name) ?? [];
  const from = Number(first);
  return {
    kind: 'file',
    path: placeOf(face, file, root),
    content: face.read(file),
    ...(first === undefined ? {} : { range: { from, to: last === undefined ? from : Number(last) } }),
  };
}

/** Relative to the root where it is in the worktree, else absolute. */
function placeOf(face: Face, name: string, root: string): string {
  const absolute = path.resolve(face.directory, name);
  const place = worktreePath(absolute, face.directory, root);
  return place === '..' || place.startsWith('../') ? absolute : place;
}

function commandItem(face: Face, line: string): ItemInput {
  const { output, ...ran } = face.shell(line);
  return { kind: 'command', path: line, content: output, ran };
}

/**
 * Reads savings of the form `TOOL:BASELINE:SENT`, both in tokens, with the tool's own name of the saving behind it where
 * there is one; undefined where none is told. @throws argument_malformed
 */
export function savingsOf(told: readonly string[]): readonly SavingInput[] | undefined {
  if (told.length === 0) return undefined;
  return told.map((value) => {
    const [, tool, baseline, sent, id] = /^([^:]+):(\d{1,15}):(\d{1,15})(?::(.+))?$/s.exec(value) ?? [];
    if (tool === undefined)
      throw contextError('argument_malformed', {
        argument: '--saved',
        value,
        reason: 'it has the form TOOL:BASELINE:SENT, both in tokens, such as lean-ctx:12000:3000',
      });
    return { tool, baseline: Number(baseline), sent: Number(sent), ...(id === undefined ? {} : { id }) };
  });
}

/** Reads the brief, undefined where none is named. @throws argument_missing where only its snapshot is; file_not_found */
export function briefOf(
  face: Face,
  { brief, of }: { readonly brief: string | undefined; readonly of: string | undefined },
): BriefInput | undefined {
  if (brief === undefined && of !== undefined)
    throw contextError('argument_missing', { command: 'capture', argument: '--brief' });
  return brief === undefined ? undefined : { text: face.read(brief), ...(of !== undefined && { of }) };
}
