/** The real terminal: what happens at the ends of real pipes. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/terminal/process-terminal.ts', import.meta.url));
/** Makes a terminal to run something in. */
const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false;
let folder: string;

/** Bundles a program of these lines, in which `processTerminal` and `endProcess` are known. */
async function bundle(name: string, lines: string): Promise<void> {
  const contents = `import { processTerminal, endProcess } from ${JSON.stringify(source)};\n${lines}`;
  await build({
    stdin: { contents, resolveDir: path.dirname(source), loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    conditions: ['source'],
    outfile: path.join(folder, name),
    logLevel: 'error',
  });
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-terminal-'));
  await bundle(
    'write.cjs',
    `const { output } = processTerminal();
    let kept = 0;
    for (let line = 0; line < 20000; line++) if (output.write('a line of output\\n')) kept++;
    endProcess(kept === 20000 ? 0 : 42);`,
  );
  await bundle(
    'width.cjs',
    `const { output, errors } = processTerminal();
    const columns = String(output.columns);
    errors.write(columns);`,
  );
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function shell(command: string): { readonly stdout: string; readonly stderr: string } {
  const env = {
    ...process.env,
    NODE: process.execPath,
    PROGRAM: path.join(folder, 'write.cjs'),
    WIDTH: path.join(folder, 'width.cjs'),
  };
  return spawnSync('bash', ['-c', command], { encoding: 'utf8', env });
}

describe('the width', () => {
  test('is unknown in a pipe and at /dev/null', () => {
    expect(shell('{ "$NODE" "$WIDTH" | cat; } 2>&1').stdout).toBe('undefined');
    expect(shell('"$NODE" "$WIDTH" 2>&1 >/dev/null').stdout).toBe('undefined');
  });

  test.skipIf(!hasScript)('is usual where a terminal does not know its own', () => {
    expect(shell('script -qec "$NODE $WIDTH" /dev/null < /dev/null').stdout).toMatch(/^\d\d+$/);
  });
});

describe('writing', () => {
  test('into a pipe whose reader went away goes on quietly', () => {
    const { stdout, stderr } = shell('"$NODE" "$PROGRAM" | head -n 1; echo "${PIPESTATUS[0]}"');
    expect(stdout).toBe('a line of output\n42\n');
    expect(stderr).toBe('');
  });

  test('into a slow, non-blocking pipe loses nothing', () => {
    const count =
      "const i = process.stdin; let n = 0; i.on('data', (d) => { n += d.length; i.pause(); setTimeout(() => i.resume(), 2); }); i.on('end', () => console.log(n))";
    const { stdout } = shell(`"$NODE" "$PROGRAM" | "$NODE" -e "${count}"`);
    expect(Number(stdout)).toBe(20000 * 17);
  });

  test('into a closed standard output goes on quietly', () => {
    expect(shell('"$NODE" "$PROGRAM" >&-').stderr).toBe('');
  });

  test.skipIf(!fs.existsSync('/dev/full'))('on a full device is an error', () => {
    expect(shell('"$NODE" "$PROGRAM" > /dev/full').stderr).toContain('The output cannot be written: ENOSPC');
  });
});
