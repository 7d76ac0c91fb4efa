import { contextError, diff, type ContextError, type DiffResult } from '@savepoint/core';
import { AT_OPTION, PATHS0_OPTION } from '../../arguments/definition.js';
import { given, listedPaths, worktreePath } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { diffView, type DiffForm } from '../../views/read/diff.js';

export const diffCommand = defineCommand({
  name: 'diff',
  summary: 'shows what differs between two snapshots, or a snapshot and the present worktree',
  details: [
    'The text form shows patches; control characters in them are written as escapes. `--json` has the files, and with `--patch` their exact patches.',
  ],
  arguments: {
    from: { label: 'A', summary: 'The snapshot to compare from' },
    to: { label: 'B', summary: 'The snapshot to compare with; without it the present worktree', optional: true },
    paths: { label: 'PATH', summary: 'Only these files and directories', repeated: true, afterDashes: true },
  },
  options: {
    patch: { short: 'p', summary: 'Show the changed lines (always so in text, unless another form is asked for)' },
    stat: { summary: 'Show one line for each file' },
    'name-only': { summary: 'Show only the names' },
    paths0: PATHS0_OPTION,
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint diff head', does: 'What changed since the newest snapshot' },
    { command: 'savepoint diff "2 hours ago" head --stat', does: 'A summary of the last two hours' },
    { command: 'savepoint diff tag:safe -- src', does: 'Only one directory' },
  ],
  exitCodes: { 15: 'Content of a file is not in the store any more, so that it was not compared; the file is named' },
  ops: { diff },
  async run({ face, arguments: words, options, ops }) {
    const { at } = options;
    // Seen from an earlier snapshot, the present worktree does not exist yet: that snapshot stands for it.
    const to = words.to ?? at;
    const form: DiffForm = options['name-only'] ? 'names' : options.stat ? 'stat' : 'patch';
    const listed = listedPaths(options.paths0, words.paths, (file) => face.read(file));
    const { repository } = await face.open();
    const { root } = repository.worktree;
    const paths = [...words.paths.map((name) => worktreePath(name, face.directory, root)), ...listed];
    const patch = options.patch || (form === 'patch' && !face.globals.json);
    const result = await ops.diff({
      repository,
      from: words.from,
      patch,
      namesOnly: form === 'names',
      ...given({ to, at }),
      ...(paths.length > 0 && { paths }),
    });
    return {
      data: result,
      lines: () => diffView(result, face.layout, form),
      problems: lostObjects(result),
    };
  },
});

/** Of a snapshot all content is in the store: what is not is damage, and no difference of it is told. */
function lostObjects({ files }: DiffResult): readonly ContextError[] {
  return files.flatMap(({ path, before, after }) =>
    [before, after]
      .filter((side) => side !== undefined && side.mode !== 'submodule' && side.bytes === undefined)
      .map((side) => contextError('object_missing', { object: side?.blob ?? '', owner: path })),
  );
}
