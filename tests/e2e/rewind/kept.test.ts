/** T01, T02: newer ignore rules and files born after the snapshot; what is kept is listed, what goes can come back. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskManifest, nestedRepositories, plainRepository, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture } from '../support/acts.js';
import { expectEqual, operate, told } from '../support/operations.js';

const RULES: Readonly<Record<string, (fixture: FixtureRepository) => void>> = {
  'a tracked .gitignore, not committed': (fixture) => appendFileSync(fixture.path('.gitignore'), 'data/\n'),
  'an untracked .gitignore': (fixture) => {
    fixture.write('data/.gitignore', '*\n');
  },
  'info/exclude': (fixture) => {
    mkdirSync(fixture.path('.git/info'), { recursive: true });
    appendFileSync(fixture.path('.git/info/exclude'), 'data/\n');
  },
  'global excludes': (fixture) => {
    mkdirSync(join(fixture.home, '.config/git'), { recursive: true });
    writeFileSync(join(fixture.home, '.config/git/ignore'), 'data/\n');
  },
  'a nested rule': (fixture) => {
    fixture.write('src/.gitignore', '/data/\n');
  },
};

describe('what is ignored', () => {
  it.each(Object.entries(RULES))('by %s after the snapshot is byte-identical after a rewind', async (name, ignore) => {
    const fixture = plainRepository();
    const folder = name === 'a nested rule' ? 'src/data' : 'data';
    const { id } = await capture(fixture);
    for (const file of ['one.csv', 'two.csv', 'deep/three.csv']) fixture.write(`${folder}/${file}`, `${file}\n`);
    ignore(fixture);
    const result = await operate(fixture, ['rewind', id, '--exact']);
    for (const file of ['one.csv', 'two.csv', 'deep/three.csv']) {
      expect(readFileSync(fixture.path(folder, file), 'utf8')).toBe(`${file}\n`);
    }
    expect(told(result).filter((line) => line.startsWith(folder) && !line.endsWith(': skip ignored'))).toEqual([]);
    expect(told(result).some((line) => line.startsWith(folder))).toBe(true);
    // The rules of then are back, and with them these files count as the worktree's again.
    expectEqual(fixture, id, [folder]);
  });

  it('then and not now stays as well: it was never positively absent', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('.gitignore', '');
    const result = await operate(fixture, ['rewind', id, '--exact']);
    expect(told(result)).toContain('debug.log: skip ignored');
    expect(readFileSync(fixture.path('debug.log'), 'utf8')).toBe('ignored\n');
    expect(readFileSync(fixture.path('.gitignore'), 'utf8')).toContain('*.log');
  });
});

describe('a file born after the snapshot', () => {
  it('goes where a later snapshot holds it, stays where none does, and comes back by undo', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    fixture.write('a-agent.txt', 'by the agent\n');
    await capture(fixture);
    fixture.write('b-human.txt', 'by a person\n', 0o600);
    const before = diskManifest(fixture);
    const result = await operate(fixture, ['rewind', id], { code: 3 });
    expect(told(result)).toEqual(
      expect.arrayContaining(['a-agent.txt: delete', 'b-human.txt: skip in_no_snapshot']) as unknown,
    );
    expectEqual(fixture, id, ['b-human.txt']);
    // A safety snapshot does not count as one that holds it.
    expect(told(await operate(fixture, ['rewind', id], { code: 3 }))).toContain('b-human.txt: skip in_no_snapshot');
    expect(told(await operate(fixture, ['rewind', id, '--exact']))).toEqual(
      expect.arrayContaining(['b-human.txt: delete']) as unknown,
    );
    expectEqual(fixture, id);
    for (let count = 0; count < 3; count += 1) await operate(fixture, ['undo']);
    expect(diskManifest(fixture)).toEqual(before);
  });

  it('that took the place of a directory gives way, and is in the safety snapshot', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    rmSync(fixture.path('src/deep'), { recursive: true });
    fixture.write('src/deep', 'new content of a person\n');
    const result = await operate(fixture, ['rewind', id]);
    expectEqual(fixture, id);
    await operate(fixture, ['undo']);
    expect(readFileSync(fixture.path('src/deep'), 'utf8')).toBe('new content of a person\n');
    expectEqual(fixture, result.safety);
  });
});

describe('repositories inside', () => {
  it('are neither entered nor removed', async () => {
    const fixture = nestedRepositories();
    const { id } = await capture(fixture);
    fixture.write('inner/dirty/changed.txt', 'inside another repository\n');
    fixture.write('outer.txt', 'ours\n');
    const result = await operate(fixture, ['rewind', id, '--exact']);
    expect(told(result)).toContain('outer.txt: delete');
    expect(readFileSync(fixture.path('inner/dirty/changed.txt'), 'utf8')).toBe('inside another repository\n');
  });
});
