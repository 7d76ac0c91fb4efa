/**
 * Loads a bundle with the machine code that an earlier start left behind, so that it need not be compiled again. It
 * lies in the user's own cache folder; without one, or where anything is odd, the bundle is loaded as any other file.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';

const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
/** Within so long, code that V8 optimises is not run often enough to give back what optimising it takes. */
const BRIEF_MILLISECONDS = 1000;

/** All programs lie in one folder: what they require is found from here as well. */
const requireBeside = require;

/** Node from 22.8 on does it by itself; asking an older one would load modules for nothing. */
interface CompileCache {
  readonly enableCompileCache?: (directory: string) => unknown;
}
const MAY_CACHE_ITSELF = Number.parseInt(process.versions.node, 10) >= 22;

/**
 * `part` names what of the program will run: V8 keeps only what has run, so each part has a cache of its own. `brief`: it
 * mostly ends soon, and should not be optimised while it is young.
 */
export function loadProgram(file: string, { part, brief }: ProgramPart): unknown {
  const folder = cacheFolder();
  if (folder === undefined) return requireBeside(file);
  const { enableCompileCache } = (MAY_CACHE_ITSELF ? process.getBuiltinModule('node:module') : {}) as CompileCache;
  if (enableCompileCache === undefined) {
    const program = loadCompiled(file, { folder, part });
    if (program !== undefined && brief) postponeOptimising();
    return program ?? requireBeside(file);
  }
  enableCompileCache(folder);
  return requireBeside(file);
}

export interface ProgramPart {
  readonly part: string;
  readonly brief: boolean;
}

/**
 * V8 optimises in threads of its own, which take a sixth of a short process's time, and take it from git where there are two
 * cores. Set only after the cached code is accepted: it is refused under other flags than those that it was made under.
 */
function postponeOptimising(): void {
  setOptimising(false);
  setTimeout(setOptimising, BRIEF_MILLISECONDS, true).unref();
}

function setOptimising(wanted: boolean): void {
  process.getBuiltinModule('node:v8').setFlagsFromString(wanted ? '--opt' : '--no-opt');
}

function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: named = '', HOME: home = '' } = process.env;
  const base = path.isAbsolute(named) ? named : path.isAbsolute(home) ? path.join(home, '.cache') : undefined;
  return base === undefined ? undefined : path.join(base, 'savepoint', 'compiled');
}

interface CachePlace {
  readonly folder: string;
  readonly part: string;
}

function loadCompiled(file: string, { folder, part }: CachePlace): unknown {
  try {
    const { size, mtimeMs } = fs.statSync(file);
    // V8 refuses code of another version of itself; that it belongs to this very file, the name says.
    const name = `${path.basename(file)}-${part}-${process.version}-${process.arch}-${String(size)}-${String(Math.floor(mtimeMs))}`;
    const cache = path.join(folder, name);
    const cachedData = readIfMine(cache);
    // The bundle is ASCII (`build.mjs` demands it), which is read quicker so.
    const source = `(function (exports, require, module, __filename, __dirname) { ${fs.readFileSync(file, 'latin1')}\n});`;
    const script = new vm.Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected === true) {
      // At the end, when V8 has compiled what a run of it needs.
      process.once('exit', () => {
        keep(cache, script);
      });
    }
    const nothing = {};
    const exported = { exports: nothing };
    const run = script.runInThisContext() as (...parts: readonly unknown[]) => void;
    run(exported.exports, requireBeside, exported, file, path.dirname(file));
    return exported.exports === nothing ? undefined : exported.exports;
  } catch {
    return undefined;
  }
}

// Whoever can write this file can run code as this user: nobody else may have been able to.
function readIfMine(file: string): Buffer | undefined {
  try {
    const { uid, mode } = fs.statSync(file);
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? unsealed(fs.readFileSync(file)) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * V8 runs damaged code and dies of it, at every start again, and the file is not synced, so a power cut can tear it. It
 * holds the code twice: comparing that is quicker than loading any module that makes digests (`zlib` takes a millisecond,
 * `crypto` four). It is for accidents; against others there is the owner of the file.
 */
function unsealed(bytes: Buffer): Buffer | undefined {
  const half = bytes.length / 2;
  const code = bytes.subarray(0, half);
  return half > 0 && code.equals(bytes.subarray(half)) ? code : undefined;
}

function keep(file: string, script: vm.Script): void {
  const temporary = `${file}.${String(process.pid)}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    setOptimising(true);
    const code = script.createCachedData();
    fs.writeFileSync(temporary, Buffer.concat([code, code]), { mode: 0o600, flag: 'wx' });
    fs.renameSync(temporary, file);
    removeOld(path.dirname(file));
  } catch {
    fs.rmSync(temporary, { force: true });
  }
}

// Of versions that are gone, and of processes that were killed in the middle.
function removeOld(folder: string): void {
  const old = Date.now() - KEPT_MILLISECONDS;
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (fs.statSync(file).atimeMs < old && fs.statSync(file).mtimeMs < old) fs.rmSync(file, { force: true });
  }
}
