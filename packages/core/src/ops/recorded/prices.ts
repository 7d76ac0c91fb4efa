/** The price table that holds here: what the user's own settings name, else the one that Savepoint comes with. */
import { contextError } from '../../base/errors.js';
import { readPriceTable } from '../../timeline/ledger/price-table.js';
import { PRICES, type PriceTable } from '../../timeline/ledger/prices.js';
import type { Repository } from '../repository/repository.js';

/** @throws prices_unreadable */
export function pricesOf({ settings, priceTable }: Pick<Repository, 'settings' | 'priceTable'>): PriceTable {
  const path = settings['ledger.prices'];
  if (path === '' || priceTable === undefined) return PRICES;
  const table = readPriceTable(priceTable(path), path);
  if (typeof table === 'string') throw contextError('prices_unreadable', { path, reason: table });
  return table;
}
