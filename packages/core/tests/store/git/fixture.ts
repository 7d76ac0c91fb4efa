/** A store in a real git repository, opened as `open/` does it, with every part in the hands of the test. */
import path from 'node:path';
import { removeTree, unbornRepository, type FixtureRepository } from '@savepoint/testkit';
import { systemRandom } from '../../../src/base/clock.js';
import type { ObjectFormat } from '../../../src/model/tree/anchor.js';
import { gitStore, type GitStorePlace } from '../../../src/store/git/git-store.js';
import { preparePrivateRepository } from '../../../src/store/git/private-repository.js';
import type { GitPlace } from '../../../src/store/git/system/process.js';
import type { Store } from '../../../src/store/store.js';

export interface StoreInGit {
  readonly fixture: FixtureRepository;
  readonly place: GitStorePlace;
  readonly store: Store;
  dispose(): Promise<void>;
}

export function storePlace(fixture: FixtureRepository, objectFormat: ObjectFormat): GitStorePlace {
  const commonDirectory = fixture.path('.git');
  const objects = path.join(commonDirectory, 'objects');
  const environment = { PATH: process.env['PATH'], HOME: fixture.home };
  const directory = path.join(commonDirectory, 'savepoint', 'scan', 'test');
  const privatePlace = (): GitPlace => {
    const variables = preparePrivateRepository({ directory, objects, objectFormat });
    return { directory: fixture.root, environment, variables };
  };
  const user = {
    directory: fixture.root,
    environment,
    variables: { GIT_DIR: commonDirectory, GIT_WORK_TREE: fixture.root },
  };
  return {
    objectFormat,
    random: systemRandom,
    user,
    privatePlace,
    objects,
    gitDirectory: commonDirectory,
    commonDirectory,
    packAdded: () => undefined,
  };
}

export function storeInGit(objectFormat: ObjectFormat = 'sha1'): StoreInGit {
  const fixture = unbornRepository(`--object-format=${objectFormat}`);
  const place = storePlace(fixture, objectFormat);
  const store = gitStore(place);
  const dispose = async (): Promise<void> => {
    await store.close();
    removeTree(fixture.base);
  };
  return { fixture, place, store, dispose };
}
