/** Writes docs/format/test-vectors/*.json from packages/core/tests/format/vectors.ts: `npm run vectors`, after a change of the format. */
import * as fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const folder = path.join(root, 'docs/format/test-vectors');

const { outputFiles } = await build({
  entryPoints: [path.join(root, 'packages/core/tests/format/vectors.ts')],
  bundle: true,
  write: false,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { makeVectors } = await import(`data:text/javascript;base64,${code}`);

fs.mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(makeVectors())) {
  fs.writeFileSync(path.join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);
  console.log(`wrote docs/format/test-vectors/${name}`);
}
