import fc from 'fast-check';
import { removeTree, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import type { DivertedFile, FilesystemRecord } from '../../src/model/tree/filesystem.js';
import { fromRepoPath } from '../../src/base/path.js';
import { action, perform, type Action } from './actions.js';
import { filesBelow, look, objectSpace, type Look, type LookRequest, type ObjectSpace } from './bench.js';
import { expectedFiles, permissionsOf, stagedTree, traces } from './oracle.js';

function repository(): FixtureRepository {
  const fixture = unbornRepository();
  fixture.git('config', 'core.excludesFile', fixture.path('..', 'excludes'));
  fixture.write('a', 'one\n');
  fixture.write('d/a', 'two\n');
  fixture.write('d/e/a', 'tri\n', 0o755);
  fixture.write('x.log', 'log\n');
  fixture.git('add', '-A');
  fixture.git('commit', '-qm', 'First');
  return fixture;
}

/** Looks with and without memory, and holds both against git and the disk. */
async function check(fixture: FixtureRepository, space: ObjectSpace): Promise<Look> {
  const before = traces(fixture);
  const warm = await look(fixture, space);
  const fresh = await look(fixture, space, { fresh: true });
  expect(traces(fixture)).toEqual(before);
  const files = await filesBelow(space, warm.tree);
  const { diverted } = warm.filesystem as FilesystemRecord;
  for (const one of diverted) expect(space.blobs.has(one.blob)).toBe(true);
  const kept = diverted.map((one) => [fromRepoPath(one), `${modeOf(one)} ${one.blob}`] as const);
  expect(named([...files, ...kept.filter(([file]) => !/(?:^|\/)\.git(?:\/|$)/.test(file))])).toEqual(
    named(expectedFiles(fixture)),
  );
  expect(named(await filesBelow(space, fresh.tree))).toEqual(named(files));
  expect(warm).toEqual(fresh);
  const head = fixture
    .run({ args: ['rev-parse', 'HEAD^{tree}'] })
    .stdout.toString('latin1')
    .trim();
  expect((warm.staged as { tree: string } | undefined)?.tree ?? head).toBe(stagedTree(fixture));
  checkModes(fixture, { files, record: warm.filesystem as FilesystemRecord });
  return warm;
}

function modeOf({ type, mode }: DivertedFile): string {
  return type === 'link' ? '120000' : mode === '0755' ? '100755' : '100644';
}

function named(files: Iterable<readonly [string, string]>): readonly string[] {
  return [...files].map(([file, entry]) => `${JSON.stringify(file)} ${entry}`).sort();
}

function checkModes(
  fixture: FixtureRepository,
  { files, record }: { files: ReadonlyMap<string, string>; record: FilesystemRecord },
): void {
  const exceptions = new Map(record.exceptions.map((one) => [fromRepoPath(one), one.mode]));
  for (const [file, entry] of files) {
    if (entry.startsWith('120000')) continue;
    const usual = entry.startsWith('100755') ? record.modes.executable : record.modes.file;
    expect(`${file} ${exceptions.get(file) ?? usual}`).toBe(`${file} ${permissionsOf(fixture, file)}`);
  }
  for (const one of record.emptyDirectories) {
    const directory = `${fromRepoPath(one)}/`;
    expect([...files.keys()].filter((file) => file.startsWith(directory))).toEqual([]);
  }
}

async function play(steps: readonly (readonly Action[])[]): Promise<void> {
  const fixture = repository();
  const space = objectSpace(fixture);
  try {
    await check(fixture, space);
    for (const actions of steps) {
      for (const one of actions) await perform(fixture, one);
      await check(fixture, space);
    }
  } finally {
    removeTree(fixture.base);
  }
}

/** Plays scripted steps; an action is written as in a failure's report. */
function steps(...all: readonly (readonly Action[])[]): () => Promise<void> {
  return () => play(all);
}

const wait: Action = { kind: 'wait' };
const write = (name: string, text = 'one\n'): Action => ({ kind: 'write', name, text }) as Action;
const ignore = (file: string, ...patterns: string[]): Action => ({ kind: 'ignore', file, patterns }) as Action;

describe('a warm scan', () => {
  test(
    'holds a tracked file that a new rule ignores',
    steps(
      [wait],
      [ignore('.gitignore', '*.log'), wait],
      [{ kind: 'rm --cached', name: 'x.log' }],
      [ignore('.gitignore')],
    ),
  );
  test(
    'takes in again a file that was gone for a while, with the content that it had',
    steps([wait], [{ kind: 'delete', name: 'd/a' }, wait], [wait], [write('d/a', 'two\n'), wait], [wait]),
  );
  test(
    'takes in again a file that was a FIFO for a while',
    steps(
      [wait],
      [{ kind: 'fifo', name: 'a' }, wait],
      [{ kind: 'delete', name: 'a' }, wait],
      [write('a', 'one\n')],
      [wait],
    ),
  );
  test(
    'walks a directory of tracked files though somebody made it a repository',
    steps(
      [{ kind: 'init and commit', name: 'd' }, wait],
      [write('d/a', 'tri\n'), write('d/b')],
      [{ kind: 'remove .git', name: 'd' }],
    ),
  );
  test(
    'sees when a nested repository is one no more, though its directory did not change',
    steps(
      [write('n/a'), { kind: 'init', name: 'n' }, wait],
      [{ kind: 'remove .git/HEAD', name: 'n' }, wait],
      [{ kind: 'init', name: 'n' }, wait],
    ),
  );
  test(
    'holds the tracked files of what looks like a bare repository',
    steps(
      [{ kind: 'init --bare', name: 'n' }, wait],
      [{ kind: 'add -f', name: 'n' }],
      [wait],
      [{ kind: 'rm --cached', name: 'n' }],
    ),
  );
  test(
    'does not follow a link to a tracked file that is ignored',
    steps(
      [write('d/x.log'), write('b/x.log'), ignore('.gitignore', '*.log'), { kind: 'add -f', name: 'd/x.log' }, wait],
      [{ kind: 'link', name: 'd', target: 'b' }, wait],
      [{ kind: 'delete', name: 'd' }, write('d/x.log', 'two\n')],
    ),
  );
  test(
    'names a file with two flags once',
    steps(
      [
        { kind: 'assume', name: 'd/a' },
        { kind: 'skip', name: 'd/a' },
      ],
      [{ kind: 'flip', name: 'd/a' }],
    ),
  );
  test(
    'does not call a directory empty that holds a tracked file which is ignored',
    steps([write('n/e/b'), { kind: 'add', name: 'n/e/b' }, ignore('.gitignore', 'b')], [wait]),
  );
  test(
    'writes its index again when enough has changed, and still sees all',
    steps(
      [{ kind: 'many', text: 'one\n', from: 0 }],
      [{ kind: 'settle' } as never],
      [{ kind: 'many', text: 'two\n', from: 20 }],
      [{ kind: 'settle' } as never],
      [{ kind: 'none of many' }, write('m/f3', 'one\n3')],
      [{ kind: 'settle' } as never],
      [write('m/f30', 'two\n30'), { kind: 'flip', name: 'm/f3' } as never],
    ),
  );
  test('sees rules behind a link change', async () => {
    const fixture = repository();
    const space = objectSpace(fixture);
    fixture.write('../rules', '*.tmp\n');
    fixture.git('config', 'core.excludesFile', fixture.path('..', 'link to rules'));
    fixture.link('../link to rules', 'rules');
    fixture.write('new.tmp', 'ignored\n');
    await perform(fixture, wait);
    await check(fixture, space);
    fixture.write('../rules', '*.bak\n');
    await perform(fixture, wait);
    await check(fixture, space);
  });
  test('takes in what a limit kept out, once the limit or the store allows it', async () => {
    const fixture = repository();
    const space = objectSpace(fixture);
    const kept = async (request: LookRequest): Promise<string[]> => [
      ...(await filesBelow(space, (await look(fixture, space, request)).tree)).keys(),
    ];
    fixture.write('large', 'x'.repeat(5000));
    fixture.write('larger', 'y'.repeat(6000));
    await perform(fixture, wait);
    expect(await kept({ maxFileBytes: 4000 })).not.toContain('large');
    expect(await kept({ maxFileBytes: 5500 })).toContain('large');
    expect(await kept({ maxFileBytes: 5500 })).not.toContain('larger');
    await space.blob(Buffer.from('y'.repeat(6000)));
    expect(await kept({ maxFileBytes: 5500 })).toContain('larger');
    fixture.write('again', 'z'.repeat(5000));
    fixture.write('and again', 'w'.repeat(5000));
    await perform(fixture, wait);
    expect(await kept({ maxNewBytes: 6000 })).toHaveLength(8 - 1);
    expect(await kept({ maxNewBytes: 6000 })).toHaveLength(8);
  });
});

const RUNS = Number(process.env['SAVEPOINT_SCAN_RUNS'] ?? '10');

describe('a scan with what it remembers', () => {
  test('sees what a scan without sees, git would take in and the disk holds', async () => {
    const steps = fc.array(fc.array(action, { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 6 });
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: RUNS });
  }, 3_600_000);
});
