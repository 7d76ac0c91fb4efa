/** Temporary directories whose paths hold spaces and non-ASCII letters, and their removal. */
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
// Tells `tests/setup.ts`, without an import of it, that there may be something to remove.
Object.assign(globalThis, { [Symbol.for('savepoint.temporaries')]: made });

/** Makes a directory such as `/tmp/savepoint-x1y2z3/Größe & Maß`; `removeTemporaries` takes it away. */
export function temporaryDirectory(name = 'Größe & Maß'): string {
  const outer = mkdtempSync(join(realpathSync(tmpdir()), 'savepoint-'));
  made.push(outer);
  // Other users must be able to pass: some tests run the program without root's rights.
  chmodSync(outer, 0o755);
  const inner = join(outer, name);
  mkdirSync(inner);
  return inner;
}

/** Removes every directory that this process made, also where permissions were taken away inside. */
export function removeTemporaries(): void {
  for (const directory of made.splice(0)) removeTree(directory);
}

export function removeTree(directory: string): void {
  if (!existsSync(directory)) return;
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    makeRemovable(Buffer.from(directory));
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  }
}

function makeRemovable(directory: Buffer): void {
  chmodSync(directory, 0o700);
  for (const name of readdirSync(directory, { encoding: 'buffer' })) {
    const path = Buffer.concat([directory, Buffer.from('/'), name]);
    if (lstatSync(path).isDirectory()) makeRemovable(path);
  }
}
