/** What each snapshot of a list has spent. Snapshots share most of their ledgers, and what is summed once is remembered. */
import { strictText, utf8 } from '../../base/bytes.js';
import { LEDGER_FOLDER } from '../../format/v1/layout.js';
import { blake3 } from '../../format/digest.js';
import type { PriceTable } from '../../timeline/ledger/prices.js';
import { spentIn, type Spending } from '../../timeline/ledger/receipt.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import { readLedgers } from '../../timeline/recorded/recorded.js';
import { folderTree } from '../../timeline/snapshot/slices.js';
import type { View } from '../../timeline/view.js';

/** Tokens of all requests up to a snapshot, and what they cost in millionths of a US dollar. */
export type SpentTokens = Spending;

const CACHE = 'cache/spent.json';
/** So many ledgers are remembered, the newest. */
const REMEMBERED = 2000;

/** Resolves with a function that gives `{spent}` of a snapshot, or nothing where it has no ledger that can be read. */
export async function spentBy(
  view: View,
  snapshots: readonly LoadedSnapshot[],
  pricesOf: () => PriceTable,
): Promise<(snapshot: LoadedSnapshot) => { readonly spent?: SpentTokens }> {
  const ledgers = snapshots.flatMap((snapshot) => {
    const tree = folderTree(snapshot, LEDGER_FOLDER);
    return tree === undefined ? [] : [{ snapshot, tree }];
  });
  if (ledgers.length === 0) return () => ({});
  const prices = pricesOf();
  const known = await recall(view, nameOf(prices));
  let isNew = false;
  for (const { snapshot, tree } of ledgers) {
    if (known.has(tree)) continue;
    // Damage is for `verify` to tell.
    const read = await readLedgers(view.store, snapshot).catch(() => undefined);
    if (read === undefined) continue;
    known.set(tree, spentIn(read, prices));
    isNew = true;
  }
  if (isNew) await keep(view, known, nameOf(prices)).catch(() => undefined);
  return (snapshot) => {
    const spent = known.get(folderTree(snapshot, LEDGER_FOLDER) ?? '');
    // A ledger without a request says nothing of what was spent.
    return spent === undefined || spent.requests === 0 ? {} : { spent };
  };
}

/** Sums of money hold for the table that they were made with; the number is that of the form of what is remembered. */
function nameOf({ models }: PriceTable): string {
  return `2 ${blake3(utf8(JSON.stringify(models)))}`;
}

async function recall({ local }: View, name: string): Promise<Map<string, SpentTokens>> {
  try {
    const text = strictText((await local.read(CACHE)) ?? new Uint8Array()) ?? '';
    const { prices, spent } = JSON.parse(text) as { prices: string; spent: [string, SpentTokens][] };
    return prices === name ? new Map(spent) : new Map();
  } catch {
    return new Map();
  }
}

async function keep({ local }: View, known: ReadonlyMap<string, SpentTokens>, prices: string): Promise<void> {
  const plain = { prices, spent: [...known].slice(-REMEMBERED) };
  await local.write(CACHE, utf8(JSON.stringify(plain)), { cache: true });
}
