import { jest } from '@jest/globals';
import { type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { knownRefusals } from '@karpenter/simulator/arm';
import { describeCloudProvider, type SkippedRules } from '@karpenter/testkit/contract';
import { aNodeClass, aPool, azureWorld, resolveClasses } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

/** Core asks again every five seconds. */
const BETWEEN_CALLS_MS = 5000;

type Mode = 'aksscriptless' | 'bootstrappingclient' | 'aksmachineapi' | 'aksmachineapiheaderbatch';

const createOf = (mode: Mode): string => (mode.startsWith('aksmachineapi') ? 'Machines_CreateOrUpdate' : 'VirtualMachines_CreateOrUpdate');

/** The same rules, however machines are made. */
const describeMode = (mode: Mode, notKept: SkippedRules): void =>
  describeCloudProvider(
    `azure ${mode}`,
    async () => {
      // Resource Graph is late by nature, and the contract is about what a list says, not how soon.
      const world = await azureWorld({ latencies: { resourceGraphDelayMs: 0 }, variables: { PROVISION_MODE: mode } });
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
            operation: createOf(mode),
            vmSize,
            effect: { kind: 'refuse', refusal: knownRefusals.skuNotAvailable(vmSize, world.arm.account.location) },
          }),
        outdate: async () => {
          const edited = { ...aNodeClass(), ...world.cluster.nodeClass(), spec: { osDiskSizeGB: 64 } };
          world.cluster.put(edited);
          await world.passing(resolveClasses(azure, world.cluster));
        },
        inPlace: {
          edit: () => {
            const edited = { ...aNodeClass(), ...world.cluster.nodeClass(), spec: { ...aNodeClass().spec, tags: { owner: 'search' } } };
            world.cluster.put(edited);
            return Promise.resolve();
          },
          update: async (claim) => {
            // It joins when Azure has made it as a whole.
            await world.passing(azure.idle());
            await world.clock.advance(2 * BETWEEN_CALLS_MS);
            const conditions = [{ type: nodeClaimConditions.registered, status: 'True' as const }];
            world.cluster.put({ ...claim, status: { ...claim.status, conditions } } as NodeClaim & NamedObject);
            await world.passing(resolveClasses(azure, world.cluster));
          },
          isDone: () => world.arm.vms()[0]?.tags['owner'] === world.cluster.nodeClass()?.spec?.tags?.['owner'],
        },
        interruptedNode: {
          metadata: { name: 'aks-general-abcde' },
          status: {
            conditions: [{ type: 'VMEventScheduled', status: 'True', message: 'Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.' }],
          },
        },
        launchCalls: () => world.arm.requests.count(createOf(mode)),
        [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
      };
    },
    {
      R29: 'a node of AKS needs nothing beside what Kubernetes asks for',
      R30: 'Azure launches into a capacity reservation by a group that no AKSNodeClass can name yet',
      ...notKept,
    },
  );

const oneByOne: SkippedRules = { R31: 'a virtual machine of Azure is asked for by a call of its own' };

describeMode('aksscriptless', oneByOne);
describeMode('bootstrappingclient', oneByOne);
describeMode('aksmachineapi', { R31: 'its machines are asked for one by one; the mode aksmachineapiheaderbatch asks for them together' });
describeMode('aksmachineapiheaderbatch', {});
