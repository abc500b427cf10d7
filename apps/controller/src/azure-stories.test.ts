import { describe, expect, jest, test } from '@jest/globals';
import { type FaultMatch, knownRefusals } from '@karpenter/simulator/arm';
import { claimsOf, isRunning, podsOf, settledCensus } from './testing/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/objects.ts';
import { type Story, startStoryIn } from './testing/story.ts';

jest.setTimeout(120_000);

const SIZE = 'node.kubernetes.io/instance-type';
const ZONE = 'topology.kubernetes.io/zone';
const CREATE = 'VirtualMachines_CreateOrUpdate';

const refuse = ({ cluster }: Story, refusal: ReturnType<typeof knownRefusals.allocationFailed>, match: FaultMatch = {}): void => {
  cluster.arm.faults.add({ operation: CREATE, ...match, effect: { kind: 'refuse', refusal } });
};

const settled = async (story: Story, pods: number, machines: number): Promise<void> => {
  const expected = JSON.stringify(settledCensus(pods, machines));
  await story.until(`there is ${expected}`, () => JSON.stringify(story.census()) === expected, { within: 12 });
};

/** Why claims are not launched yet, as their conditions say it. */
const reasons = ({ cluster }: Story, reason: string): readonly string[] =>
  claimsOf(cluster).flatMap(({ status }) =>
    (status?.conditions ?? []).filter((each) => each.type === 'Launched' && each.reason === reason).map(({ message = '' }) => message),
  );

const running = ({ cluster }: Story): number => podsOf(cluster).filter(isRunning).length;

/** Pools of one or two sizes, so that what is refused is also what is wanted. */
const fourCores = aPool([oneOf(SIZE, 'Standard_D4s_v3', 'Standard_D4s_v5')]);
const onlyD4 = aPool([oneOf(SIZE, 'Standard_D4s_v3')]);
const onePod = aDeployment({ replicas: 1, cpu: '2' });
/** Two fit on no node of four cores. */
const pods = (replicas: number) => aDeployment({ replicas, cpu: '3' });

describe('when Azure has none to give, another is bought', () => {
  test('in the next zone, zone after zone', async () => {
    await using story = await startStoryIn(
      {},
      aNodeClass,
      aPool([oneOf(SIZE, 'Standard_D4s_v3'), oneOf(ZONE, 'eastus-1', 'eastus-2', 'eastus-3')]),
    );
    for (const zone of ['1', '2']) refuse(story, knownRefusals.zonalAllocationFailed(), { zone });
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.vms().map(({ zone }) => zone)).toEqual(['3']);
  });

  test('on demand where spot is used up and the pool allows both', async () => {
    const { template } = onlyD4.spec;
    const requirements = [oneOf('karpenter.sh/capacity-type', 'spot', 'on-demand'), oneOf(SIZE, 'Standard_D4s_v3')];
    await using story = await startStoryIn(
      {},
      aNodeClass,
      aPool([], { template: { ...template, spec: { ...template.spec, requirements } } }),
    );
    const figures = { location: 'eastus', limit: 10, usage: 10, required: 4 };
    refuse(story, knownRefusals.lowPriorityQuota(figures), { capacityType: 'spot' });
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.requests.of(CREATE)[0]?.body).toMatchObject({ properties: { priority: 'Spot' } });
    expect(story.cluster.arm.vms()).toMatchObject([{ capacityType: 'on-demand' }]);
  });

  test('of another size where one is restricted for the subscription', async () => {
    await using story = await startStoryIn({}, aNodeClass, fourCores);
    refuse(story, knownRefusals.skuNotAvailable('Standard_D4s_v3', 'eastus'), { vmSize: 'Standard_D4s_v3' });
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.vms()).toMatchObject([{ size: 'Standard_D4s_v5' }]);
  });

  test('of another family where one has no quota', async () => {
    await using story = await startStoryIn({ quotas: { families: { standardDSv3Family: 0 } } }, aNodeClass, fourCores);
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.vms()).toMatchObject([{ size: 'Standard_D4s_v5' }]);
  });

  test('when a machine was accepted and its allocation failed after that', async () => {
    await using story = await startStoryIn({}, aNodeClass, fourCores);
    const effect = { kind: 'fail', refusal: knownRefusals.allocationFailed() } as const;
    story.cluster.arm.faults.add({ operation: CREATE, vmSize: 'Standard_D4s_v3', effect });
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.vms()).toMatchObject([{ size: 'Standard_D4s_v5' }]);
  });
});

describe('when nothing else helps, the reason is told and nothing stays behind', () => {
  test('for the quota of the region: interfaces that Azure reserved for refused machines go too', async () => {
    await using story = await startStoryIn({ quotas: { cores: 4 } }, aNodeClass, onlyD4);
    story.create(pods(2));
    await story.until('one runs', () => running(story) === 1);
    const told = (): readonly string[] => story.told('NodeClaim', 'InsufficientCapacityError');
    await story.until('the claim says why', () => told().some((why) => why.includes('Total Regional Cores')));
    story.scale('inflate', 1);
    await settled(story, 1, 1);
  });

  test('for a subnet without addresses', async () => {
    await using story = await startStoryIn({ network: { subnets: { 'aks-subnet': '10.224.0.0/29' } } }, aNodeClass, onlyD4);
    story.create(pods(4));
    await story.until('three run', () => running(story) === 3);
    await story.until('the claim says why', () =>
      reasons(story, 'SubnetIsFull').some((why) => why.includes('does not have enough capacity')),
    );
    story.scale('inflate', 3);
    await settled(story, 3, 3);
  });

  test('for a role that is missing, by its name and the scope', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    const message =
      `The client 'a' with object id 'a' does not have authorization to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' ` +
      `over scope '${arm.account.subnetId}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;
    const refusal = { status: 403, error: { code: 'LinkedAuthorizationFailed', message } };
    using role = arm.faults.add({ operation: 'NetworkInterfaces_CreateOrUpdate', effect: { kind: 'refuse', refusal } });
    story.create(onePod);
    const isTold = (): boolean =>
      reasons(story, 'Forbidden').some((why) => /"Network Contributor"/.test(why) && why.includes(arm.account.subnetId));
    await story.until('the claim says why', isTold);
    expect(story.census()).toMatchObject({ running: 0, nodes: 0, vms: 0, nics: 0, disks: 0 });
    role[Symbol.dispose]();
    await settled(story, 1, 1);
  });
});

describe('spot machines that Azure takes back', () => {
  test('are drained within their notice while others are on their way, all of them at once and with node repair off', async () => {
    const requirements = [oneOf('karpenter.sh/capacity-type', 'spot'), oneOf(SIZE, 'Standard_D4s_v3')];
    const { template } = onlyD4.spec;
    const spotOnly = { ...template, spec: { ...template.spec, requirements } };
    const pool = aPool([], { template: spotOnly, disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } });
    const noticeMs = 120_000;
    await using story = await startStoryIn({ latencies: { evictionNoticeMs: noticeMs } }, aNodeClass, pool);
    story.create(pods(2));
    await settled(story, 2, 2);
    const { arm, clock } = story.cluster;
    const before = arm.vms().map(({ name }) => name);
    const atMs = clock.now();
    for (const name of before) arm.evict(name);
    const stillThere = (): boolean => podsOf(story.cluster).some(({ spec }) => before.includes(spec.nodeName ?? ''));
    await story.until('the nodes are empty', () => !stillThere());
    expect(clock.now() - atMs).toBeLessThan(noticeMs);
    await settled(story, 2, 2);
    expect(arm.vms().some(({ name }) => before.includes(name))).toBe(false);
    const launchedMs = arm.requests.of(CREATE).map((request) => request.atMs - atMs);
    expect(launchedMs.filter((ms) => ms > 0 && ms < noticeMs)).toHaveLength(2);
    expect(story.told('Node', 'Interrupted')).toHaveLength(2);
  });
});

describe('Azure’s moods', () => {
  test('a token that ends in the middle is renewed', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    story.create(pods(1));
    await settled(story, 1, 1);
    story.cluster.arm.revokeTokens();
    story.scale('inflate', 2);
    await settled(story, 2, 2);
  });

  test('a subscription that asks for ten minutes of patience gets them, without another try', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    arm.faults.add({ operation: CREATE, effect: { kind: 'refuse', refusal: knownRefusals.tooManyRequests(600) }, times: 1 });
    story.create(onePod);
    await story.until('the claim says why', () => reasons(story, 'Throttled').length > 0);
    await settled(story, 1, 1);
    const [first, second, ...more] = arm.requests.of(CREATE);
    expect([first?.status, second?.status, more]).toEqual([429, 201, []]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(600_000);
  });

  test('a pod of a zone gets a machine in that zone of the subscription', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    story.create(aDeployment({ replicas: 1, podSpec: { nodeSelector: { [ZONE]: 'eastus-2' } } }));
    await settled(story, 1, 1);
    expect(story.cluster.arm.requests.of(CREATE)).toMatchObject([{ body: { zones: ['2'] } }]);
  });
});
