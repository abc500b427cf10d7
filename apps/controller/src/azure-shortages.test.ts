import { describe, expect, jest, test } from '@jest/globals';
import { type ArmRefusal, type FaultMatch, knownRefusals } from '@karpenter/azure-emulator';
import { aNodeClass, aPool, oneOf, podsOfThreeCores } from './testing/clusters/objects.ts';
import { making, modesOfRun, type ProvisionMode } from './testing/stories/provision-mode.ts';
import { settled, whyNotLaunched } from './testing/stories/story-ends.ts';
import { type Story, startStoryIn } from './testing/stories/story.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

const SIZE = 'node.kubernetes.io/instance-type';
const ZONE = 'topology.kubernetes.io/zone';

const fourCores = aPool([oneOf(SIZE, 'Standard_D4s_v3', 'Standard_D4s_v5')]);
const onlyD4 = aPool([oneOf(SIZE, 'Standard_D4s_v3')]);

const spotOrOnDemand = () => {
  const { template } = onlyD4.spec;
  const requirements = [oneOf('karpenter.sh/capacity-type', 'spot', 'on-demand'), oneOf(SIZE, 'Standard_D4s_v3')];
  return aPool([], { template: { ...template, spec: { ...template.spec, requirements } } });
};

const sizesOf = ({ cluster }: Story): readonly string[] => [...new Set(cluster.arm.vms().map(({ size }) => size))];

/** Whether the conditions or events of claims, deleted ones included, match `what`. */
const hasEvent = (story: Story, what: RegExp): boolean =>
  [
    ...whyNotLaunched(story),
    ...story.reported('NodeClaim', 'InsufficientCapacityError'),
    ...story.reported('NodeClaim', 'AsyncProvisioningError'),
  ].some((why) => what.test(why));

// One mode makes virtual machines, the other machines of a pool; `STORY_MODE` tries another with all of them.
describe.each(modesOfRun('aksscriptless', 'aksmachineapiheaderbatch'))('of machines by $name', (mode: ProvisionMode) => {
  const variables = making(mode.name);
  const lacking = ({ cluster }: Story, refusal: ArmRefusal, match: FaultMatch): void =>
    void cluster.arm.faults.add({ operation: mode.create, ...match, effect: { kind: mode.shortage, refusal } });

  test.concurrent('none are left in one zone, then in the next: they come in the third', async () => {
    const zones = oneOf(ZONE, 'eastus-1', 'eastus-2', 'eastus-3');
    await using story = await startStoryIn({ variables }, aNodeClass, aPool([oneOf(SIZE, 'Standard_D4s_v3'), zones]));
    for (const zone of ['1', '2']) lacking(story, knownRefusals.zonalAllocationFailed(), { zone });
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(story.cluster.arm.vms().map(({ zone }) => zone)).toEqual(['3', '3']);
  });

  test.concurrent('one size is not for this subscription: they come of another', async () => {
    await using story = await startStoryIn({ variables }, aNodeClass, fourCores);
    const effect = { kind: 'refuse', refusal: mode.restricted('Standard_D4s_v3') } as const;
    story.cluster.arm.faults.add({ operation: mode.create, vmSize: 'Standard_D4s_v3', effect });
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(sizesOf(story)).toEqual(['Standard_D4s_v5']);
  });
});

describe.each(modesOfRun('aksscriptless'))('of machines by $name', (mode: ProvisionMode) => {
  const variables = making(mode.name);

  test.concurrent('spot is used up: they come on demand where the pool allows both', async () => {
    await using story = await startStoryIn({ variables, quotas: { lowPriorityCores: 0 } }, aNodeClass, spotOrOnDemand());
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(story.cluster.arm.requests.of(mode.create)[0]?.body).toMatchObject({ properties: { priority: 'Spot' } });
    expect(story.cluster.arm.vms()).toMatchObject([{ capacityType: 'on-demand' }, { capacityType: 'on-demand' }]);
  });

  test.concurrent('those that were accepted fail after that: others come, and nothing stays behind', async () => {
    await using story = await startStoryIn({ variables }, aNodeClass, fourCores);
    const effect = { kind: 'fail', refusal: knownRefusals.allocationFailed() } as const;
    story.cluster.arm.faults.add({ operation: mode.create, vmSize: 'Standard_D4s_v3', effect });
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(sizesOf(story)).toEqual(['Standard_D4s_v5']);
    expect(story.reported('NodeClaim', 'AsyncProvisioningError')).toContainEqual(expect.stringContaining('AllocationFailed'));
  });

  test.concurrent(
    'the region is out of quota: nodes come up to the quota, the other claims report why, and nothing stays behind',
    async () => {
      await using story = await startStoryIn({ variables, quotas: { cores: 4 } }, aNodeClass, onlyD4);
      story.create(podsOfThreeCores(2));
      await story.until('one runs', () => story.census().running === 1);
      await story.until('the other claim reports why', () => hasEvent(story, /Total Regional Cores/));
      await story.pass(120_000);
      expect(story.cluster.arm.requests.count(mode.create)).toBeLessThan(8);
      story.scale('inflate', 1);
      await settled(story, 1, 1);
    },
  );

  test.concurrent('a role is missing: claims report its name, and machines come once it is assigned', async () => {
    await using story = await startStoryIn({ variables }, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    const scope = `/subscriptions/${arm.account.subscriptionId}/resourceGroups/${arm.account.nodeResourceGroup}`;
    const message = `The client 'a' with object id 'a' does not have authorization to perform action '${mode.needs.action}' over scope '${scope}' or the scope is invalid.`;
    const refusal = { status: 403, error: { code: 'AuthorizationFailed', message } };
    using role = arm.faults.add({ operation: mode.create, effect: { kind: 'refuse', refusal } });
    story.create(podsOfThreeCores(2));
    await story.until('the claims say why', () =>
      whyNotLaunched(story, 'Forbidden').some((why) => why.includes(`"${mode.needs.role}"`) && why.includes(scope)),
    );
    expect(story.census()).toMatchObject({ running: 0, nodes: 0, vms: 0, disks: 0 });
    role[Symbol.dispose]();
    await settled(story, 2, 2);
  });
});

describe.each(modesOfRun('aksmachineapiheaderbatch'))('of machines by $name', (mode: ProvisionMode) => {
  const variables = making(mode.name);

  test.concurrent('a family has no quota: they come of another', async () => {
    await using story = await startStoryIn({ variables, quotas: { families: { standardDSv3Family: 0 } } }, aNodeClass, fourCores);
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(sizesOf(story)).toEqual(['Standard_D4s_v5']);
  });

  // Not ten: at ten minutes the second claim ends, because each is given five minutes to launch.
  test.concurrent('the subscription may ask for no more for nine minutes: it gets them, without another try', async () => {
    await using story = await startStoryIn({ variables }, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    arm.faults.add({ operation: mode.create, effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(540) }, times: 1 });
    story.create(podsOfThreeCores(1));
    await story.until('the claim says why', () => whyNotLaunched(story, 'Throttled').length > 0);
    await settled(story, 1, 1);
    const [first, second, ...more] = arm.requests.of(mode.create);
    expect([first?.status, second?.status, more]).toEqual([429, 201, []]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(540_000);
  });

  test.concurrent(
    'the subnet is out of addresses: nodes come while there are some, the other claims report why, and nothing stays behind',
    async () => {
      const network = { subnets: { 'aks-subnet': '10.224.0.0/29' } };
      await using story = await startStoryIn({ variables, network }, aNodeClass, onlyD4);
      story.create(podsOfThreeCores(4));
      await story.until('three run', () => story.census().running === 3);
      await story.until('the fourth claim reports why', () => hasEvent(story, /does not have enough capacity/));
      story.scale('inflate', 3);
      await settled(story, 3, 3);
    },
  );
});
