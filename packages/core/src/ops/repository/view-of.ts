/** Sets up what a reading op looks at, as it was at the snapshot that `--at` names. */
import { fixedRefs } from '../../store/fixed-refs.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { View } from '../../timeline/view.js';
import type { History } from './repository.js';

export function viewOf(repository: History): View {
  const { store, local, clock, self, id, revision } = repository;
  return {
    store: fixedRefs(store),
    local,
    clock,
    repository: id,
    manual: self.timeline,
    own: self.timelines,
    ...(revision !== undefined && { revision }),
  };
}

/** Returns the view in which nothing exists that came after the snapshot `at`. @throws as resolving a selector does */
export async function viewAt(repository: History, at: string | undefined): Promise<View> {
  const view = viewOf(repository);
  if (at === undefined) return view;
  const { snapshot, timeline } = await resolveSelector(view, at);
  return { ...view, cutoff: { timeline, commit: snapshot.commit.id, createdAt: snapshot.body.createdAt } };
}
