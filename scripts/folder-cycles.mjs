/** Fails when two folders import each other, whatever the files inside look like; dependency-cruiser sees only siblings. */
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import config from '../.dependency-cruiser.cjs';

const { output } = await cruise(['packages'], {
  ...config.options,
  includeOnly: '^packages/[^/]+/src',
  outputType: 'json',
});

const edges = new Map();
for (const { source, dependencies } of JSON.parse(output).modules) {
  // The door of a package names everything; that nobody inside uses it, a rule of dependency-cruiser demands.
  if (/^packages\/[^/]+\/src\/index\.ts$/.test(source)) continue;
  for (const { resolved } of dependencies) {
    const [from, to] = [path.posix.dirname(source), path.posix.dirname(resolved)];
    if (from === to) continue;
    if (!edges.has(from)) edges.set(from, new Set());
    edges.get(from).add(to);
  }
}
if (edges.size === 0) throw new Error('No imports found: the search itself is broken.');

function reaches(from, to, seen = new Set()) {
  for (const next of edges.get(from) ?? []) {
    if (next === to) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    if (reaches(next, to, seen)) return true;
  }
  return false;
}

const knots = [...edges.keys()].filter((folder) => reaches(folder, folder)).sort();
if (knots.length > 0) {
  console.error(`Folders in a cycle; move what both need into a folder below them:\n  ${knots.join('\n  ')}`);
  process.exitCode = 1;
} else {
  console.log(`no folder cycles (${edges.size} folders with imports)`);
}
