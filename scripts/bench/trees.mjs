/** Makes the repositories that are measured: trees of source files, about 15 in a folder, some dirty against HEAD. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { git, run, sleep } from './measure.mjs';
import { between, prose, seeded, sourceText } from './words.mjs';

const FILES_PER_FOLDER = 15;
const FOLDERS_PER_FOLDER = 9;

/** A home without anything but the author's name. */
export function makeHome(base) {
  const home = path.join(base, 'home');
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = Bench\n\temail = bench@example.org\n');
  return home;
}

/** Makes a repository of so many tracked files, all in one commit and one pack, and returns its place. */
export function makeRepository({ base, name, files }) {
  const home = makeHome(base);
  const place = { root: path.join(base, name), home, files: fileNames(files) };
  fs.mkdirSync(place.root, { recursive: true });
  git(place, 'init', '-q', '-b', 'main');
  const random = seeded(files);
  for (const file of place.files) write(place, file, sourceText(random, Math.ceil(300 * 40 ** random())));
  write(place, '.gitignore', 'build/\n*.log\n');
  // The threshold makes git write one pack: loose objects are slow to look for, and nobody has 50,000 of them.
  git(place, '-c', 'core.bigFileThreshold=1', 'add', '-A');
  git(place, 'commit', '-q', '-m', 'First');
  git(place, 'repack', '-adq', '--window=3');
  makeUntidy(place, random);
  return place;
}

// What a worktree has besides tracked files: all of it has to be looked at, or known to be none of our business.
function makeUntidy(place, random) {
  for (const number of Array(5).keys()) write(place, `notes/${number}.md`, prose(random, 1000));
  for (const number of Array(100).keys()) write(place, `build/out/${number}.js`, sourceText(random, 500));
  for (const name of ['empty/one', 'empty/two', 'src/empty'])
    fs.mkdirSync(path.join(place.root, name), { recursive: true });
  fs.chmodSync(path.join(place.root, place.files[0]), 0o600);
}

/** Folder after folder in the order of a tree in which every folder has up to nine others. */
function fileNames(count) {
  const folders = ['src'];
  for (let at = 0; folders.length * FILES_PER_FOLDER < count; at += 1) {
    for (let inner = 0; inner < FOLDERS_PER_FOLDER; inner += 1) folders.push(`${folders[at]}/part-${inner}`);
  }
  const names = folders.flatMap((folder) =>
    Array.from({ length: FILES_PER_FOLDER }, (_, at) => `${folder}/file-${at}.ts`),
  );
  return names.slice(0, count);
}

export function write(place, file, content) {
  const target = path.join(place.root, file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, content);
}

/** Copies a repository with all its times; git's index is told of the new inodes. */
export function copyRepository(place, name) {
  const copy = { ...place, root: path.join(path.dirname(place.root), name) };
  run(['cp', '-a', place.root, copy.root], { root: path.dirname(place.root), home: place.home });
  git(copy, 'status', '--porcelain');
  return copy;
}

/** Makes so many tracked files dirty, spread over the tree; returns their names. A larger set holds the smaller one. */
export function makeDirty(place, count) {
  const step = Math.max(1, Math.floor(place.files.length / 500));
  const dirty = Array.from({ length: count }, (_, at) => place.files[(at * 17 * step + 1) % place.files.length]);
  const names = [...new Set(dirty)];
  if (names.length !== count) throw new Error(`${count} dirty files were wanted, ${names.length} came out`);
  for (const file of names) append(place, file, '// dirty since long\n');
  return names;
}

let edits = 0;

/** Changes each of the files, to content that was never there before. */
export function edit(place, files) {
  const random = seeded((edits += 1));
  for (const file of files) append(place, file, `// edit ${edits}: ${prose(random, between(random, 20, 80))}\n`);
}

// Always the original and one line: files do not grow with the number of runs.
const originals = new Map();
function append(place, file, line) {
  const target = path.join(place.root, file);
  if (!originals.has(target)) originals.set(target, fs.readFileSync(target));
  fs.writeFileSync(target, Buffer.concat([originals.get(target), Buffer.from(line)]));
}

/** Lets what was written reach the disk, and lets modification times become old. */
export async function settle() {
  spawnSync('sync');
  await sleep(3000);
}

export function remove(...places) {
  for (const { root } of places) {
    fs.rmSync(root, { recursive: true, force: true });
    for (const file of originals.keys()) if (file.startsWith(`${root}${path.sep}`)) originals.delete(file);
  }
}
