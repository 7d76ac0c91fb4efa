/** Bundles the command line into `dist/`: the start, what it begins early, a program for each kind of work that is waited for, the program with everything, and chrono-node. */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const dist = path.join(here, 'dist');
const { version } = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const require = createRequire(import.meta.url);

/** Modules that stay files of their own and are loaded when they are reached, by what is written after `import`. */
const OWN_FILES = {
  'chrono-node/en': './chrono.cjs',
};

const ownFiles = {
  name: 'own-files',
  setup({ onResolve }) {
    onResolve({ filter: /^chrono-node\/en$/ }, ({ path: name, kind }) =>
      kind === 'entry-point' ? undefined : { path: OWN_FILES[name], external: true },
    );
  },
};

const bundle = (entry, name) =>
  build({
    entryPoints: [path.join(here, entry)],
    outfile: path.join(dist, name),
    absWorkingDir: here,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // `require` is quicker than `import()`, which starts the loader of ES modules.
    supported: { 'dynamic-import': false },
    conditions: ['source'],
    define: { SAVEPOINT_VERSION: JSON.stringify(version) },
    plugins: [ownFiles],
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });

/** Node has loaded these when a program starts. */
const LOADED = ['node:fs', 'node:path'];

/**
 * esbuild asks for a built-in module again in each file that imports it, and copies every property of it for each that
 * imports it whole: two milliseconds of every start. One answer for all does as well, and an object that inherits from it.
 * What Node has not loaded (`child_process` and `crypto` cost five milliseconds each) is asked for when it is used.
 */
function shareBuiltIns(file) {
  const bundled = fs.readFileSync(file, 'utf8');
  const helpers =
    'var builtIns={},wholeBuiltIns={},builtIn=n=>builtIns[n]||(builtIns[n]=require(n)),' +
    'wholeBuiltIn=n=>wholeBuiltIns[n]||(wholeBuiltIns[n]=Object.create(builtIn(n),{default:{value:builtIn(n)}})),' +
    'lateBuiltIns={},lateBuiltIn=n=>lateBuiltIns[n]||(lateBuiltIns[n]=new Proxy({},' +
    '{get:(_,k)=>k==="default"?lateBuiltIn(n):builtIn(n)[k]}));';
  const shared = bundled
    .replace(/(?<![\w$])[\w$]+\(require\("(node:[\w/]+)"\), ?1\)/g, (_, name) =>
      LOADED.includes(name) ? `wholeBuiltIn("${name}")` : `lateBuiltIn("${name}")`,
    )
    .replace(/(?<![\w$])require\("(node:[\w/]+)"\)/g, (_, name) =>
      LOADED.includes(name) ? `builtIn("${name}")` : `lateBuiltIn("${name}")`,
    );
  if (!shared.includes('wholeBuiltIn('))
    throw new Error(`${file} imports no built-in module as a whole: esbuild does it otherwise now`);
  if (Buffer.byteLength(shared) !== shared.length) throw new Error(`${file} is not ASCII; it is read as such`);
  fs.writeFileSync(file, shared.replace('"use strict";', `"use strict";${helpers}`));
}

async function bundleChrono() {
  const contents = "export * from 'chrono-node/en';";
  const options = {
    absWorkingDir: here,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minify: true,
    metafile: true,
  };
  const stdin = { contents, resolveDir: here, loader: 'js' };
  return build({ ...options, stdin, outfile: path.join(dist, 'chrono.cjs'), logLevel: 'error' });
}

/** The licence of every package whose code is in a bundle has to go with it. */
function licences(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = new Set(inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
  return [...folders].sort().map((folder) => {
    const absolute = path.resolve(here, folder);
    const { name, version: its, license } = require(path.join(absolute, 'package.json'));
    const file = fs.readdirSync(absolute).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${fs.readFileSync(path.join(absolute, file), 'utf8').trim()}\n`;
    return `${name} ${its} (${license})\n${text}`;
  });
}

/** Nothing may be needed at run time but Node itself, and what is to be loaded late must not be inside. */
function checkBundles(results) {
  for (const { outputs, inputs } of results.map(({ metafile }) => metafile)) {
    for (const [name, { imports }] of Object.entries(outputs)) {
      const foreign = imports.filter(
        ({ path: to }) => !to.startsWith('node:') && !Object.values(OWN_FILES).includes(to),
      );
      if (foreign.length > 0) throw new Error(`${name} needs ${foreign.map(({ path: to }) => to).join(', ')}`);
      const late = Object.keys(inputs).filter((input) => input.includes('node_modules/chrono-node/'));
      if (late.length > 0 && !name.endsWith('chrono.cjs')) throw new Error(`${name} holds ${late[0]}`);
    }
  }
}

/** What is bundled, by the file that it becomes. */
const PROGRAMS = {
  'boot.cjs': 'main.ts',
  'foresight.cjs': 'foresight-program.ts',
  'capture.cjs': 'capture-program.ts',
  'look.cjs': 'look-program.ts',
  'verify.cjs': 'verify-program.ts',
  'rewind.cjs': 'rewind-program.ts',
  'savepoint.cjs': 'whole-program.ts',
};

fs.mkdirSync(dist, { recursive: true });
const programs = Object.entries(PROGRAMS).map(([name, entry]) => bundle(`src/${entry}`, name));
const results = await Promise.all([...programs, bundleChrono()]);
checkBundles(results);
for (const name of Object.keys(PROGRAMS)) shareBuiltIns(path.join(dist, name));
fs.writeFileSync(path.join(dist, 'licences.txt'), `Savepoint contains code of:\n\n${licences(results).join('\n')}`);
