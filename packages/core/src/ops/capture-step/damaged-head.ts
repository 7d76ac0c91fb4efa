/** What a capture says and does where the snapshot before it is damaged. */
import { ContextError, contextError, reasonOf } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { Repository } from '../repository/repository.js';

/** What a snapshot adds to is what the one before it recorded: where that cannot be read, nothing can be added. */
export function namingHead(previous: LoadedSnapshot | undefined): (error: unknown) => never {
  return (error) => {
    if (previous === undefined || !(error instanceof ContextError) || error.kind !== 'corrupt') throw error;
    throw contextError('head_damaged', { snapshot: shortId(previous.id), reason: reasonOf(error) }, error);
  };
}

/** For a capture that began its records anew because of that. */
export function anewNotes(previous: LoadedSnapshot | undefined): readonly string[] {
  if (previous === undefined) return [];
  const what = `What the snapshot ${shortId(previous.id)} recorded of sessions cannot be read`;
  return [`${what}: this one begins anew with the logs that are here.`];
}

/** Has a worktree go on in a timeline of its own where the head of the present one cannot be read. */
export async function inNewTimeline(repository: Repository): Promise<Repository> {
  return { ...repository, self: await repository.beginTimeline(repository.self.timeline) };
}

export function newTimelineNotes(former: string): readonly string[] {
  return [
    `The newest snapshot of the timeline ${former.slice(0, 12)} cannot be read: this one begins a new timeline, and those before it stay.`,
  ];
}
