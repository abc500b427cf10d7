import { jest } from '@jest/globals';
import { type NodeClaim, nodeClaimConditions } from '@karpenter/core';
import { type ArmRefusal, knownRefusals } from '@karpenter/azure-emulator';
import { describeCloudProvider } from '@karpenter/testkit/contract';
import { aNodeClass, aPool, azureWorld, resolveClasses } from '../testing/azure-world.ts';
import type { NamedObject } from '../testing/fake-cluster.ts';

// Real HTTP on a busy machine takes its time.
jest.setTimeout(60_000);

/** Core asks again every five seconds. */
const BETWEEN_CALLS_MS = 5000;

const isOfPool = (mode: string): boolean => mode.startsWith('aksmachineapi');

const createOf = (mode: string): string => (isOfPool(mode) ? 'Machines_CreateOrUpdate' : 'VirtualMachines_CreateOrUpdate');

/** The same rules, however machines are made, and none is left out. */
for (const mode of ['aksscriptless', 'bootstrappingclient', 'aksmachineapi', 'aksmachineapiheaderbatch']) {
  describeCloudProvider(`azure ${mode}`, async () => {
    // Resource Graph is late by nature, and the contract is about what a list says, not how soon.
    const reserved = { group: 'kept', name: 'd2', size: 'Standard_D2s_v3', zone: '2', quantity: 2 };
    const world = await azureWorld({
      latencies: { resourceGraphDelayMs: 0 },
      variables: { PROVISION_MODE: mode },
      // AKS makes machines of agent pools out of no reservation.
      reserved: isOfPool(mode) ? [] : [reserved],
    });
    const azure = await world.provider();
    const failOne = (refusal: ArmRefusal): void =>
      void world.arm.faults.add({ operation: createOf(mode), times: 1, effect: { kind: 'fail', refusal } });
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
      lateFailures: {
        put: (claim) => world.cluster.put(claim),
        read: (name) => world.cluster.objects.get(`NodeClaim/${name}`) as NodeClaim | undefined,
        fail: () => failOne(knownRefusals.internalError()),
        runOut: () => failOne(knownRefusals.allocationFailed()),
        settle: () => world.passing(azure.idle()),
        left: () => Promise.resolve(world.arm.vms().length + world.arm.nics().length + world.arm.disks().length),
      },
      interruptedNode: {
        metadata: { name: 'aks-general-abcde' },
        status: {
          conditions: [{ type: 'VMEventScheduled', status: 'True', message: 'Preempt Scheduled: Wed, 26 Feb 2025 10:13:13 GMT.' }],
        },
      },
      cutOff: () => void world.arm.faults.add({ effect: { kind: 'reset', when: 'before' } }),
      launchCalls: () => world.arm.requests.count(createOf(mode)),
      launchesTogether: mode === 'aksmachineapiheaderbatch',
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  });
}
