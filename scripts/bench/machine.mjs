/** What the figures depend on: the machine, its software, and how long the smallest things take on it. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median, ROOT, run } from './measure.mjs';

const PROBES = 21;

export function describeMachine(place) {
  const cpus = os.cpus();
  const dirty = text('git', ['-C', ROOT, 'status', '--porcelain', '--', 'packages']) !== '';
  return {
    // Makers write what it is behind its name.
    cpu: cpus[0]?.model.replace(/\s*(?:\d+-Core )?Processor\b.*$/, '').trim() ?? 'unknown',
    cores: cpus.length,
    memory: os.totalmem(),
    kernel: `${os.type()} ${os.release()} ${os.arch()}`,
    fileSystem: fileSystem(place.root),
    node: process.version,
    git: text('git', ['--version']).replace('git version ', ''),
    date: new Date().toISOString().slice(0, 10),
    load: os.loadavg()[0],
    version: `${text('git', ['-C', ROOT, 'rev-parse', '--short=12', 'HEAD']) || 'unknown'}${dirty ? ' with changes' : ''}`,
    emptyNode: probe(() => run([process.execPath, '-e', '0'], place).milliseconds),
    emptyGit: probe(() => run(['git', '--version'], place).milliseconds),
    sync: probe(() => syncSmallFile(place.root)),
  };
}

function text(command, args) {
  return String(spawnSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] }).stdout ?? '').trim();
}

function fileSystem(directory) {
  if (os.type() !== 'Linux') return 'unknown';
  return text('df', ['--output=fstype', directory]).split('\n').at(-1) || 'unknown';
}

function probe(measure) {
  return median(Array.from({ length: PROBES }, measure));
}

/** A new file of 4 KiB, made durable as one of a pack is. */
function syncSmallFile(directory) {
  const file = path.join(directory, 'probe');
  const start = performance.now();
  fs.writeFileSync(file, Buffer.alloc(4096, 1), { flush: true });
  const milliseconds = performance.now() - start;
  fs.rmSync(file);
  return milliseconds;
}
