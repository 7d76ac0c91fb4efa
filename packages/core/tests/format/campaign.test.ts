import { expect, it } from 'vitest';
import { runCampaign } from './campaign.js';

it('generated bodies verify after encode, store, load and another encode', async () => {
  const { bodies, distinct } = await runCampaign({ count: 1500, seed: 20261121 });
  expect(bodies).toBe(1500);
  expect(distinct).toBeGreaterThan(1490);
});
