/** What can be added by hand: refused before anything is done where a snapshot has no place for it. */
import { counted } from '../../base/counted.js';
import { contextError } from '../../base/errors.js';
import type { ItemInput } from '../../timeline/save/records/hand-items.js';
import type { CaptureRequest } from './capture-step.js';
import { BRIEF } from '../../model/context/ledger.js';
import { lineCount } from '../../timeline/recorded/lines.js';
import { redactText } from '../../redact/redactor.js';
import type { HandRecords } from '../../timeline/save/records/hand-records.js';
import type { SavingInput } from '../../timeline/save/records/hand-savings.js';

/** A capture takes in at most this many items. */
const MOST_ITEMS = 1000;
const LONGEST_PATH = 4096;

/** Names of agents and tools, as the format has them. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const LONGEST_ID = 200;

/** @throws argument_malformed */
export function checkHand(hand: Partial<HandRecords> & Pick<CaptureRequest, 'brief'>, maxBytes: number): void {
  const { items, evict, savings, by, brief } = hand;
  if (items !== undefined) checkItems(items, maxBytes);
  if (savings !== undefined) checkSavings(savings);
  if (evict !== undefined && (evict.length > MOST_ITEMS || evict.includes('')))
    refuse('items', 'one to a thousand can be evicted at a time, each by its id');
  if (brief !== undefined && (brief.text.length === 0 || brief.text.length > maxBytes))
    refuse('brief', `it is empty or has more than ${String(maxBytes)} bytes (capture.maxFileBytes)`, 'a brief');
  if (by === undefined) return;
  if (!isName(by.agent)) refuse(by.agent, NO_NAME, 'an agent');
  if (!isId(by.id)) refuse(by.id, NO_ID, 'a session');
}

const NO_NAME = 'it is a word of letters, digits, dots, dashes and underscores, and no secret';
const NO_ID = `it is empty, longer than ${String(LONGEST_ID)} characters or no text`;

/** A name stands in the snapshot as it is: nothing can be taken out of it. */
function isName(name: string): boolean {
  return NAME.test(name) && redactText(name).text === name;
}

function isId(id: string): boolean {
  return id !== '' && id.length <= LONGEST_ID && !/[\p{Cc}\p{Surrogate}]/u.test(id);
}

function checkSavings(savings: readonly SavingInput[]): void {
  if (savings.length === 0 || savings.length > MOST_ITEMS)
    refuse('savings', 'one to a thousand can be told at a time', 'a saving');
  for (const { tool, baseline, sent, id } of savings) {
    if (!isName(tool)) refuse(tool, NO_NAME, 'a context tool');
    if (tool === BRIEF) refuse(tool, 'what a brief saves is counted by Savepoint itself', 'a context tool');
    for (const tokens of [baseline, sent])
      if (!(Number.isSafeInteger(tokens) && tokens >= 0))
        refuse(String(tokens), 'it is a whole number', 'a number of tokens');
    if (id !== undefined && !isId(id)) refuse(id, NO_ID, "a saving's id");
  }
}

function checkItems(items: readonly ItemInput[], maxBytes: number): void {
  if (items.length === 0 || items.length > MOST_ITEMS) refuse('items', 'one to a thousand can be added at a time');
  for (const { kind, path, content, range } of items) {
    const name = path ?? kind;
    if (path !== undefined && (path === '' || path.length > LONGEST_PATH || /[\0\p{Surrogate}]/u.test(path)))
      refuse(name, `its name is empty, longer than ${String(LONGEST_PATH)} characters or no text`);
    if (content.length > maxBytes) refuse(name, `it has more than ${String(maxBytes)} bytes (capture.maxFileBytes)`);
    if (range === undefined) continue;
    if (kind !== 'file') refuse(name, 'only a file has lines');
    const { from, to } = range;
    if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 1 && from <= to))
      refuse(name, 'its lines do not go from a number above 0 to one that is not smaller');
    const lines = lineCount(content);
    if (from > lines) refuse(name, `it has ${counted(lines, 'line')}`);
  }
}

function refuse(name: string, reason: string, argument = 'an item'): never {
  const value = JSON.stringify(redactText(name.slice(0, 100)).text);
  throw contextError('argument_malformed', { argument, value, reason });
}
