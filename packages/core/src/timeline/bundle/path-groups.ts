/** Paths by their first component: the order in which a bundle walks down a worktree. */

export interface PathGroup {
  readonly name: string;
  /** True where one of the paths is just this name. */
  readonly isFile: boolean;
  /** The others, without the name and its slash. */
  readonly below: readonly string[];
}

/** Returns the groups in the order of their first path. `paths` are in the byte order of paths, each once. */
export function groupByFirst(paths: readonly string[]): readonly PathGroup[] {
  const groups = new Map<string, { isFile: boolean; below: string[] }>();
  for (const path of paths) {
    const slash = path.indexOf('/');
    const name = slash < 0 ? path : path.slice(0, slash);
    const group = groups.get(name) ?? { isFile: false, below: [] };
    if (slash < 0) group.isFile = true;
    else group.below.push(path.slice(slash + 1));
    groups.set(name, group);
  }
  return [...groups].map(([name, group]) => ({ name, ...group }));
}
