/** Runs in every test file: no variable of the caller reaches git, and temporary directories go away. */
import { afterAll } from 'vitest';

for (const name of Object.keys(process.env)) {
  if (name.startsWith('GIT_') || name === 'NODE_EXTRA_CA_CERTS') Reflect.deleteProperty(process.env, name);
}

afterAll(async () => {
  // To load the kit takes longer than most tests of a pure room: it is here only where a test has loaded it.
  if (!(Symbol.for('savepoint.temporaries') in globalThis)) return;
  const { removeTemporaries } = await import('@savepoint/testkit');
  removeTemporaries();
});
