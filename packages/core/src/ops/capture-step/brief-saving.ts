/** What a brief saves: the tokens of what stood before the model, which would be read again without it, against its own. */
import { contextError } from '../../base/errors.js';
import { blake3 } from '../../format/digest.js';
import { shortId } from '../../format/v1/body.js';
import { estimatedTokens } from '../../model/context/item.js';
import { BRIEF } from '../../model/context/ledger.js';
import { windowStates } from '../../timeline/context/window-state.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readItems, readSessions, type SessionItems } from '../../timeline/recorded/recorded.js';
import type { SavingInput } from '../../timeline/save/records/hand-savings.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { Repository } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';
import type { CaptureRequest } from './capture-step.js';

/** @throws as resolving a selector does; argument_malformed where the snapshot tells of no window; object_missing; format_unreadable */
export async function briefSaving(
  repository: Repository,
  { brief, by }: Pick<CaptureRequest, 'brief' | 'by'>,
): Promise<readonly SavingInput[]> {
  if (brief === undefined) return [];
  const { text, of = 'head' } = brief;
  const { snapshot } = await resolveSelector(await viewAt(repository, undefined), of);
  const baseline = (await windowsOf(repository, snapshot)).reduce((sum, window) => sum + tokensOf(window), 0);
  if (baseline === 0)
    throw contextError('argument_malformed', {
      argument: 'what a brief stands for',
      value: shortId(snapshot.id),
      reason: 'that snapshot does not tell what stood before a model',
    });
  const { count: sent } = estimatedTokens('snippet', text.length);
  // The same brief, given to another run, saves again.
  const id = [snapshot.id, blake3(text), by?.id ?? ''].join(' ');
  return [{ tool: BRIEF, baseline, sent, id, estimated: true }];
}

/** Of the session that the snapshot is of; of all where it is of none. */
async function windowsOf({ store }: Repository, snapshot: LoadedSnapshot): Promise<readonly SessionItems[]> {
  const [all, sessions] = await Promise.all([readItems(store, snapshot), readSessions(store, snapshot)]);
  const { session } = snapshot.body;
  const own = sessions.find(({ agent, agentSessionId }) => agent === session?.agent && agentSessionId === session.id);
  return own === undefined ? all : all.filter((one) => one.session === own.id);
}

/** As the provider counted it where it did. */
function tokensOf({ items, window }: SessionItems): number {
  if (window.tokens !== undefined) return window.tokens;
  const states = windowStates(window);
  const inside = items.filter(({ sequence, inside: host }) => host === undefined && states(sequence) === 'in');
  return inside.reduce((sum, { tokens }) => sum + tokens.count, 0);
}
