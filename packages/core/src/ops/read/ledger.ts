/** `ledger`: tokens and money, at a snapshot or between two. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { receiptBetween, receiptOf, type Receipt } from '../../timeline/ledger/receipt.js';
import { readPriceTable } from '../../timeline/ledger/price-table.js';
import type { PriceTable } from '../../timeline/ledger/prices.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readLedgers } from '../../timeline/recorded/recorded.js';
import { resolveSelector } from '../../timeline/select/select.js';
import { pricesOf } from '../recorded/prices.js';
import type { Repository } from '../repository/repository.js';
import { viewAt } from '../repository/view-of.js';

export interface LedgerRequest {
  readonly repository: Repository;
  /** Default `head`. */
  readonly selector?: string;
  /** Only what came after this snapshot. */
  readonly since?: string;
  /** JSON of a price table; default: the one that the user's settings name, else the one that Savepoint comes with. */
  readonly prices?: Uint8Array;
  /** Only what existed at this snapshot's time (global `--at`). */
  readonly at?: string;
}

/** One end of the interval that is asked for. */
export interface LedgerEnd {
  readonly id: string;
  readonly shortId: string;
  readonly createdAt: string;
}

export interface LedgerResult extends Receipt {
  readonly from?: LedgerEnd;
  readonly to: LedgerEnd;
}

/**
 * Returns the receipt of a snapshot: each request to a model once, the totals, and what was saved.
 * @throws as resolving a selector does; argument_malformed and prices_unreadable for a price table that is none; object_missing; format_unreadable
 * @example
 * const { totals, byModel } = await ledger({ repository });
 * console.log(totals.requests, totals.input, totals.costMicros ?? 'unknown', Object.keys(byModel));
 */
export async function ledger(request: LedgerRequest): Promise<LedgerResult> {
  const { repository, selector = 'head', since } = request;
  const { store } = repository;
  const prices = request.prices === undefined ? pricesOf(repository) : tableIn(request.prices);
  const view = await viewAt(repository, request.at);
  const { snapshot: to } = await resolveSelector(view, selector);
  if (since === undefined) return { ...receiptOf(await readLedgers(store, to), prices), to: endOf(to) };
  const { snapshot: from } = await resolveSelector(view, since);
  const [before, after] = await Promise.all([readLedgers(store, from), readLedgers(store, to)]);
  return { ...receiptBetween({ from: before, to: after }, prices), from: endOf(from), to: endOf(to) };
}

function endOf({ id, body }: LoadedSnapshot): LedgerEnd {
  return { id, shortId: shortId(id), createdAt: body.createdAt };
}

function tableIn(bytes: Uint8Array): PriceTable {
  const table = readPriceTable(bytes, '--prices');
  if (typeof table !== 'string') return table;
  throw contextError('argument_malformed', { argument: '--prices', value: 'the price table', reason: table });
}
