/** What a user may call a snapshot: words that the format has a place for, also after redaction. */
import { counted, grouped } from '../../base/counted.js';
import { contextError } from '../../base/errors.js';
import { MESSAGE_LENGTH, SHORT_TEXT, TAG_COUNT, TAG_FORM, TAG_LENGTH } from '../../format/v1/fields.js';
import type { Trigger } from '../../model/trigger.js';
import { redactText } from '../../redact/redactor.js';

export interface SnapshotWords {
  readonly message?: string;
  readonly tags?: readonly string[];
  readonly trigger?: Trigger;
}

/** Of a long text so much is repeated. */
const SHOWN = 40;

/** Refuses words that no snapshot can hold. @throws argument_malformed */
export function checkWords({ message = '', tags = [], trigger }: SnapshotWords): void {
  check({ value: message, argument: 'a message', most: MESSAGE_LENGTH });
  check({ value: trigger?.reason ?? '', argument: 'the reason of a trigger', most: SHORT_TEXT });
  if (tags.length > TAG_COUNT) {
    const reason = `a snapshot has at most ${counted(TAG_COUNT, 'tag')}`;
    throw contextError('argument_malformed', { value: counted(tags.length, 'tag'), argument: 'tags', reason });
  }
  for (const tag of tags) {
    check({ value: tag, argument: 'a tag', most: TAG_LENGTH });
    if (tag === '') throw malformed(tag, 'a tag', 'it is empty');
    if (!TAG_FORM.test(tag)) throw malformed(tag, 'a tag', 'it holds a control character');
  }
}

interface Words {
  readonly value: string;
  readonly argument: string;
  readonly most: number;
}

function check({ value, argument, most }: Words): void {
  if (/\p{Surrogate}/u.test(value))
    throw malformed(value, argument, 'it holds one half of a character (a lone surrogate)');
  const tooMany = (length: number): string => `${counted(length, 'character')}, and ${grouped(most)} is the most`;
  if (value.length > most) throw malformed(value, argument, `it has ${tooMany(value.length)}`);
  // What stands in a secret's place may be longer than the secret.
  const { length } = redactText(value).text;
  if (length <= most) return;
  throw malformed(value, argument, `without its secrets it has ${tooMany(length)}`);
}

function malformed(value: string, argument: string, reason: string): Error {
  const shown = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  const quoted = JSON.stringify(redactText(shown).text).replace(/\p{Cc}/gu, escaped);
  return contextError('argument_malformed', { value: quoted, argument, reason });
}

// JSON leaves those of the upper half as they are, and some terminals obey them.
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
