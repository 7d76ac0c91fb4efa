/**
 * Numbers the calls by which a program touches the files below a directory, or starts another program, and at one of them
 * kills it, stops it, or lets the call fail; or tells of each and waits to be let go on. Loaded with `--require` it is told
 * what to do by SAVEPOINT_TEST_CALLS; loaded by a test, by `arm`, for calls of the test's own process.
 */
'use strict';
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { errno: NUMBERS } = require('node:os').constants;

// Whoever starts this file is refused by the system itself.
const NOBODY_EXECUTES = module.filename;
const { readSync, writeFileSync, writeSync } = fs;
/** Where `hold` tells of a call, and waits for a byte. */
const [TELL, WAIT] = [3, 4];
const descriptors = new Map();
let order;
let count = 0;
let struck;

/** Begins to count. */
function arm(given) {
  order = given;
  count = 0;
  struck = undefined;
  descriptors.clear();
}

/** Ends it, and returns what was counted. */
function disarm() {
  order = undefined;
  return { count, struck };
}

const CHANGES =
  /^(?:write|fsync|fdatasync|rename|link|unlink|symlink|mkdir|mkdtemp|rmdir|rm|chmod|fchmod|utimes|futimes|lutimes|truncate|ftruncate|copyFile|appendFile)/;
const READS = /^(?:read|lstat|stat|fstat|close|access|exists|opendir|realpath)/;
const isBelow = (path) => path === order.below || path.startsWith(`${order.below}/`);

function pathOf(first) {
  if (typeof first === 'number') return descriptors.get(first);
  if (typeof first !== 'string' && !Buffer.isBuffer(first)) return undefined;
  const text = String(first);
  const [, descriptor, rest] = /^\/proc\/self\/fd\/(\d+)(.*)$/s.exec(text) ?? [];
  const holder = descriptor === undefined ? undefined : descriptors.get(Number(descriptor));
  return holder === undefined ? text : `${holder}${rest}`;
}

function writesAt(flags) {
  if (typeof flags === 'number') return (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0;
  return typeof flags === 'string' && /[wa]/.test(flags);
}

function counts(name, [first, second]) {
  if (order === undefined) return undefined;
  const path = pathOf(first);
  if (path === undefined || !isBelow(path)) return undefined;
  // Of a symbolic link the second argument is the path that is made.
  const isOpen = /^open(?:Sync)?$/.test(name);
  const changes = CHANGES.test(name) || (isOpen && writesAt(second));
  return changes || (order.kinds === 'all' && (isOpen || READS.test(name))) ? path : undefined;
}

function tell() {
  writeFileSync(order.report, JSON.stringify({ count, struck }));
}

function hold(name, what) {
  writeSync(TELL, `${JSON.stringify(`${name} ${what}`)}\n`);
  readSync(WAIT, Buffer.alloc(1));
}

/** Returns the error with which this call has to fail, if it has to. */
function next(name, what) {
  if (order === undefined) return undefined;
  count += 1;
  const { act, at } = order;
  if (act === 'hold') hold(name, what);
  if (count !== at) return undefined;
  struck = `${name} ${what}`;
  if (act !== 'kill' && act !== 'stop') {
    const failure = new Error(`${act}: injected failure, ${name} '${what}'`);
    return Object.assign(failure, { code: act, errno: -NUMBERS[act], syscall: name.replace(/Sync$/, ''), path: what });
  }
  tell();
  process.kill(process.pid, act === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  return undefined;
}

function numbered(name, original) {
  const replaced = function (...args) {
    const subject = name.startsWith('symlink') ? args.slice(1) : args;
    const path = counts(name, subject);
    const failure = path === undefined ? undefined : next(name, path);
    const last = args.at(-1);
    if (failure !== undefined && name.endsWith('Sync')) throw failure;
    if (failure !== undefined && typeof last === 'function') return void process.nextTick(last, failure);
    if (failure !== undefined) return Promise.reject(failure);
    const result = original.apply(this, args);
    if (name === 'openSync') descriptors.set(result, pathOf(args[0]));
    if (name === 'closeSync') descriptors.delete(args[0]);
    return result;
  };
  return Object.assign(replaced, original);
}

for (const object of [fs, fs.promises]) {
  for (const [name, value] of Object.entries(object)) {
    const isCall =
      typeof value === 'function' && (CHANGES.test(name) || READS.test(name) || /^open(?:Sync)?$/.test(name));
    if (isCall) object[name] = numbered(name, value);
  }
}

for (const name of ['spawn', 'spawnSync']) {
  const original = childProcess[name];
  childProcess[name] = function (file, ...rest) {
    const failure = next(name, String(file));
    return original.call(this, failure === undefined ? file : NOBODY_EXECUTES, ...rest);
  };
}

syncBuiltinESMExports();
module.exports = { arm, disarm };
if (process.env.SAVEPOINT_TEST_CALLS !== undefined) {
  arm(JSON.parse(process.env.SAVEPOINT_TEST_CALLS));
  process.on('exit', tell);
}
