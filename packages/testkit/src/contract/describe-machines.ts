import { expect, test } from '@jest/globals';
import { fits, labels, resourcesOf } from '@karpenter/core';
import type { DeleteOutcome, Machine, NodeClaim } from '@karpenter/core';
import { claimFor } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';

const { signal } = new AbortController();
/** More often than any cloud needs to be asked. */
const MOST_POLLS = 200;

const launch = ({ provider, run }: ProviderUnderTest, claim: NodeClaim): Promise<Machine> => run(() => provider.create(claim, { signal }));
const list = ({ provider, run }: ProviderUnderTest): Promise<readonly Machine[]> => run(() => provider.list({ signal }));
const remove = ({ provider, run }: ProviderUnderTest, claim: NodeClaim): Promise<DeleteOutcome> =>
  run(() => provider.delete(claim, { signal }));
const known = (claim: NodeClaim, { providerId, labels: learnt }: Machine): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, labels: { ...learnt, ...claim.metadata.labels } },
  status: { providerID: providerId },
});

const removeFully = async (subject: ProviderUnderTest, claim: NodeClaim): Promise<readonly DeleteOutcome[]> => {
  const answers: DeleteOutcome[] = [];
  while (answers.at(-1) !== 'gone' && answers.length < MOST_POLLS) answers.push(await remove(subject, claim));
  return answers;
};

const describeLaunch = (start: () => Promise<ProviderUnderTest>): void => {
  test('a launched machine says what it is, and has room for what the claim asked', async () => {
    await using subject = await start();
    const claim = claimFor(subject, 'general-one');
    const machine = await launch(subject, claim);
    expect(machine.providerId).not.toBe('');
    const types = await subject.run(() => subject.provider.getInstanceTypes(subject.nodePool, { signal }));
    const type = types.find(({ name }) => name === machine.labels[labels.instanceType]);
    expect(
      type?.offerings.some(
        ({ zone, capacityType }) => zone === machine.labels[labels.zone] && capacityType === machine.labels[labels.capacityType],
      ),
    ).toBe(true);
    expect(fits(resourcesOf(claim.spec.resources?.requests), resourcesOf(machine.allocatable))).toBe(true);
    expect(fits(resourcesOf(machine.allocatable), resourcesOf(machine.capacity))).toBe(true);
  });

  test('a launch heeds the claim: the instance types and the capacity type that it names', async () => {
    await using subject = await start();
    const types = await subject.run(() => subject.provider.getInstanceTypes(subject.nodePool, { signal }));
    const wanted = types
      .flatMap(({ name, offerings, capacity }) =>
        offerings.filter(({ isAvailable }) => isAvailable && (capacity['cpu'] ?? 0) >= 2000).map((each) => ({ name, ...each })),
      )
      .at(-1);
    const requirements = [
      { key: labels.instanceType, operator: 'In', values: [wanted?.name ?? ''] },
      { key: labels.capacityType, operator: 'In', values: [wanted?.capacityType ?? ''] },
      { key: labels.zone, operator: 'In', values: [wanted?.zone ?? ''] },
    ] as const;
    const machine = await launch(subject, claimFor(subject, 'general-choosy', { requirements }));
    expect(machine.labels).toMatchObject({
      [labels.instanceType]: wanted?.name,
      [labels.capacityType]: wanted?.capacityType,
      [labels.zone]: wanted?.zone,
    });
  });

  test('launching again for the same claim adopts the first machine', async () => {
    await using subject = await start();
    const claim = claimFor(subject, 'general-twice');
    const first = await launch(subject, claim);
    const second = await launch(subject, claim);
    expect(second.providerId).toBe(first.providerId);
    expect(await list(subject)).toHaveLength(1);
  });

  test('two claims get two machines', async () => {
    await using subject = await start();
    const machines = [await launch(subject, claimFor(subject, 'general-a')), await launch(subject, claimFor(subject, 'general-b'))];
    expect(new Set(machines.map(({ providerId }) => providerId)).size).toBe(2);
    expect((await list(subject)).map(({ providerId }) => providerId).sort()).toEqual(machines.map(({ providerId }) => providerId).sort());
  });
};

const describeRefusals = (start: () => Promise<ProviderUnderTest>): void => {
  test('a claim that nothing on sale satisfies is refused for want of capacity', async () => {
    await using subject = await start();
    const requirements = [{ key: labels.instanceType, operator: 'In', values: ['no-such-type'] }] as const;
    await expect(launch(subject, claimFor(subject, 'general-none', { requirements }))).rejects.toMatchObject({
      code: 'insufficient-capacity',
    });
    expect(await list(subject)).toEqual([]);
  });

  test('a claim whose NodeClass is not there is refused for that', async () => {
    await using subject = await start();
    const nodeClassRef = { ...subject.nodePool.spec.template.spec.nodeClassRef, name: 'missing' };
    await expect(launch(subject, claimFor(subject, 'general-classless', { nodeClassRef }))).rejects.toMatchObject({
      code: 'node-class-not-ready',
    });
  });
};

const describeLooking = (start: () => Promise<ProviderUnderTest>): void => {
  test('a machine is found by its id, and is what the launch said', async () => {
    await using subject = await start();
    const launched = await launch(subject, claimFor(subject, 'general-found'));
    const found = await subject.run(() => subject.provider.get(launched.providerId, { signal }));
    expect(found).toMatchObject({
      providerId: launched.providerId,
      labels: { [labels.instanceType]: launched.labels[labels.instanceType] },
    });
  });

  test('a machine that is not there is undefined, not an error', async () => {
    await using subject = await start();
    const { providerId } = await launch(subject, claimFor(subject, 'general-lonely'));
    expect(await subject.run(() => subject.provider.get(`${providerId}-not`, { signal }))).toBeUndefined();
  });

  test('a machine that was just made has not drifted', async () => {
    await using subject = await start();
    const claim = claimFor(subject, 'general-fresh');
    const machine = await launch(subject, claim);
    expect(await subject.run(() => subject.provider.isDrifted(known(claim, machine), { signal }))).toBeUndefined();
  });
};

const describeEnd = (start: () => Promise<ProviderUnderTest>): void => {
  test('a deleted machine is terminating until it is gone, and then it is nowhere', async () => {
    await using subject = await start();
    const claim = claimFor(subject, 'general-brief');
    const machine = await launch(subject, claim);
    const answers = await removeFully(subject, known(claim, machine));
    expect(answers.at(-1)).toBe('gone');
    expect(answers.slice(0, -1).every((answer) => answer === 'terminating')).toBe(true);
    expect(await subject.run(() => subject.provider.get(machine.providerId, { signal }))).toBeUndefined();
    expect(await list(subject)).toEqual([]);
  });

  test('a machine is found and deleted by its claim’s name, when the claim never learnt its id', async () => {
    await using subject = await start();
    const claim = claimFor(subject, 'general-forgetful');
    await launch(subject, claim);
    expect((await removeFully(subject, claim)).at(-1)).toBe('gone');
    expect(await list(subject)).toEqual([]);
  });

  test('deleting what was never launched is done at once', async () => {
    await using subject = await start();
    expect(await remove(subject, claimFor(subject, 'general-never'))).toBe('gone');
  });
};

/** How machines come, are found, and go, whatever the cloud. */
export const describeMachines = (start: () => Promise<ProviderUnderTest>): void => {
  describeLaunch(start);
  describeRefusals(start);
  describeLooking(start);
  describeEnd(start);
};
