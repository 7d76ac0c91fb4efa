import { describe, expect, test } from 'vitest';
import { applyOnce, RefUpdate } from '../../../src/store/git/ref-update.js';
import { storeInGit, type StoreInGit } from './fixture.js';

const REF = `timelines/${'a'.repeat(32)}`;

function commitOf({ fixture }: StoreInGit): string {
  return fixture.git('commit-tree', '-m', 'x', fixture.git('hash-object', '-t', 'tree', '-w', '/dev/null'));
}

function update({ place }: StoreInGit, target: string): Promise<void> {
  const change = { name: REF, target, expected: undefined };
  return applyOnce(new RefUpdate(place.user, place.commonDirectory), [change]);
}

describe('a change of refs', () => {
  // That the head moved would be no reason that goes away by trying again.
  test.each(['refs/savepoint', 'refs/savepoint/v1', `refs/savepoint/v1/${REF}/below`])(
    'names the ref %s, which leaves no room for its own',
    async (other) => {
      const here = storeInGit();
      const target = commitOf(here);
      here.fixture.git('update-ref', other, target);
      const ref = `refs/savepoint/v1/${REF}`;
      await expect(update(here, target)).rejects.toMatchObject({ code: 'ref_in_the_way', data: { other, ref } });
      here.fixture.git('update-ref', '-d', other);
      await update(here, target);
      await expect(update(here, target)).rejects.toMatchObject({ code: 'head_moved', data: { ref } });
    },
  );
});
