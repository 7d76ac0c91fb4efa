import { contextError, publish } from '@savepoint/core';
import { commaList, given, worktreePath } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { publishView } from '../../views/share/publish.js';

export const publishCommand = defineCommand({
  name: 'publish',
  summary: 'writes one signed file of a snapshot that others can import and verify, with no secret in it',
  details: [
    'All slices leave but the worktree and what is staged; whatever stays here is named in the file as withheld.',
    'Everything that would leave is searched for secrets once more: a file with one stays here, and one in the message or the tags refuses.',
    'A file of the worktree leaves only by its name, together with the names of the files beside it, which prove where it stood.',
  ],
  arguments: { selector: { label: 'SELECTOR', summary: 'Which snapshot; without it the head', optional: true } },
  options: {
    out: {
      short: 'o',
      value: 'FILE',
      summary: 'Write to this file, or `-`; without it to `ID.savepoint` where you stand',
    },
    slice: { short: 's', value: 'NAME', repeated: true, summary: 'Only this slice; can be repeated' },
    file: { value: 'PATH', repeated: true, summary: 'Also this file of the worktree; can be repeated' },
    format: { value: 'FORMAT', summary: 'Which format of file: `bundle`, which it is without this, or `lean-ctx`' },
    'dry-run': { short: 'n', summary: 'Only list what would leave and what would not' },
  },
  examples: [
    { command: 'savepoint publish --dry-run', does: 'See what would leave' },
    { command: 'savepoint publish 9f2c --out review.savepoint', does: 'A file for a colleague' },
    { command: 'savepoint publish --slice transcript --file src/app.ts', does: 'The log and one file' },
  ],
  exitCodes: {
    3: 'It was published without files in which secrets were found; they are listed',
    17: 'Nothing left this machine',
  },
  ops: { publish },
  async run({ face, arguments: words, options, ops }) {
    const { out, slice, file, format } = options;
    const dryRun = options['dry-run'];
    const isStandard = out === '-' && !dryRun;
    if (isStandard && face.globals.json)
      throw contextError('argument_unexpected', { command: 'publish --json', argument: '--out -' });
    const { repository } = await face.open();
    const { root } = repository.worktree;
    let written = '';
    const result = await ops.publish({
      repository,
      dryRun,
      ...given({ selector: words.selector, format, slices: slice.length === 0 ? undefined : commaList(slice) }),
      files: file.map((path) => worktreePath(path, face.directory, root)),
      output: (name) => {
        written = out ?? name;
        return face.output(written);
      },
    });
    const { shortId: snapshot, secrets } = result;
    const place = dryRun ? {} : { out: written };
    return {
      data: { ...result, ...place },
      lines: () => (isStandard ? [] : publishView({ ...result, ...place }, face.layout)),
      quiet: () => (isStandard || written === '' ? [] : [written]),
      problems: secrets === 0 ? [] : [contextError('parts_withheld', { snapshot, count: secrets })],
    };
  },
});
