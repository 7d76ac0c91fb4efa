/** A restore into a directory of its own: that is as the snapshot says, and nothing changes here. */
import type { RestoreResult } from '@savepoint/core';
import { join } from 'node:path';
import { removeTree } from '../repositories/temporary.js';
import { changedPaths, rawTree, type RawTree } from './raw-tree.js';
import { inScope, keyOf, reportedBy } from './reported.js';
import type { ElsewhereStep } from './script/steps.js';
import type { StoredState } from './stored-states.js';
import { Refusal } from './subject/subject.js';
import type { World } from './world.js';

export async function restoreElsewhere(world: World, step: ElsewhereStep): Promise<readonly string[]> {
  const { fixture, subject, snapshots, stored } = world;
  const directory = join(fixture.base, 'elsewhere');
  const target = snapshots[snapshots.length - 1 - (step.back % snapshots.length)] ?? '';
  const before = rawTree(fixture.root);
  try {
    const result = await subject.elsewhere(step, target, directory);
    const wrong = differences({ step, result, written: rawTree(directory), held: await stored.of(target) });
    return [...wrong, ...changedPaths(before, rawTree(fixture.root)).map((path) => `it changed ${path} here`)];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const isRight = error.code === 'path_unknown' && step.paths !== undefined;
    return isRight ? [] : [`refused with ${error.code}: ${error.message}`];
  } finally {
    removeTree(directory);
  }
}

interface Written {
  readonly step: ElsewhereStep;
  readonly result: RestoreResult;
  readonly written: RawTree;
  readonly held: StoredState;
}

function differences({ step, result, written, held }: Written): readonly string[] {
  const reported = reportedBy(result);
  const named = step.paths?.map(keyOf);
  const wrong = [...held.manifest].filter(([path, wanted]) => {
    if (!inScope(path, named) || reported.isExcused(path)) return false;
    const found = written.get(path);
    if (found?.type !== wanted.type) return true;
    if (wanted.type === 'directory') return named === undefined && found.mode !== wanted.mode;
    return found.content !== wanted.sha256 || (wanted.type === 'file' && found.mode !== wanted.mode);
  });
  const extra = [...written].filter(([path, { type }]) => {
    return type === 'directory' ? !held.manifest.has(path) : !held.manifest.has(path) || !inScope(path, named);
  });
  return [
    ...wrong.map(([path]) => `elsewhere: ${path} is not as the snapshot says`),
    ...extra.map(([path]) => `elsewhere: ${path} should not be there`),
    ...(result.operation === undefined ? [] : ['elsewhere: it was recorded as an operation']),
  ];
}
