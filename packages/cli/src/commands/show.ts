import { show, showFile, showSlice } from '@savepoint/core';
import { AT_OPTION } from '../arguments/definition.js';
import { given, oneOf, worktreePath } from '../arguments/values.js';
import { defineCommand, type Outcome } from '../face/command.js';
import { fileOutcome } from '../face/file-outcome.js';
import { showView } from '../views/show.js';

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
    file: { value: 'PATH', summary: 'Write the bytes of one file to standard output; `transcript` for the log' },
    files: { summary: 'Also list the files' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint show', does: 'The newest snapshot' },
    { command: 'savepoint show 9f2c --file src/app.ts > app.ts', does: 'Get one file back' },
    { command: 'savepoint show tag:safe --slice filesystem', does: 'One slice' },
  ],
  ops: { show, showSlice, showFile },
  async run({ face, arguments: words, options, ops }): Promise<Outcome> {
    const { selector } = words;
    const { slice, file, files, at } = options;
    oneOf('show', slice && '--slice', file && '--file');
    const { repository } = await face.open();
    const request = { repository, ...given({ selector, at }) };
    if (slice !== undefined) {
      const data = await ops.showSlice({ ...request, slice });
      return { data, lines: () => JSON.stringify(data, undefined, 2).split('\n') };
    }
    if (file !== undefined) {
      const path = worktreePath(file, face.directory, repository.worktree.root);
      return fileOutcome(path, await ops.showFile({ ...request, path }), face.globals.json);
    }
    const result = await ops.show({ ...request, files });
    return { data: result, lines: () => showView(result, face.layout), quiet: () => [result.id] };
  },
});
