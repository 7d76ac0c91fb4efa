import { describeStore } from '../../../../testkit/src/store-conformance.js';
import { gitStore } from '../../../src/store/git/git-store.js';
import { storeInGit } from './fixture.js';

describeStore('git store', (format) => {
  const { store, place, dispose } = storeInGit(format);
  return Promise.resolve({ store, dispose, reopen: () => Promise.resolve(gitStore(place)) });
});
