import { readdirSync } from 'node:fs';
import { cleanEnvironment, removeTree, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { expect, test } from 'vitest';
import { objectId } from '../../../src/model/tree/object-id.js';
import type { TreeChange } from '../../../src/model/tree/tree-change.js';
import { openRepository } from '../../../src/open/open-repository.js';
import { capture } from '../../../src/ops/capture.js';
import type { Repository } from '../../../src/ops/repository/repository.js';
import type { Replacement } from '../../../src/worktree/replace/replacement.js';

async function opened(fixture: FixtureRepository): Promise<Repository> {
  const env = cleanEnvironment(fixture.home);
  const { repository } = await openRepository({ directory: fixture.root, env, home: fixture.home });
  return repository.enrol();
}

const state = (text: string): TreeChange['before'] => ({
  kind: 'file',
  blob: objectId('sha1', 'blob', Buffer.from(text)),
  size: text.length,
  permissions: 0o644,
});

/** Two captures, so that both contents are in the store, and a replacement of the second by the first. */
async function prepared(fixture: FixtureRepository, repository: Repository): Promise<Replacement> {
  fixture.write('d/file', 'one\n', 0o644);
  await capture({ repository });
  fixture.write('d/file', 'two\n', 0o644);
  await capture({ repository });
  return repository.worktree.replacements.prepare({
    changes: [{ path: 'd/file', before: state('two\n'), after: state('one\n') }],
    content: repository.store,
    directoryPermissions: 0o755,
    note: { of: 'test' },
    conflicts: 'skip',
  });
}

test('captures wait for an open replacement, and never see its folders', async () => {
  const fixture = unbornRepository();
  const repository = await opened(fixture);
  try {
    const replacement = await prepared(fixture, repository);
    expect(readdirSync(fixture.path('d'))).toContain(`.savepoint-restore-${replacement.id}`);
    await expect(capture({ repository })).rejects.toMatchObject({ code: 'restore_running', kind: 'locked' });
    replacement.leave();
    await expect(capture({ repository })).rejects.toMatchObject({
      code: 'restore_interrupted',
      kind: 'recovery_needed',
    });
    await replacement.apply();
    const { settings, store } = repository;
    const writer = store.writer();
    const scan = await repository.worktree.scan({
      sink: writer,
      objects: store,
      maxFileBytes: settings['capture.maxFileBytes'],
      maxNewBytes: settings['capture.maxNewBytes'],
      directoryCache: true,
      fresh: true,
      replacement: replacement.id,
    });
    await writer.discard();
    expect(scan.files.set.map((one) => one.path)).toEqual(['d/file']);
    expect(scan.filesystem.emptyDirectories).toEqual([]);
    await replacement.close();
    expect(readdirSync(fixture.path('d'))).toEqual(['file']);
    expect(await capture({ repository })).toMatchObject({ complete: true, unchanged: false });
    expect(readdirSync(fixture.path('.git', 'savepoint', 'restores', repository.self.id))).toEqual([]);
  } finally {
    await repository.close();
    removeTree(fixture.base);
  }
});

test('a replacement in a linked worktree is nothing to the main one', async () => {
  const fixture = unbornRepository();
  fixture.git('commit', '-q', '--allow-empty', '-m', 'First');
  const linked = fixture.path('..', 'linked');
  fixture.git('worktree', 'add', '-q', linked);
  const repository = await opened(fixture);
  const other = await opened({ ...fixture, root: linked });
  try {
    const replacement = await prepared(fixture, repository);
    await capture({ repository: other });
    await expect(capture({ repository })).rejects.toMatchObject({ code: 'restore_running' });
    await replacement.close();
    await capture({ repository });
  } finally {
    await repository.close();
    await other.close();
    removeTree(fixture.base);
  }
});
