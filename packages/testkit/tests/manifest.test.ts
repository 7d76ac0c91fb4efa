import { rmSync } from 'node:fs';
import {
  diskManifest,
  HARD_NAMES,
  manifestDifferences,
  nestedRepositories,
  plainRepository,
  snapshotManifest,
  sparse,
  submodules,
  tortureRepository,
  type FixtureRepository,
} from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';

/** Makes a commit of the form of a snapshot by plain git, as a model of what the program has to do. */
function modelSnapshot(fixture: FixtureRepository): string {
  const env = { GIT_INDEX_FILE: fixture.path('.git/model-index') };
  fixture.run({ args: ['add', '-A'], env });
  const tree = fixture
    .run({ args: ['write-tree'], env })
    .stdout.toString('utf8')
    .trim();
  const filesystem = {
    modes: { file: '0644', executable: '0755', directory: '0755' },
    exceptions: [{ path: 'notes/ümläut.txt', mode: '0600' }],
    emptyDirectories: [{ path: 'void/inner' }],
    boundaries: [],
    omitted: [],
    ignored: [],
    diverted: [],
  };
  const blob = fixture.run({ args: ['hash-object', '-w', '--stdin'], input: JSON.stringify(filesystem) }).stdout;
  const entries = `100644 blob ${blob.toString('utf8').trim()}\tfilesystem.json\n040000 tree ${tree}\tworktree\n`;
  const root = fixture
    .run({ args: ['mktree'], input: entries })
    .stdout.toString('utf8')
    .trim();
  return fixture.git('commit-tree', root, '-m', 'model');
}

describe('the manifest', () => {
  it('of the disk equals that of a snapshot made with plain git', () => {
    const fixture = plainRepository();
    const commit = modelSnapshot(fixture);
    expect(manifestDifferences(diskManifest(fixture), snapshotManifest(fixture, commit))).toEqual([]);
  });

  it('names each path that differs', () => {
    const fixture = plainRepository();
    const stored = snapshotManifest(fixture, modelSnapshot(fixture));
    fixture.write('src/one.txt', 'another\n');
    fixture.write('born.txt', 'born\n');
    fixture.write('bin/run.sh', '#!/bin/sh\necho run\n', 0o644);
    rmSync(fixture.path('new file.txt'));
    rmSync(fixture.path('void'), { recursive: true });
    const lines = manifestDifferences(diskManifest(fixture), stored).join('\n');
    for (const path of ['src/one.txt', 'born.txt', 'bin/run.sh', 'new file.txt', 'void', 'void/inner']) {
      expect(lines).toContain(`"${path}":`);
    }
    expect(lines.split('\n')).toHaveLength(6);
  });

  it('leaves out what is ignored, special, or in another repository', async () => {
    const torture = await tortureRepository({ bigBytes: 1000 });
    const paths = [...diskManifest(torture).keys()];
    torture.close();
    expect(paths).toEqual(expect.arrayContaining(HARD_NAMES.map((name) => `names/${name}`)));
    expect(paths).toEqual(expect.arrayContaining(['keep.log', 'void/a/b/c', 'modes/empty-closed', 'links/loop']));
    for (const absent of ['debug.log', 'ignored/a/b.txt', 'special/fifo', 'special/socket', 'by-exclude.txt']) {
      expect(paths).not.toContain(absent);
    }
    expect(paths.some((path) => path.startsWith('.git/'))).toBe(false);
    const nested = [...diskManifest(nestedRepositories()).keys()];
    expect(nested.filter((path) => path.startsWith('inner/'))).toEqual([]);
    const modules = [...diskManifest(submodules()).keys()];
    expect(modules).toContain('top.txt');
    expect(modules.some((path) => path.startsWith('modules/clean/'))).toBe(false);
  });

  it('of a sparse checkout holds what is on the disk', () => {
    const files = [...diskManifest(sparse()).values()].filter(({ type }) => type === 'file');
    expect(files).toHaveLength(10);
  });
});
