import { ledger } from '@savepoint/core';
import { AT_OPTION } from '../../arguments/definition.js';
import { given } from '../../arguments/values.js';
import { defineCommand } from '../../face/command.js';
import { ledgerView } from '../../views/read/ledger.js';

export const ledgerCommand = defineCommand({
  name: 'ledger',
  summary: 'shows the tokens and the money that a snapshot has spent and saved',
  details: [
    'Each request to a model is counted once, however often forks, resumed sessions and subagents repeat it. What is not known is not 0: it is counted as unknown.',
    'Money follows from a table of list prices with a date (`docs/prices.md`). `--prices` takes another one, and `savepoint config set ledger.prices FILE` does so for every command: `{"date": "2026-11-21", "models": {"NAME": {"input": 3000000, "output": 15000000, "cacheRead": 300000, "cacheWrite": 3750000, "cacheWriteLong": 6000000}}}`, in millionths of a US dollar for a million tokens. A model may have `"upTo": 200000`: requests of more tokens of input have no price then. It may have a list of prices, all but the oldest with `"from": "2026-06-01"`: each request has the price of its day.',
  ],
  arguments: { selector: { label: 'SELECTOR', summary: 'Which snapshot; without it the head', optional: true } },
  options: {
    since: { value: 'SELECTOR', summary: 'Only what came after this snapshot' },
    prices: { value: 'FILE', summary: 'Use this price table' },
    at: AT_OPTION,
  },
  examples: [
    { command: 'savepoint ledger', does: 'All that was spent up to now' },
    { command: 'savepoint ledger --since tag:safe', does: 'What was spent since then' },
  ],
  ops: { ledger },
  async run({ face, arguments: words, options, ops }) {
    const { repository } = await face.open();
    const { since, at, prices } = options;
    const table = prices === undefined ? undefined : face.read(prices);
    const result = await ops.ledger({ repository, ...given({ selector: words.selector, since, at, prices: table }) });
    return { data: result, lines: () => ledgerView(result, face.layout) };
  },
});
