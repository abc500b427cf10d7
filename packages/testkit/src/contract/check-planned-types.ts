import { expect } from '@jest/globals';
import { labels, type Offering } from '@karpenter/core';
import type { TypesAsPlanned } from '@karpenter/core/internal';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest, Purchase } from './provider-under-test.ts';
import { lastOnSale } from './purchases.ts';

const FUSES = 'example.com/fuse';

/** Core plans with one machine at a price below all others, and as the only one with fuses. */
const planningWith =
  (purchase: Purchase): TypesAsPlanned =>
  (_claim, types) => {
    const lowest = Math.min(...types.flatMap(({ offerings }) => offerings.map(({ pricePerHour }) => pricePerHour)));
    const repriced = (offering: Offering): Offering =>
      offering.zone === purchase.zone && offering.capacityType === purchase.capacityType
        ? { ...offering, pricePerHour: lowest / 2 }
        : offering;
    return types.map((type) =>
      type.name === purchase.instanceType
        ? { ...type, capacity: { ...type.capacity, [FUSES]: 1 }, offerings: type.offerings.map(repriced) }
        : type,
    );
  };

/** R34: launches what was planned, where the provider by itself would buy another machine, or none. */
export const checkPlannedTypes = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, launchAsPlanned, types } = callsTo(subject);
  const wanted = lastOnSale(await types());
  const requirements = [{ key: labels.capacityType, operator: 'In', values: [wanted.capacityType] }] as const;
  const asPlanned = planningWith(wanted);
  expect((await launchAsPlanned(claimFor(subject, 'general-cheap', { requirements }), asPlanned)).labels).toMatchObject({
    [labels.instanceType]: wanted.instanceType,
    [labels.zone]: wanted.zone,
  });
  const resources = { requests: { cpu: '1', [FUSES]: '1' } };
  const fused = claimFor(subject, 'general-fused', { requirements, resources });
  await expect(launch(fused)).rejects.toMatchObject({ name: 'CloudProviderError', code: 'insufficient-capacity' });
  expect((await launchAsPlanned(fused, asPlanned)).labels).toMatchObject({ [labels.instanceType]: wanted.instanceType });
};
