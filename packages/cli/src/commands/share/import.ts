import { importBundle } from '@savepoint/core';
import { defineCommand } from '../../face/command.js';
import { importView } from '../../views/share/import.js';

export const importCommand = defineCommand({
  name: 'import',
  summary: 'verifies a published file to its last byte, then takes its snapshots in, apart from your own',
  details: [
    'What comes from others is marked as foreign: `list --all` lists it, `show` and `diff` look into it by its id, and no rewind goes there.',
    'A signer whom you do not know is accepted as unknown, never as trusted. Importing the same file again changes nothing.',
    'A snapshot of lean-ctx (`*.ctxsnapshot.json`) is verified by its own rules and kept as it is; `show SELECTOR --slice lean-ctx` prints it.',
  ],
  arguments: {
    file: {
      label: 'FILE',
      summary: 'What `savepoint publish` wrote, or a snapshot of lean-ctx; `-` is standard input',
    },
  },
  options: { 'require-trusted': { summary: 'Refuse a signer whom you neither are nor trust' } },
  examples: [
    { command: 'savepoint import review.savepoint', does: 'Take it in' },
    { command: 'savepoint import --require-trusted review.savepoint', does: 'Only from somebody whose key has a name' },
    { command: 'savepoint list --all', does: 'Find it again' },
  ],
  exitCodes: { 14: 'The signer is not trusted, and `--require-trusted` was given', 15: 'The file was refused' },
  ops: { importBundle },
  async run({ face, arguments: { file }, options, ops }) {
    const { repository } = await face.open();
    const input = face.input(file);
    const result = await ops.importBundle({ repository, input, requireTrusted: options['require-trusted'] });
    return {
      data: result,
      changed: true,
      lines: () => importView(result, face.layout),
      quiet: () => result.snapshots.map(({ id }) => id),
    };
  },
});
