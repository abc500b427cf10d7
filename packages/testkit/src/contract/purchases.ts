import { allocatableOf, labels } from '@karpenter/core';
import type { InstanceType, RequirementSpec } from '@karpenter/core';
import type { Purchase } from './provider-under-test.ts';

/**
 * Everything that is on sale and has room for the suite's claims, but nothing that is kept for us: that is taken first,
 * whatever it is.
 */
const onSale = (types: readonly InstanceType[]): readonly Purchase[] =>
  types
    .filter(({ capacity }) => (capacity['cpu'] ?? 0) >= 2000)
    .flatMap(({ name, offerings }) =>
      offerings
        .filter(({ isAvailable, reservation }) => isAvailable && reservation === undefined)
        .map(({ zone, capacityType }) => ({ instanceType: name, zone, capacityType })),
    );

/** The purchase that a provider which takes whatever comes first would not choose. Errors: when nothing is on sale. */
export const lastOnSale = (types: readonly InstanceType[]): Purchase => {
  const last = onSale(types).at(-1);
  if (last === undefined) throw new Error('the provider under test must sell a machine of two cpus or more');
  return last;
};

/** Requests that the smallest type on sale has no room for, where there are larger ones. */
export const moreThanTheSmallest = (types: readonly InstanceType[]): Readonly<Record<string, string>> => {
  const onSaleNow = types.filter(({ offerings }) =>
    offerings.some(({ isAvailable, reservation }) => isAvailable && reservation === undefined),
  );
  const cpus = onSaleNow.map((type) => allocatableOf(type)['cpu'] ?? 0).sort((a, b) => a - b);
  const [smallest = 0] = cpus;
  return { cpu: `${(cpus.at(-1) ?? 0) > smallest ? smallest + 1 : smallest}m`, pods: '1' };
};

/** Requirements that leave this purchase alone. */
export const choosing = ({ instanceType, zone, capacityType }: Purchase): readonly RequirementSpec[] => [
  { key: labels.instanceType, operator: 'In', values: [instanceType] },
  { key: labels.capacityType, operator: 'In', values: [capacityType] },
  { key: labels.zone, operator: 'In', values: [zone] },
];
