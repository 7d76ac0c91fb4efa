import { contextError, show, showFile, showItem, showSlice, showWindow } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { given, onlyOne, worktreePath } from '../../arguments/values.js';
import { defineCommand, type Outcome } from '../../face/command.js';
import { fileOutcome } from '../../face/file-outcome.js';
import { showView } from '../../views/read/show.js';
import { windowView } from '../../views/read/window.js';

export const showCommand = defineCommand({
  name: 'show',
  summary: 'shows the whole state behind one snapshot',
  details: [
    'A selector is an id or its beginning, `head`, `seq:12`, `commit:abc`, `tag:x`, `before:SELECTOR`, an ISO time, or words such as "2 hours ago".',
    'Paths are relative to the root of the worktree; one that starts with `./` or `../` is meant from where you stand.',
  ],
  arguments: { selector: { label: 'SELECTOR', summary: 'Which snapshot; without it the head', optional: true } },
  options: {
    slice: { value: 'NAME', summary: 'Print one slice as JSON' },
    file: {
      value: 'PATH',
      summary: 'Write the bytes of one file to standard output; `transcript` or `transcript/NAME` for a log',
    },
    files: { summary: 'Also list the files' },
    window: { summary: 'Show what the model had before it' },
    item: { value: 'ID', summary: 'Write the exact bytes of one item to standard output' },
    sent: { summary: 'With `--item`: as it stood before the model, such as a file with line numbers' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint show', does: 'The newest snapshot' },
    { command: 'savepoint show 9f2c --file src/app.ts > app.ts', does: 'Get one file back' },
    { command: 'savepoint show tag:safe --slice filesystem', does: 'One slice' },
    { command: 'savepoint show head --window', does: 'What the model saw' },
  ],
  ops: { show, showSlice, showFile, showWindow, showItem },
  async run({ face, arguments: words, options, ops }): Promise<Outcome> {
    const { selector } = words;
    const { slice, file, files, at, window, item, sent } = options;
    onlyOne('show', { '--slice': slice, '--file': file, '--window': window, '--item': item });
    if (sent && item === undefined) throw contextError('argument_missing', { command: 'show', argument: '--item' });
    const { repository } = await face.look();
    const request = { repository, ...given({ selector, at }) };
    if (slice !== undefined) {
      const data = await ops.showSlice({ ...request, slice });
      return { data, lines: () => JSON.stringify(data, undefined, 2).split('\n') };
    }
    if (file !== undefined) {
      const path = worktreePath(file, face.directory, repository.worktree.root);
      return fileOutcome(path, await ops.showFile({ ...request, path }), face.globals.json);
    }
    if (window) {
      const data = await ops.showWindow(request);
      return { data, lines: () => windowView(data, face.layout) };
    }
    if (item !== undefined) {
      const bytes = await ops.showItem({ ...request, item, sent });
      return fileOutcome(item, once(bytes), face.globals.json);
    }
    const result = await ops.show({ ...request, files });
    return { data: result, lines: () => showView(result, face.layout), quiet: () => [result.id] };
  },
});

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
