import { describe, expect, test } from '@jest/globals';
import type { CloudProvider, NodeClaim } from '@karpenter/core';
import { aNodePool, anInstanceType } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { checkCutOff } from './check-cut-off.ts';
import { checkLargeClaim } from './check-room.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

type Broken = (provider: FakeCloudProvider) => Partial<CloudProvider>;

const subjectOf = (broken: Broken = () => ({})): ProviderUnderTest => {
  const provider = new FakeCloudProvider({
    instanceTypes: [anInstanceType({ name: 'small' }), anInstanceType({ name: 'large', cpus: 16 })],
  });
  const whole: CloudProvider = {
    name: provider.name,
    getSupportedNodeClasses: () => provider.getSupportedNodeClasses(),
    labelCatalog: provider.labelCatalog,
    repairPolicies: [],
    create: (claim) => provider.create(claim),
    delete: (claim) => provider.delete(claim),
    get: (id) => provider.get(id),
    list: () => provider.list(),
    getInstanceTypes: () => provider.getInstanceTypes(),
    isDrifted: (claim) => provider.isDrifted(claim),
    ...broken(provider),
  };
  return {
    provider: whole,
    nodePool: aNodePool(),
    run: (call) => call(),
    cutOff: () => void (provider.isCutOff = true),
    launchCalls: () => provider.launches.length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

describe('R35', () => {
  test('is kept by a provider that fails, and by one that remembers', async () => {
    await expect(checkCutOff(subjectOf())).resolves.toBeUndefined();
    const remembering: Broken = (provider) => {
      const known = new Map<string, Awaited<ReturnType<typeof provider.create>>>();
      return {
        create: async (claim) => {
          const machine = await provider.create(claim);
          known.set(machine.providerId, machine);
          return machine;
        },
        list: () => Promise.resolve([...known.values()]),
        get: (id) => Promise.resolve(known.get(id)),
      };
    };
    await expect(checkCutOff(subjectOf(remembering))).resolves.toBeUndefined();
  });

  test.each<[string, Broken]>([
    ['lists nothing', (provider) => ({ list: () => provider.list().catch(() => []) })],
    ['finds nothing', (provider) => ({ get: (id) => provider.get(id).catch(() => undefined) })],
    ['calls a machine gone', (provider) => ({ delete: (claim) => provider.delete(claim).catch(() => 'gone') })],
  ])('is broken by one that %s when it has no answer', async (_, broken) => {
    await expect(checkCutOff(subjectOf(broken))).rejects.toThrow();
  });
});

describe('R36', () => {
  const asOne = (claim: NodeClaim): NodeClaim => ({ ...claim, spec: { ...claim.spec, resources: { requests: { cpu: '1' } } } });

  test('is kept by a provider that makes what was requested', async () => {
    await expect(checkLargeClaim(subjectOf())).resolves.toBeUndefined();
  });

  test.each<[string, Broken]>([
    ['whatever is requested, makes the smallest', (provider) => ({ create: (claim) => provider.create(asOne(claim)) })],
    [
      'makes less than its type says',
      (provider) => ({
        create: async (claim) => ({ ...(await provider.create(claim)), allocatable: { cpu: '5', memory: '5Gi', pods: '5' } }),
      }),
    ],
  ])('is broken by one that, %s', async (_, broken) => {
    await expect(checkLargeClaim(subjectOf(broken))).rejects.toThrow();
  });
});
