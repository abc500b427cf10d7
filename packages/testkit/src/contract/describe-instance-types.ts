import { expect, test } from '@jest/globals';
import { admits, labels } from '@karpenter/core';
import type { InstanceType, Offering, Requirements } from '@karpenter/core';
import type { ProviderUnderTest } from './provider-under-test.ts';

const { signal } = new AbortController();

const typesOf = ({ provider, nodePool, run }: ProviderUnderTest): Promise<readonly InstanceType[]> =>
  run(() => provider.getInstanceTypes(nodePool, { signal }));

const allows = (requirements: Requirements, key: string, value: string): boolean => {
  const requirement = requirements.get(key);
  return requirement !== undefined && admits(requirement, value);
};

const isAllowedBy = (requirements: Requirements, { zone, capacityType }: Offering): boolean =>
  allows(requirements, labels.zone, zone) && allows(requirements, labels.capacityType, capacityType);

/** What a provider's instance types are like, whatever the cloud. */
export const describeInstanceTypes = (start: () => Promise<ProviderUnderTest>): void => {
  test('are there, each under a name of its own', async () => {
    await using subject = await start();
    const names = (await typesOf(subject)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  test('are the same objects until something has changed', async () => {
    await using subject = await start();
    const first = await typesOf(subject);
    const second = await typesOf(subject);
    expect(second.every((type, index) => type === first[index])).toBe(true);
  });

  test('say what their nodes will be: type, architecture, system, zone, capacity type', async () => {
    await using subject = await start();
    for (const { name, requirements } of await typesOf(subject)) {
      expect(allows(requirements, labels.instanceType, name)).toBe(true);
      for (const key of [labels.arch, labels.os, labels.zone, labels.capacityType]) expect(requirements.has(key)).toBe(true);
    }
  });

  test('are bought by offerings that say their zone, capacity type and a price, and that the type allows for while they last', async () => {
    await using subject = await start();
    for (const { offerings, requirements } of await typesOf(subject)) {
      expect(offerings.length).toBeGreaterThan(0);
      for (const offering of offerings) {
        expect(Number.isFinite(offering.pricePerHour) && offering.pricePerHour >= 0).toBe(true);
        expect(isAllowedBy(offering.requirements, offering)).toBe(true);
        expect(!offering.isAvailable || isAllowedBy(requirements, offering)).toBe(true);
      }
    }
  });

  test('have more cpu and memory than is kept back of them, and room for pods', async () => {
    await using subject = await start();
    for (const { capacity, overhead } of await typesOf(subject)) {
      for (const resource of ['cpu', 'memory']) expect(capacity[resource] ?? 0).toBeGreaterThan(overhead[resource] ?? 0);
      expect(capacity['pods']).toBeGreaterThan(0);
    }
  });
};
