/** Does for real what a step of a user or of git says; what is impossible just then is not done. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import type { FixtureRepository } from '../repositories/repository.js';
import type { FileStep, GitStep } from './script/steps.js';

export function actAsUser(fixture: FixtureRepository, step: FileStep | GitStep): void {
  if (step.do === 'git') {
    fixture.run({ args: step.args, accept: 'any' });
    return;
  }
  if (step.do === 'ignore') {
    const file = fixture.path(step.file);
    if (makeRoom(dirname(file)) && !isDirectory(file))
      writeFileSync(unlinked(file), step.patterns.map((one) => `${one}\n`).join(''));
    return;
  }
  const path = fixture.path(step.name);
  if (!makeRoom(dirname(path))) return;
  actOnFile(fixture, path, step);
}

function actOnFile(fixture: FixtureRepository, path: string, step: Exclude<FileStep, { readonly do: 'ignore' }>): void {
  switch (step.do) {
    case 'write':
      writeFileSync(unlinked(path), step.text);
      break;
    case 'append':
      if (stats(path)?.isFile() === true) appendFileSync(path, step.text);
      break;
    case 'delete':
      rmSync(path, { recursive: true, force: true });
      break;
    case 'directory':
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path);
      break;
    case 'rename':
      rename(path, fixture.path(step.to));
      break;
    case 'chmod':
      changeMode(path, step.mode);
      break;
    case 'link':
      rmSync(path, { recursive: true, force: true });
      symlinkSync(step.target, path);
      break;
    case 'fifo':
      rmSync(path, { recursive: true, force: true });
      spawnSync('mkfifo', [path]);
      break;
    case 'nest':
      if (isDirectory(path) && !holdsTracked(fixture, step.name)) fixture.run({ args: ['init', '-q', '.'], cwd: path });
      break;
  }
}

function stats(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isDirectory(path: string): boolean {
  return stats(path)?.isDirectory() === true;
}

/** Makes the directories for a path; false where something else stands in the way. */
function makeRoom(directory: string): boolean {
  for (let at = directory; ; at = dirname(at)) {
    const there = lstatOrBlocked(at);
    if (there === 'blocked') continue;
    if (there === undefined) continue;
    if (!there.isDirectory()) return false;
    break;
  }
  mkdirSync(directory, { recursive: true });
  return true;
}

function lstatOrBlocked(path: string): Stats | 'blocked' | undefined {
  try {
    return stats(path);
  } catch {
    return 'blocked'; // a file is above it
  }
}

/** Takes away what a write would otherwise go through or fail on. */
function unlinked(path: string): string {
  rmSync(path, { recursive: true, force: true });
  return path;
}

function rename(from: string, to: string): void {
  if (stats(from) === undefined || to === from || to.startsWith(`${from}/`) || from.startsWith(`${to}/`)) return;
  if (!makeRoom(dirname(to))) return;
  rmSync(to, { recursive: true, force: true });
  renameSync(from, to);
}

// Directories keep what everybody needs to walk them.
function changeMode(path: string, mode: number): void {
  const there = stats(path);
  if (there?.isFile() === true) chmodSync(path, mode);
  if (there?.isDirectory() === true) chmodSync(path, mode | 0o700);
}

// As for git, what holds tracked files is no repository of its own, whatever is made in it.
function holdsTracked(fixture: FixtureRepository, name: string): boolean {
  return fixture.git('ls-files', '--', `:(literal)${name}`) !== '';
}
