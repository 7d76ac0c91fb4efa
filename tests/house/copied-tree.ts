/** A throw-away copy of this workspace, in which rules can be broken. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFile } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');

const ROOT_FILES = [
  'package.json',
  'tsconfig.base.json',
  'tsconfig.check.json',
  'eslint.config.mjs',
  '.dependency-cruiser.cjs',
  'scripts/folder-cycles.mjs',
];

export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CopiedTree {
  readonly directory: string;
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a script of node_modules or of the copy with Node. */
  node(script: string, args?: readonly string[]): Promise<ToolResult>;
  remove(): void;
}

export function copyTree(): CopiedTree {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'savepoint-house-'));
  for (const file of ROOT_FILES) cpSync(path.join(ROOT, file), path.join(directory, file));
  const packages = readdirSync(path.join(ROOT, 'packages'));
  for (const name of packages) {
    for (const part of ['package.json', 'tsconfig.json', 'src']) {
      const from = path.join(ROOT, 'packages', name, part);
      if (existsSync(from)) cpSync(from, path.join(directory, 'packages', name, part), { recursive: true });
    }
  }
  linkModules(directory, packages);
  return {
    directory,
    write(files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
        writeFileSync(path.join(directory, file), text);
      }
    },
    node: (script, args = []) => run(directory, [path.join(directory, script), ...args]),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

// Everything from the real folder, except our own packages: those must be the copies.
function linkModules(directory: string, packages: readonly string[]): void {
  const modules = path.join(directory, 'node_modules');
  mkdirSync(path.join(modules, '@savepoint'), { recursive: true });
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    if (name === '@savepoint' || name === 'savepoint' || name.startsWith('.')) continue;
    symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
  }
  for (const name of packages) {
    symlinkSync(path.join(directory, 'packages', name), path.join(modules, '@savepoint', name));
  }
}

function run(cwd: string, args: readonly string[]): Promise<ToolResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
  });
}
