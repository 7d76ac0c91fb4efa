import { contextError, init } from '@savepoint/core';
import { defineCommand } from '../face/command.js';
import { initView } from '../views/init.js';

export const initCommand = defineCommand({
  name: 'init',
  summary: 'installs the pre-push hook that keeps local snapshots from being pushed',
  details: ['Hooks that are there are kept and called after it. `savepoint uninstall` reverses it byte for byte.'],
  arguments: {},
  options: {},
  examples: [{ command: 'savepoint init', does: 'Guard this repository' }],
  exitCodes: { 3: 'The hook could not be installed; why is listed' },
  ops: { init },
  async run({ face, ops }) {
    const { repository, hooks } = await face.open();
    const result = await ops.init({ repository, hooks });
    const open = result.hooks.filter(({ installed }) => !installed);
    return {
      data: result,
      changed: true,
      lines: () => initView(result, face.layout),
      notes: result.hooks.flatMap(({ installed, problem }) => (installed && problem !== undefined ? [problem] : [])),
      problems: open.map(({ hook, problem }) =>
        contextError('hook_incomplete', { hook, reason: problem ?? 'it was not installed' }),
      ),
    };
  },
});
