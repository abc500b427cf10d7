import { expect, test } from '@jest/globals';
import { aPool, azureWorld } from '../testing/azure-world.ts';

test('what can be bought comes with the prices that were committed to', async () => {
  await using world = await azureWorld();
  const { provider } = await world.provider({ COMMITTED_PRICES: 'Standard_D2s_v3=0.01' });
  const types = await provider.getInstanceTypes(aPool, { signal: new AbortController().signal });
  const priceOf = (size: string): number | undefined =>
    types.find(({ name }) => name === size)?.offerings.find(({ capacityType }) => capacityType === 'on-demand')?.pricePerHour;
  expect([priceOf('Standard_D2s_v3'), priceOf('Standard_D4s_v3')]).toEqual([0.01, 0.192]);
});
