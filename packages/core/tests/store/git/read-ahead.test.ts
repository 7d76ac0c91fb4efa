import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanEnvironment, plainRepository, temporaryDirectory } from '@savepoint/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { askTogether, readTogether, type AskedTogether } from '../../../src/store/git/objects/read-ahead.js';
import type { GitPlace } from '../../../src/store/git/system/process.js';

let place: GitPlace;
let folder: string;
let names: readonly string[];
let expected: readonly string[];

beforeAll(async () => {
  const fixture = plainRepository();
  place = { directory: fixture.root, environment: cleanEnvironment(fixture.home) };
  folder = path.join(temporaryDirectory('answers'), 'cache');
  mkdirSync(folder);
  const all = fixture.git('rev-list', '--objects', '--no-object-names', '--all').trim().split('\n');
  // What is not there is told by a line of its own.
  names = [...all, 'f'.repeat(40), ...all.map((id) => `${id}^{tree}`)];
  expected = told(await readTogether(place, names));
  expect(expected.length).toBeGreaterThan(all.length);
});

const told = (objects: Awaited<ReturnType<AskedTogether['answers']>>) =>
  objects.map(({ id, type, bytes }) => `${id} ${type} ${bytes.toString('latin1')}`);

describe('many objects', () => {
  test('are answered alike through files and through pipes, and nothing is left', async () => {
    expect(told(await askTogether(place, names, folder).answers())).toEqual(expected);
    expect(readdirSync(folder)).toEqual([]);
    expect(told(await askTogether(place, names, path.join(folder, 'not-there')).answers())).toEqual(expected);
  });

  test('are there also when nobody asked for them before git had ended', async () => {
    const asked = askTogether(place, names, folder);
    await new Promise((resolve) => asked.child.once('exit', resolve));
    expect(told(await asked.answers())).toEqual(expected);
  });

  test('go through pipes where a file stands in the place', async () => {
    for (const name of ['asked', 'answered']) {
      const other = path.join(temporaryDirectory('answers'), 'cache');
      mkdirSync(other);
      writeFileSync(path.join(other, `${name}.${String(process.pid)}.tmp`), 'somebody');
      expect(told(await askTogether(place, names, other).answers())).toEqual(expected);
      expect(readdirSync(other)).toHaveLength(1);
    }
  });

  test.each([true, false])('are fewer where git is killed or missing, through files: %j', async (throughFiles) => {
    const where = throughFiles ? folder : path.join(folder, 'not-there');
    const killed = askTogether(place, names, where);
    killed.child.kill('SIGKILL');
    const answered = told(await killed.answers());
    expect(answered).toEqual(expected.slice(0, answered.length));
    const nowhere = { ...place, environment: { PATH: '/nowhere' } };
    expect(await askTogether(nowhere, names, where).answers()).toEqual([]);
    const late = askTogether(nowhere, names, where);
    await new Promise((resolve) => late.child.once('error', resolve));
    expect(await late.answers()).toEqual([]);
  });
});
