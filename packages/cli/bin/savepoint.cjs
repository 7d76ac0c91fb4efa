#!/usr/bin/env node
// Starts dist/boot.cjs; in a fresh clone, where nothing is built yet, builds it first.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const boot = path.join(__dirname, '..', 'dist', 'boot.cjs');
if (!fs.existsSync(boot)) build();
require(boot);

function build() {
  const recipe = path.join(__dirname, '..', 'build.mjs');
  const { status } = fs.existsSync(recipe)
    ? require('node:child_process').spawnSync(process.execPath, [recipe], { stdio: ['ignore', 2, 2] })
    : { status: 1 };
  if (status === 0 && fs.existsSync(boot)) return;
  process.stderr.write('Savepoint is not built. Run `npm ci` in its repository, or install the package again.\n');
  process.exit(1);
}
