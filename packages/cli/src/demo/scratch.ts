/** The place of the demo: a scratch repository with a home of its own, so that nothing of the user's is read or changed. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { contextError } from '@savepoint/core';
import type { Stage } from '../face/stage.js';

export interface Scratch {
  /** Holds everything of the demo. */
  readonly folder: string;
  readonly repository: string;
  /** The configuration of the agent. */
  readonly agentFolder: string;
  /** A key that opens nothing, made here so that no scanner finds it in this package. */
  readonly secret: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  remove(): void;
}

const SECRET = ['sk', 'live', createHash('sha256').update('savepoint demo').digest('hex').slice(0, 24)].join('_');

const COMMITTED: Readonly<Record<string, string>> = {
  '.gitignore': '.env\n',
  'README.md': '# Shop\n\nPrints receipts.\n',
  'src/receipt.js': `/** Returns the text of a receipt. */
function receipt(prices) {
  const total = prices.reduce((sum, price) => sum + price, 0);
  return \`Total \${total}\`;
}

module.exports = { receipt };
`,
  'src/discount.js': `/** Takes a tenth off; comes with the spring sale. */
const discount = (price) => price * 0.9;

module.exports = { discount };
`,
  'test.js': `const { receipt } = require('./src/receipt.js');

const got = receipt([0.1, 0.2]);
const isRight = got === 'Total 0.30';
console.log(isRight ? \`ok: \${got}\` : \`FAIL: expected "Total 0.30", got "\${got}"\`);
process.exitCode = isRight ? 0 : 1;
`,
};
const NOT_COMMITTED: Readonly<Record<string, string>> = {
  '.env': `PAYMENT_KEY=${SECRET}\n`,
  'ideas.md': 'Ask Ada how the shop in Lisbon rounds.\nPrint the date on every receipt.\n',
};

/** Makes the scratch repository. @throws git_missing; directory_unusable */
export function makeScratch(stage: Stage, directory: string | undefined): Scratch {
  runGit({ directory: os.tmpdir(), environment: stage.environment }, ['--version']);
  const { folder, undo } = claimFolder(directory);
  const home = path.join(folder, 'home');
  const repository = path.join(folder, 'shop');
  const agentFolder = path.join(home, '.claude');
  const environment = ownEnvironment(stage, home, agentFolder);
  try {
    for (const made of [home, repository, agentFolder]) fs.mkdirSync(made);
    write(home, {
      '.gitconfig': '[user]\n\tname = Demo\n\temail = demo@example.invalid\n[commit]\n\tgpgSign = false\n',
    });
    const place = { directory: repository, environment };
    runGit(place, ['init', '--quiet', '--template=', '--initial-branch=main']);
    write(repository, COMMITTED);
    runGit(place, ['add', '--all']);
    runGit(place, ['commit', '--quiet', '--no-verify', '--message=The shop prints receipts']);
    write(repository, NOT_COMMITTED);
  } catch (error) {
    undo();
    throw error;
  }
  return { folder, repository, agentFolder, secret: SECRET, environment, remove: undo };
}

interface GitPlace {
  readonly directory: string;
  readonly environment: Scratch['environment'];
}

/** Runs git and returns what it printed. @throws git_missing; git_failed */
export function runGit({ directory, environment }: GitPlace, args: readonly string[], input?: Uint8Array): Buffer {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GIT_')));
  const { error, status, stdout, stderr } = spawnSync('git', [...args], { cwd: directory, env, input });
  if (error !== undefined) throw contextError('git_missing', {}, error);
  if (status === 0) return stdout;
  throw contextError('git_failed', { command: `git ${args.join(' ')}`, reason: stderr.toString('utf8').trim() });
}

function ownEnvironment({ environment, self }: Stage, home: string, agentFolder: string): Scratch['environment'] {
  const kept = Object.entries(environment).filter(([name]) => !/^(?:GIT_|XDG_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    CLAUDE_CONFIG_DIR: agentFolder,
    // The recorded agent runs `node`, which may have been started by its full name.
    PATH: [environment['PATH'] ?? '', path.dirname(self.node)].filter((part) => part !== '').join(path.delimiter),
  };
}

/** Returns a folder that is empty, and how to leave things as they were. */
function claimFolder(directory: string | undefined): { readonly folder: string; readonly undo: () => void } {
  try {
    if (directory === undefined) {
      const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-demo-')));
      return { folder, undo: () => removeAll(folder) };
    }
    const made = fs.mkdirSync(directory, { recursive: true });
    const folder = fs.realpathSync(directory);
    if (fs.readdirSync(folder).length > 0) throw unusable(directory, 'it is not empty');
    const clear = (): void => fs.readdirSync(folder).forEach((name) => removeAll(path.join(folder, name)));
    return { folder, undo: made === undefined ? clear : () => removeAll(made) };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw unusable(directory ?? os.tmpdir(), error.message, error);
  }
}

function unusable(directory: string, reason: string, cause?: unknown): Error {
  return contextError('directory_unusable', { directory, reason }, cause);
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

function removeAll(name: string): void {
  fs.rmSync(name, { recursive: true, force: true, maxRetries: 3 });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}
