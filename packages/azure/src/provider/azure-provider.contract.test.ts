import { jest } from '@jest/globals';
import { describeCloudProvider } from '@karpenter/testkit/contract';
import { aPool, azureWorld } from '../testing/azure-world.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

/** Core asks again every five seconds. */
const BETWEEN_CALLS_MS = 5000;

describeCloudProvider('azure', async () => {
  // Resource Graph is late by nature, and the contract is about what a list says, not how soon.
  const world = await azureWorld({ latencies: { resourceGraphDelayMs: 0 } });
  const { provider } = await world.provider();
  return {
    provider,
    nodePool: aPool,
    run: async (call) => {
      const answer = await world.passing(call());
      await world.clock.advance(BETWEEN_CALLS_MS);
      return answer;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
});
