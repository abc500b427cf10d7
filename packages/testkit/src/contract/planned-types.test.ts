import { describe, expect, test } from '@jest/globals';
import type { CreateOptions, NodeClaim } from '@karpenter/core';
import type { TypesAsPlanned } from '@karpenter/core/internal';
import { aNodePool } from '../builders/index.ts';
import { FakeCloudProvider } from '../provider/index.ts';
import { checkPlannedTypes } from './check-planned-types.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** What a provider makes of the types that core planned with. */
type Reading = (asPlanned: TypesAsPlanned | undefined) => TypesAsPlanned | undefined;

const subjectReading = (read: Reading): ProviderUnderTest => {
  const cloud = new FakeCloudProvider();
  const provider = Object.assign(Object.create(cloud) as FakeCloudProvider, {
    create: (claim: NodeClaim, options: CreateOptions) => {
      const asPlanned = read(options.asPlanned);
      return cloud.create(claim, { ...(asPlanned !== undefined && { asPlanned }) });
    },
    getInstanceTypes: () => cloud.getInstanceTypes(),
  });
  return {
    ...{
      provider,
      nodePool: aNodePool(),
      run: <T>(call: () => Promise<T>) => call(),
      cutOff: () => undefined,
      launchCalls: () => cloud.launches.length,
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};

const onlyPrices: Reading = (asPlanned) => (claim, types) =>
  types.map((type, index) => ({ ...type, offerings: asPlanned?.(claim, types)[index]?.offerings ?? type.offerings }));

const onlyResources: Reading = (asPlanned) => (claim, types) =>
  types.map((type, index) => ({ ...type, capacity: asPlanned?.(claim, types)[index]?.capacity ?? type.capacity }));

describe('R34', () => {
  test('is kept by a provider that picks among what was planned with', async () => {
    await expect(checkPlannedTypes(subjectReading((asPlanned) => asPlanned))).resolves.toBeUndefined();
  });

  test.each<[string, Reading]>([
    ['picking by the prices and the room of its own', () => undefined],
    ['heeding no resources', onlyPrices],
    ['heeding no prices', onlyResources],
  ])('is broken by %s', async (_, read) => {
    await expect(checkPlannedTypes(subjectReading(read))).rejects.toThrow();
  });
});
