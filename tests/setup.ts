/** Runs in every test file: no variable of the caller reaches git, and temporary directories go away. */
import { removeTemporaries } from '@savepoint/testkit';
import { afterAll } from 'vitest';

for (const name of Object.keys(process.env)) {
  if (name.startsWith('GIT_') || name === 'NODE_EXTRA_CA_CERTS') Reflect.deleteProperty(process.env, name);
}

afterAll(() => {
  removeTemporaries();
});
