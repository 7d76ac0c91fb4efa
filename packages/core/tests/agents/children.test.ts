import * as path from 'node:path';
import { expect, it } from 'vitest';
import { claudeCode } from '../../src/agents/claude-code/claude-code.js';

const SESSION = '11111111-2222-4333-8444-555555555555';
const file = path.join(import.meta.dirname, `../fixtures/agents/claude/projects/-home-dev-repo/${SESSION}.jsonl`);

it('the logs of subagents belong to the session that began them', async () => {
  const agent = claudeCode({ configDirectory: undefined });
  const location = { agent: agent.name, session: SESSION, file, modified: 0 };
  const children = await agent.childrenOf(location);
  expect(children.map(({ session, parent }) => [session, parent])).toEqual([['agent-a8510ad433299cb3e', SESSION]]);
  expect(await agent.childrenOf({ ...location, file: '/nowhere/x.jsonl' })).toEqual([]);
});
