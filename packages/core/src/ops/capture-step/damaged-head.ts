/** What a capture says where the records of the snapshot before it are damaged. */
import { ContextError, contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { LoadedSnapshot } from '../../timeline/load.js';

/** What a snapshot adds to is what the one before it recorded: where that cannot be read, nothing can be added. */
export function namingHead(previous: LoadedSnapshot | undefined): (error: unknown) => never {
  return (error) => {
    if (previous === undefined || !(error instanceof ContextError) || error.kind !== 'corrupt') throw error;
    const reason = error.message.replace(/ Nothing was changed\.$/, '');
    throw contextError('head_damaged', { snapshot: shortId(previous.id), reason }, error);
  };
}

/** For a capture that began its records anew because of that. */
export function anewNotes(previous: LoadedSnapshot | undefined): readonly string[] {
  if (previous === undefined) return [];
  const what = `What the snapshot ${shortId(previous.id)} recorded of sessions cannot be read`;
  return [`${what}: this one begins anew with the logs that are here.`];
}
