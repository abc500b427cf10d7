import { expect } from '@jest/globals';
import { admits, labels } from '@karpenter/core';
import type { Offering, Requirements } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import type { RuleBook } from './rule-book.ts';

const allows = (requirements: Requirements, key: string, value: string): boolean => {
  const requirement = requirements.get(key);
  return requirement !== undefined && admits(requirement, value);
};

const isAllowedBy = (requirements: Requirements, { zone, capacityType }: Offering): boolean =>
  allows(requirements, labels.zone, zone) && allows(requirements, labels.capacityType, capacityType);

/** What a provider's instance types are like, whatever the cloud. */
export const describeInstanceTypes = ({ mandatory }: RuleBook, start: () => Promise<ProviderUnderTest>): void => {
  mandatory('R3', async () => {
    await using subject = await start();
    const names = (await callsTo(subject).types()).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(new Set(names).size).toBe(names.length);
  });

  mandatory('R4', async () => {
    await using subject = await start();
    const { types } = callsTo(subject);
    const first = await types();
    const second = await types();
    expect(second.every((type, index) => type === first[index])).toBe(true);
  });

  mandatory('R5', async () => {
    await using subject = await start();
    for (const { name, requirements } of await callsTo(subject).types()) {
      expect(allows(requirements, labels.instanceType, name)).toBe(true);
      for (const key of [labels.arch, labels.os, labels.zone, labels.capacityType]) expect(requirements.has(key)).toBe(true);
    }
  });

  mandatory('R6', async () => {
    await using subject = await start();
    for (const { offerings, requirements } of await callsTo(subject).types()) {
      expect(offerings.length).toBeGreaterThan(0);
      for (const offering of offerings) {
        expect(Number.isFinite(offering.pricePerHour) && offering.pricePerHour >= 0).toBe(true);
        expect(isAllowedBy(offering.requirements, offering)).toBe(true);
        expect(!offering.isAvailable || isAllowedBy(requirements, offering)).toBe(true);
      }
    }
  });

  mandatory('R7', async () => {
    await using subject = await start();
    for (const { capacity, overhead } of await callsTo(subject).types()) {
      for (const resource of ['cpu', 'memory']) expect(capacity[resource] ?? 0).toBeGreaterThan(overhead[resource] ?? 0);
      expect(capacity['pods']).toBeGreaterThan(0);
    }
  });
};
