import { contextError, uninstall } from '@savepoint/core';
import { defineCommand } from '../face/command.js';
import { initView } from '../views/init.js';

export const uninstallCommand = defineCommand({
  name: 'uninstall',
  summary: 'removes the hook that `init` installed, byte for byte; snapshots stay',
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint uninstall', does: 'Leave the hooks as they were' }],
  exitCodes: { 3: 'The hook could not be removed; why is listed' },
  ops: { uninstall },
  async run({ face, ops }) {
    const { repository, hooks } = await face.open();
    const result = await ops.uninstall({ repository, hooks });
    const left = result.hooks.filter(({ installed }) => installed);
    return {
      data: result,
      changed: true,
      lines: () => initView(result, face.layout),
      notes: result.hooks.flatMap(({ installed, problem }) => (!installed && problem !== undefined ? [problem] : [])),
      problems: left.map(({ hook, problem }) =>
        contextError('hook_incomplete', { hook, reason: problem ?? 'it is still installed' }),
      ),
    };
  },
});
