/** A view of a store in which refs stand still, so that one question has one answer, and is asked of git once. */
import type { Ref, Store } from './store.js';

/** Returns the store as it is when its refs are first asked for; objects are read, and refs moved, as ever. */
export function fixedRefs(store: Store): Store {
  let all: Promise<readonly Ref[]> | undefined;
  const refs = (): Promise<readonly Ref[]> => (all ??= store.refs(''));
  return {
    objectFormat: store.objectFormat,
    refs: async (prefix) => (await refs()).filter(({ name }) => name.startsWith(prefix)),
    resolve: async (wanted) => (await refs()).find(({ name }) => name === wanted)?.target,
    updateRef: (name, target, expected) => store.updateRef(name, target, expected),
    info: (ids) => store.info(ids),
    read: (id, type) => store.read(id, type),
    stream: (id) => store.stream(id),
    tree: (id) => store.tree(id),
    commit: (id) => store.commit(id),
    history: (from, options) => store.history(from, options),
    compare: (a, b) => store.compare(a, b),
    readAhead: (commits, files) => store.readAhead(commits, files),
    writer: (options) => store.writer(options),
    close: () => store.close(),
  };
}
