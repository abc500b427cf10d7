import { expect } from '@jest/globals';
import { labels } from '@karpenter/core';
import { checkCutOff } from './check-cut-off.ts';
import { checkLargeClaim, expectRoom, typeOf } from './check-room.ts';
import { callsTo } from './provider-calls.ts';
import { claimFor, claimWithMachine } from './provider-under-test.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { choosing, lastOnSale } from './purchases.ts';
import type { RuleBook } from './rule-book.ts';

type Start = () => Promise<ProviderUnderTest>;

const describeLaunch = ({ mandatory }: RuleBook, start: Start): void => {
  mandatory('R8', async () => {
    await using subject = await start();
    const { launch, types } = callsTo(subject);
    const claim = claimFor(subject, 'general-one');
    const machine = await launch(claim);
    expect(machine.providerId).not.toBe('');
    expect(typeOf(machine, await types())?.offerings).toContainEqual(
      expect.objectContaining({ zone: machine.labels[labels.zone], capacityType: machine.labels[labels.capacityType] }),
    );
    expectRoom(claim, machine);
  });

  mandatory('R36', async () => {
    await using subject = await start();
    await checkLargeClaim(subject);
  });

  mandatory('R9', async () => {
    await using subject = await start();
    const { launch, types } = callsTo(subject);
    const wanted = lastOnSale(await types());
    const machine = await launch(claimFor(subject, 'general-choosy', { requirements: choosing(wanted) }));
    expect(machine.labels).toMatchObject({
      [labels.instanceType]: wanted.instanceType,
      [labels.capacityType]: wanted.capacityType,
      [labels.zone]: wanted.zone,
    });
  });

  mandatory('R10', async () => {
    await using subject = await start();
    const { launch, list } = callsTo(subject);
    const claim = claimFor(subject, 'general-twice');
    const first = await launch(claim);
    const second = await launch(claim);
    expect(second.providerId).toBe(first.providerId);
    expect(await list()).toHaveLength(1);
  });

  mandatory('R11', async () => {
    await using subject = await start();
    const { provider, run } = subject;
    const { signal } = new AbortController();
    const claim = claimFor(subject, 'general-at-once');
    const machines = await run(() => Promise.all([provider.create(claim, { signal }), provider.create(claim, { signal })]));
    expect(new Set(machines.map(({ providerId }) => providerId)).size).toBe(1);
    expect(await callsTo(subject).list()).toHaveLength(1);
  });

  mandatory('R12', async () => {
    await using subject = await start();
    const { launch, list } = callsTo(subject);
    const machines = [await launch(claimFor(subject, 'general-a')), await launch(claimFor(subject, 'general-b'))];
    const ids = machines.map(({ providerId }) => providerId).sort();
    expect(new Set(ids).size).toBe(2);
    expect((await list()).map(({ providerId }) => providerId).sort()).toEqual(ids);
  });
};

const describeRefusals = ({ mandatory }: RuleBook, start: Start): void => {
  mandatory('R13', async () => {
    await using subject = await start();
    const { launch, list } = callsTo(subject);
    const requirements = [{ key: labels.instanceType, operator: 'In', values: ['no-such-type'] }] as const;
    const refused = launch(claimFor(subject, 'general-none', { requirements }));
    await expect(refused).rejects.toMatchObject({ name: 'CloudProviderError', code: 'insufficient-capacity' });
    expect(await list()).toEqual([]);
  });

  mandatory('R14', async () => {
    await using subject = await start();
    const nodeClassRef = { ...subject.nodePool.spec.template.spec.nodeClassRef, name: 'missing' };
    const refused = callsTo(subject).launch(claimFor(subject, 'general-classless', { nodeClassRef }));
    await expect(refused).rejects.toMatchObject({ name: 'CloudProviderError', code: 'node-class-not-ready' });
  });

  mandatory('R15', async () => {
    await using subject = await start();
    const { removeFully, list } = callsTo(subject);
    const claim = claimFor(subject, 'general-hasty');
    await subject.run(() => {
      const midway = new AbortController();
      const launch = subject.provider.create(claim, { signal: midway.signal });
      midway.abort();
      return launch.then(
        () => undefined,
        () => undefined,
      );
    });
    expect((await removeFully(claim)).at(-1)).toBe('gone');
    expect(await list()).toEqual([]);
  });
};

const describeLooking = ({ mandatory }: RuleBook, start: Start): void => {
  mandatory('R16', async () => {
    await using subject = await start();
    const { launch, find } = callsTo(subject);
    const { providerId, labels: reported } = await launch(claimFor(subject, 'general-found'));
    expect(await find(providerId)).toMatchObject({ providerId, labels: { [labels.instanceType]: reported[labels.instanceType] } });
  });

  mandatory('R17', async () => {
    await using subject = await start();
    const { launch, find } = callsTo(subject);
    const { providerId } = await launch(claimFor(subject, 'general-lonely'));
    expect(await find(`${providerId}-not`)).toBeUndefined();
  });

  mandatory('R35', async () => {
    await using subject = await start();
    await checkCutOff(subject);
  });

  mandatory('R18', async () => {
    await using subject = await start();
    const { launch, list } = callsTo(subject);
    for (const name of ['general-a', 'general-b']) await launch(claimFor(subject, name));
    expect((await list()).map(({ claimName }) => claimName).sort()).toEqual(['general-a', 'general-b']);
  });

  mandatory('R19', async () => {
    await using subject = await start();
    const { launch, driftOf } = callsTo(subject);
    const claim = claimFor(subject, 'general-fresh');
    expect(await driftOf(claimWithMachine(claim, await launch(claim)))).toBeUndefined();
  });

  mandatory('R20', async () => {
    await using subject = await start();
    const { launch, removeFully, driftOf } = callsTo(subject);
    const claim = claimFor(subject, 'general-past');
    const known = claimWithMachine(claim, await launch(claim));
    await removeFully(known);
    await expect(driftOf(known)).resolves.not.toBe('');
  });
};

const describeEnd = ({ mandatory }: RuleBook, start: Start): void => {
  mandatory('R21', async () => {
    await using subject = await start();
    const { launch, removeFully, find, list } = callsTo(subject);
    const claim = claimFor(subject, 'general-brief');
    const machine = await launch(claim);
    const answers = await removeFully(claimWithMachine(claim, machine));
    expect(answers.at(-1)).toBe('gone');
    expect(answers.slice(0, -1).filter((answer) => answer !== 'terminating')).toEqual([]);
    expect(await find(machine.providerId)).toBeUndefined();
    expect(await list()).toEqual([]);
  });

  mandatory('R22', async () => {
    await using subject = await start();
    const { launch, remove, list } = callsTo(subject);
    const claim = claimFor(subject, 'general-leaving');
    const machine = await launch(claim);
    await remove(claimWithMachine(claim, machine));
    expect((await list()).filter(({ isTerminating }) => isTerminating !== true)).toEqual([]);
  });

  mandatory('R23', async () => {
    await using subject = await start();
    const { launch, removeFully, list } = callsTo(subject);
    const claim = claimFor(subject, 'general-forgetful');
    await launch(claim);
    expect((await removeFully(claim)).at(-1)).toBe('gone');
    expect(await list()).toEqual([]);
  });

  mandatory('R24', async () => {
    await using subject = await start();
    expect(await callsTo(subject).remove(claimFor(subject, 'general-never'))).toBe('gone');
  });
};

/** How machines come, are found, and go, whatever the cloud. */
export const describeMachines = (rules: RuleBook, start: Start): void => {
  describeLaunch(rules, start);
  describeRefusals(rules, start);
  describeLooking(rules, start);
  describeEnd(rules, start);
};
