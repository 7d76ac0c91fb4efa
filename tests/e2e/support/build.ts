/** Builds the program once before the end-to-end tests. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function setup(): void {
  if (process.env['SAVEPOINT_TEST_BUILT'] === '1') return;
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm run build failed:\n${stdout}\n${stderr}`);
}
