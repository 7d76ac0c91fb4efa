import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitStore } from '../../../src/store/git/git-store.js';
import { storeInGit } from './fixture.js';

/** The real git, but for the option that versions before 2.36 do not know; it notes what it was asked for. */
const OLDER = `#!/bin/sh
printf '%s\\n' "$*" >> "$OLDER_GIT_LOG"
for word; do [ "$word" = --batch-command ] && { echo "error: unknown option \\\`batch-command'" >&2; exit 129; }; done
PATH=\${PATH#*:} exec git "$@"
`;

describe('a store with a git from before --batch-command', () => {
  test('reads, streams and looks up as with any other, and asks for what it does not know once', async () => {
    const bench = storeInGit();
    const writer = bench.store.writer();
    const blob = await writer.blob(Buffer.from('content\n'));
    const set = [{ path: 'a', mode: '100644' as const, id: blob }];
    const folders = [{ folder: 'worktree', remove: [], set }];
    const { id } = await writer.commit({ ref: 'timelines/a', message: 'one', folders, seal: () => new Map() });

    const folder = bench.fixture.path('.git', 'older');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'git'), OLDER);
    chmodSync(path.join(folder, 'git'), 0o755);
    const { user } = bench.place;
    const log = path.join(folder, 'log');
    const environment = {
      ...user.environment,
      PATH: `${folder}:${user.environment['PATH'] ?? ''}`,
      OLDER_GIT_LOG: log,
    };
    const store = gitStore({ ...bench.place, user: { ...user, environment } });
    const streamed = async (name: string): Promise<string> => {
      const pieces: Uint8Array[] = [];
      for await (const piece of store.stream(name)) pieces.push(piece);
      return Buffer.concat(pieces).toString();
    };
    expect(await Promise.all([streamed(blob), streamed(blob)])).toEqual(['content\n', 'content\n']);
    expect(await store.commit(id)).toMatchObject({ id });
    expect(await store.info([blob, 'e'.repeat(40), id])).toMatchObject([
      { type: 'blob' },
      undefined,
      { type: 'commit' },
    ]);
    expect(await store.info([blob])).toMatchObject([{ type: 'blob' }]);
    await store.close();
    const asked = readFileSync(log, 'utf8').split('\n');
    expect(asked.filter((words) => words.includes('--batch-command')).length).toBeLessThanOrEqual(2);
    await bench.dispose();
  });
});
