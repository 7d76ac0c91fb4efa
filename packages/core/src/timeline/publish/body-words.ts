/** Finds secrets in what a body says in words. A body is signed as it is, so there is nothing to take out. */
import type { JsonValue } from '../../base/json.js';
import type { SnapshotBody } from '../../model/snapshot.js';
import { secretIn, SEARCH, type Search } from './gate.js';

export interface WordFinding {
  /** Such as `message` or `tags[2]`. */
  readonly place: string;
  readonly kind: string;
}

/** Ids, digests and keys: long and random by nature, and checked by the format. */
const RANDOM =
  /^(?:repository|timeline|signer|parents\[\d+\]|origin\.(?:from|operation)|anchor\.(?:commit|headTree)|slices\[\d+\]\.digest|seen\[\d+\]\.(?:timeline|id))$/;

/** Returns the first secret in a body, or undefined. @throws gate_failed */
export function secretInBody(body: SnapshotBody, search: Search = SEARCH): WordFinding | undefined {
  for (const { place, text } of textsOf(body as unknown as JsonValue, '')) {
    const kind = RANDOM.test(place) ? undefined : secretIn(text, search);
    if (kind !== undefined) return { place, kind };
  }
  return undefined;
}

function* textsOf(value: JsonValue, place: string): Generator<{ readonly place: string; readonly text: string }> {
  if (typeof value === 'string') yield { place, text: value };
  else if (Array.isArray(value)) {
    for (const [index, one] of (value as readonly JsonValue[]).entries())
      yield* textsOf(one, `${place}[${String(index)}]`);
  } else if (typeof value === 'object') {
    for (const [name, one] of Object.entries(value)) {
      // Fields that this version does not know have names that it does not know either.
      yield { place: `${place === '' ? '' : `${place}.`}the name of a field`, text: name };
      yield* textsOf(one as JsonValue, place === '' ? name : `${place}.${name}`);
    }
  }
}
