import { expect } from '@jest/globals';
import { allocatableOf, fits, labels, resourcesOf } from '@karpenter/core';
import type { InstanceType, Machine, NodeClaim } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { moreThanTheSmallest } from './purchases.ts';

/** The type that a machine says it is of. */
export const typeOf = ({ labels: told }: Machine, types: readonly InstanceType[]): InstanceType | undefined =>
  types.find(({ name }) => name === told[labels.instanceType]);

/** The machine has room for what its claim asks, and no more than it is. */
export const expectRoom = ({ spec }: NodeClaim, { allocatable, capacity }: Machine): void => {
  expect(fits(resourcesOf(spec.resources?.requests), resourcesOf(allocatable))).toBe(true);
  expect(fits(resourcesOf(allocatable), resourcesOf(capacity))).toBe(true);
};

/** R36. Core plans by what the type says: a machine with less leaves pods over. */
export const checkLargeClaim = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, types } = callsTo(subject);
  const sold = await types();
  const claim = claimFor(subject, 'general-large', { resources: { requests: moreThanTheSmallest(sold) } });
  const machine = await launch(claim);
  expectRoom(claim, machine);
  const type = typeOf(machine, sold);
  expect(type && fits(allocatableOf(type), resourcesOf(machine.allocatable))).toBe(true);
};
