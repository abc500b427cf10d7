import { expect } from '@jest/globals';
import { admits, labels } from '@karpenter/core';
import type { InstanceType, Offering, Requirements } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import type { RuleBook } from './rule-book.ts';

const allows = (requirements: Requirements, key: string, value: string): boolean => {
  const requirement = requirements.get(key);
  return requirement !== undefined && admits(requirement, value);
};

const isAllowedBy = (requirements: Requirements, { zone, capacityType }: Offering): boolean =>
  allows(requirements, labels.zone, zone) && allows(requirements, labels.capacityType, capacityType);

/** Sentences about the ones of a list that are so. */
const faults = (list: readonly (readonly [isSo: boolean, fault: string])[]): readonly string[] =>
  list.flatMap(([isSo, fault]) => (isSo ? [fault] : []));

const requirementFaults = ({ name, requirements }: InstanceType): readonly string[] =>
  faults([
    [!allows(requirements, labels.instanceType, name), `${name}: its requirements do not admit its name as ${labels.instanceType}`],
    ...[labels.arch, labels.os, labels.zone, labels.capacityType].map(
      (key) => [!requirements.has(key), `${name}: no requirement of ${key}`] as const,
    ),
  ]);

const offeringFaults = ({ name, offerings, requirements }: InstanceType): readonly string[] => [
  ...faults([[offerings.length === 0, `${name}: no offering`]]),
  ...offerings.flatMap((offering) => {
    const { zone, capacityType, pricePerHour, isAvailable } = offering;
    const own = `${name}, ${capacityType} in ${zone}`;
    return faults([
      [!(Number.isFinite(pricePerHour) && pricePerHour >= 0), `${own}: its price is ${pricePerHour}`],
      [!isAllowedBy(offering.requirements, offering), `${own}: its requirements do not admit its zone and capacity type`],
      [isAvailable && !isAllowedBy(requirements, offering), `${own}: available, and the type's requirements do not admit it`],
    ]);
  }),
];

const capacityFaults = ({ name, capacity, overhead }: InstanceType): readonly string[] =>
  faults([
    ...['cpu', 'memory'].map((resource) => {
      const [has, kept] = [capacity[resource] ?? 0, overhead[resource] ?? 0];
      return [!(has > kept), `${name}: ${has} of ${resource}, ${kept} of it kept back`] as const;
    }),
    [!((capacity['pods'] ?? 0) > 0), `${name}: no room for pods`],
  ]);

/** What a provider's instance types are like, whatever the cloud. */
export const describeInstanceTypes = ({ mandatory }: RuleBook, start: () => Promise<ProviderUnderTest>): void => {
  mandatory('R3', async () => {
    await using subject = await start();
    const names = (await callsTo(subject).types()).map(({ name }) => name);
    expect(names).not.toEqual([]);
    expect(names).toEqual([...new Set(names)]);
  });

  mandatory('R4', async () => {
    await using subject = await start();
    const { types } = callsTo(subject);
    const first = await types();
    const second = await types();
    expect(second.filter((type, index) => type !== first[index]).map(({ name }) => `${name} is another object`)).toEqual([]);
  });

  mandatory('R5', async () => {
    await using subject = await start();
    expect((await callsTo(subject).types()).flatMap(requirementFaults)).toEqual([]);
  });

  mandatory('R6', async () => {
    await using subject = await start();
    expect((await callsTo(subject).types()).flatMap(offeringFaults)).toEqual([]);
  });

  mandatory('R7', async () => {
    await using subject = await start();
    expect((await callsTo(subject).types()).flatMap(capacityFaults)).toEqual([]);
  });
};
