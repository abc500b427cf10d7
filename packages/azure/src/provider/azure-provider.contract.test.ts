import { jest } from '@jest/globals';
import { knownRefusals } from '@karpenter/simulator/arm';
import { describeCloudProvider } from '@karpenter/testkit/contract';
import { aNodeClass, aPool, azureWorld, resolveClasses } from '../testing/azure-world.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

/** Core asks again every five seconds. */
const BETWEEN_CALLS_MS = 5000;

describeCloudProvider(
  'azure',
  async () => {
    // Resource Graph is late by nature, and the contract is about what a list says, not how soon.
    const world = await azureWorld({ latencies: { resourceGraphDelayMs: 0 } });
    const azure = await world.provider();
    return {
      provider: azure.provider,
      nodePool: aPool,
      run: async (call) => {
        const answer = await world.passing(call());
        await world.clock.advance(BETWEEN_CALLS_MS);
        return answer;
      },
      withhold: ({ instanceType: vmSize }) =>
        void world.arm.faults.add({
          operation: 'VirtualMachines_CreateOrUpdate',
          vmSize,
          effect: { kind: 'refuse', refusal: knownRefusals.skuNotAvailable(vmSize, world.arm.account.location) },
        }),
      outdate: async () => {
        const edited = { ...aNodeClass(), ...world.cluster.nodeClass(), spec: { osDiskSizeGB: 64 } };
        world.cluster.put(edited);
        await world.passing(resolveClasses(azure, world.cluster));
      },
      interruptedNode: {
        metadata: { name: 'aks-general-abcde' },
        status: {
          conditions: [{ type: 'VMEventScheduled', status: 'True', message: 'Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.' }],
        },
      },
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  },
  {
    R29: 'a node of AKS needs nothing beside what Kubernetes asks for',
    R30: 'Azure launches into a capacity reservation by a group that no AKSNodeClass can name yet',
  },
);
