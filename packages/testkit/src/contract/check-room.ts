import { expect } from '@jest/globals';
import { allocatableOf, fits, labels, resourcesOf } from '@karpenter/core';
import type { InstanceType, Machine, NodeClaim } from '@karpenter/core';
import { callsTo } from './provider-calls.ts';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { moreThanTheSmallest } from './purchases.ts';

/** The type that a machine says it is of. */
export const typeOf = ({ labels: reported }: Machine, types: readonly InstanceType[]): InstanceType | undefined =>
  types.find(({ name }) => name === reported[labels.instanceType]);

type Named = readonly [name: string, amounts: ReturnType<typeof resourcesOf>];

/** Shows both when the one is more than the other. */
const expectFits = ([name, amounts]: Named, [roomName, room]: Named): void => {
  const tooMuch = fits(amounts, room) ? undefined : { [name]: amounts, [roomName]: room };
  expect(tooMuch).toBeUndefined();
};

/** The machine has room for what its claim asks, and no more than it is. */
export const expectRoom = ({ metadata, spec }: NodeClaim, { providerId, ...machine }: Machine): void => {
  const requests: Named = [`requests of claim ${metadata.name}`, resourcesOf(spec.resources?.requests)];
  const allocatable: Named = [`allocatable of machine ${providerId}`, resourcesOf(machine.allocatable)];
  expectFits(requests, allocatable);
  expectFits(allocatable, [`capacity of machine ${providerId}`, resourcesOf(machine.capacity)]);
};

/** R36. Core plans by what the type says: a machine with less leaves pods over. */
export const checkLargeClaim = async (subject: ProviderUnderTest): Promise<void> => {
  const { launch, types } = callsTo(subject);
  const sold = await types();
  const claim = claimFor(subject, 'general-large', { resources: { requests: moreThanTheSmallest(sold) } });
  const machine = await launch(claim);
  expectRoom(claim, machine);
  const type = typeOf(machine, sold);
  expect(type).toBeDefined();
  if (type === undefined) return;
  expectFits(
    [`allocatable of type ${type.name}`, allocatableOf(type)],
    [`allocatable of machine ${machine.providerId}`, resourcesOf(machine.allocatable)],
  );
};
