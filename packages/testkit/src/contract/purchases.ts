import { labels } from '@karpenter/core';
import type { InstanceType, RequirementSpec } from '@karpenter/core';
import type { Purchase } from './provider-under-test.ts';

/** Everything that is on sale and has room for the suite's claims, but nothing that is kept for us: that is taken first, whatever it is. */
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

/** Requirements that leave this purchase alone. */
export const choosing = ({ instanceType, zone, capacityType }: Purchase): readonly RequirementSpec[] => [
  { key: labels.instanceType, operator: 'In', values: [instanceType] },
  { key: labels.capacityType, operator: 'In', values: [capacityType] },
  { key: labels.zone, operator: 'In', values: [zone] },
];
