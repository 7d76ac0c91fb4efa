/** Which logs are a worktree's, whose session a log is of, and what its agent is doing. */
import { mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentAdapter } from '@savepoint/core';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../repositories/temporary.js';
import type { AgentCase } from './bench.js';

interface Place {
  readonly adapter: AgentAdapter;
  readonly root: string;
  /** Writes the recorded log as a session's that runs in a directory. */
  readonly install: (session: string, directory: string, at?: number) => string;
}

function placeOf(agent: AgentCase): Place {
  const outer = temporaryDirectory();
  const [home, root] = [path.join(outer, 'home'), path.join(outer, 'a project')];
  mkdirSync(root);
  const [log] = agent.logs;
  const text = readFileSync(log.file, 'utf8');
  return {
    adapter: agent.adapter(home),
    root,
    install: (session, directory, at = 1000) => {
      const file = path.join(home, agent.fileOf(session, directory));
      mkdirSync(path.dirname(file), { recursive: true });
      const moved = text.replaceAll(log.directory, JSON.stringify(directory).slice(1, -1));
      writeFileSync(file, moved.replaceAll(log.session, session));
      utimesSync(file, at, at);
      return file;
    },
  };
}

const ID = (n: number): string => `0000000${String(n)}-2222-4333-8444-555555555555`;

export function placeRules(agent: AgentCase): void {
  test('logs of a worktree are those written to since, newest first, also of sessions that began below', async () => {
    const { adapter, root, install } = placeOf(agent);
    const names = async (since: number): Promise<readonly string[]> =>
      (await adapter.transcriptsOf(root, since)).map(({ session }) => session);
    expect(await names(0)).toEqual([]);
    install(ID(1), root, 100);
    install(ID(2), path.join(root, 'deep/er'), 300);
    install(ID(3), root, 200);
    expect(await names(0)).toEqual([ID(2), ID(3), ID(1)]);
    expect(await names(200_000)).toEqual([ID(2), ID(3)]);
    expect(await names(300_001)).toEqual([]);
  });

  test("another project's logs are none of a worktree's, nor those of a repository inside it", async () => {
    const { adapter, root, install } = placeOf(agent);
    const inner = path.join(root, 'inner');
    mkdirSync(path.join(inner, '.git'), { recursive: true });
    install(ID(1), `${root}-2`);
    install(ID(2), path.dirname(root));
    install(ID(3), path.join(inner, 'src'));
    expect(await adapter.transcriptsOf(root, 0)).toEqual([]);
  });

  test('a recorded log is of its session, wherever it lies', async () => {
    const { adapter } = placeOf(agent);
    for (const { file, session } of agent.logs)
      expect(await adapter.identify(file)).toMatchObject({ agent: agent.name, session, file });
  });

  test('a log that was cut to nothing where the agent keeps it is still of its session', async () => {
    const { adapter, root, install } = placeOf(agent);
    const file = install(ID(1), root);
    truncateSync(file, 0);
    expect(await adapter.identify(file)).toMatchObject({ agent: agent.name, session: ID(1), file });
  });

  test("a stranger's log, an empty one, a broken one and none are of no session", async () => {
    const { adapter, root } = placeOf(agent);
    const broken = path.join(root, 'broken.jsonl');
    for (const content of ['', '\n', '{"type":', '[1]\n', 'null\n', Buffer.from([0, 255, 10])]) {
      writeFileSync(broken, content);
      expect(await adapter.identify(broken)).toBeUndefined();
    }
    for (const file of [...agent.strangers, root, path.join(root, 'nowhere.jsonl')])
      expect(await adapter.identify(file)).toBeUndefined();
  });

  test('a session whose last turn is done does nothing, and a log that is gone says nothing', async () => {
    const { adapter, root, install } = placeOf(agent);
    const file = install(ID(1), root);
    const location = { agent: agent.name, session: ID(1), file, modified: 0 };
    const { inTurn, began, written } = await adapter.activityOf(location, 0);
    expect(inTurn).toBe(false);
    expect(began).toBeLessThan(Date.parse('2100-01-01'));
    for (const one of written) expect(path.isAbsolute(one)).toBe(true);
    const gone = await adapter.activityOf({ ...location, file: `${file}.gone` }, 0);
    expect(gone.inTurn).toBe(false);
    expect([...gone.written]).toEqual([]);
  });
}
