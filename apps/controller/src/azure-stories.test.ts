import { inspect } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import type { Condition, NodePool } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { knownRefusals, UNKIND_AZURE } from '@karpenter/azure-emulator';
import { claimsOf, nodesOf, podsOf } from './testing/clusters/cluster-census.ts';
import { newerMachines, publishNewerImages } from './testing/stories/newer-images.ts';
import { aDeployment, aNodeClass, aPool, oneOf, podsOfThreeCores } from './testing/clusters/objects.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';
import { making, storyMode } from './testing/stories/provision-mode.ts';
import { settled, whyNotLaunched } from './testing/stories/story-ends.ts';
import { type Story, startStoryIn } from './testing/stories/story.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

const SIZE = 'node.kubernetes.io/instance-type';
const CREATE = 'VirtualMachines_CreateOrUpdate';
/**
 * Stories of interfaces and VMs that Karpenter makes itself; of machines that AKS makes, `azure-modes` and
 * `azure-shortages` have the like.
 */
const describeVms = storyMode.create === CREATE ? describe : () => undefined;

const pools: KindRef<NodePool & ApiObject> = { kind: 'NodePool' };

/** Of one size, so that what is refused is also what is wanted. */
const onlyD4 = aPool([oneOf(SIZE, 'Standard_D4s_v3')]);
const oneByOne = aPool([oneOf(SIZE, 'Standard_D4s_v3')], { disruption: { ...onlyD4.spec.disruption, budgets: [{ nodes: '1' }] } });
const onePod = aDeployment({ replicas: 1, cpu: '2' });

describeVms('when a machine is refused whose interface was made', () => {
  test.concurrent('the next attempt takes that interface, and deleting the machine deletes it', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    arm.faults.add({ operation: CREATE, times: 1, effect: { kind: 'refuse', refusal: knownRefusals.zonalAllocationFailed() } });
    story.create(onePod);
    await settled(story, 1, 1);
    expect(arm.requests.of('NetworkInterfaces_Delete')).toEqual([]);
    expect(arm.requests.of('NetworkInterfaces_CreateOrUpdate').map(({ status }) => status)).toEqual([201]);
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });
});

test.concurrent('when the name of a pool has dots, which no host name may have › its machines are made', async () => {
  await using story = await startStoryIn({}, aNodeClass, { ...onlyD4, metadata: { ...onlyD4.metadata, name: 'a.b.c' } });
  story.create(onePod);
  await settled(story, 1, 1);
  expect(claimsOf(story.cluster).map(({ metadata }) => metadata.name)).toEqual([expect.stringMatching(/^a-b-c-[a-z0-9]{8}$/)]);
});

describeVms('when a person has to help, claims report the reason and nothing stays behind', () => {
  test.concurrent('for a role that is missing, by its name and the scope', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    const message =
      `The client 'a' with object id 'a' does not have authorization to perform action 'Microsoft.Network/virtualNetworks/subnets/join/action' ` +
      `over scope '${arm.account.subnetId}' or the scope is invalid. If access was recently granted, please refresh your credentials.`;
    const refusal = { status: 403, error: { code: 'LinkedAuthorizationFailed', message } };
    using role = arm.faults.add({ operation: 'NetworkInterfaces_CreateOrUpdate', effect: { kind: 'refuse', refusal } });
    story.create(onePod);
    const hasEvent = (): boolean =>
      whyNotLaunched(story, 'Forbidden').some((why) => /"Network Contributor"/.test(why) && why.includes(arm.account.subnetId));
    await story.until('the claim says why', hasEvent);
    expect(story.census()).toMatchObject({ running: 0, nodes: 0, vms: 0, nics: 0, disks: 0 });
    role[Symbol.dispose]();
    await settled(story, 1, 1);
  });

  test.concurrent(
    'for an identity that may not be given to machines, which leaves no interface once nobody wants the machine',
    async () => {
      await using story = await startStoryIn({}, aNodeClass, onlyD4);
      const { arm } = story.cluster;
      const [vm, identity] = [`${arm.account.nodeResourceGroup}/x`, arm.account.kubeletIdentityId];
      const message =
        `The client 'a' with object id 'a' has permission to perform action 'Microsoft.Compute/virtualMachines/write' on scope '${vm}'; however, it does not ` +
        `have permission to perform action(s) 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' on the linked scope(s) '${identity}' (respectively) ` +
        'or the linked scope(s) are invalid.';
      const refusal = { status: 403, error: { code: 'LinkedAuthorizationFailed', message } };
      arm.faults.add({ operation: CREATE, effect: { kind: 'refuse', refusal } });
      story.create(onePod);
      const hasEvent = (): boolean =>
        whyNotLaunched(story, 'Forbidden').some((why) => /"Managed Identity Operator"/.test(why) && why.includes(identity));
      await story.until('the claim says why', hasEvent);
      story.scale('inflate', 0);
      await settled(story, 0, 0);
    },
  );
});

describeVms('when a policy of the subscription does not allow a size', () => {
  test.concurrent('machines come of another one, and it is not requested again', async () => {
    await using story = await startStoryIn({}, aNodeClass, aPool([oneOf(SIZE, 'Standard_D4s_v3', 'Standard_D4s_v5')]));
    const { arm } = story.cluster;
    const refusal = knownRefusals.sizeDisallowedByPolicy('aks-a', 'Standard_D4s_v3');
    arm.faults.add({ operation: CREATE, vmSize: 'Standard_D4s_v3', effect: { kind: 'refuse', refusal } });
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(arm.vms().map(({ size }) => size)).toEqual(['Standard_D4s_v5', 'Standard_D4s_v5']);
    expect(arm.requests.of(CREATE).filter(({ status }) => status === 403).length).toBeLessThanOrEqual(2);
  });
});

describe('when Azure calls a spot size unlikely in two zones, and placement scores count', () => {
  test.concurrent('its pods run on spot machines in the third', async () => {
    const { template } = onlyD4.spec;
    const requirements = [oneOf('karpenter.sh/capacity-type', 'spot'), oneOf(SIZE, 'Standard_D4s_v3', 'Standard_D8s_v3')];
    const spotOnly = aPool([], { template: { ...template, spec: { ...template.spec, requirements } } });
    const variables = (cluster: TestCluster) => ({ ...making(storyMode.name)(cluster), SPOT_PLACEMENT_SCORES: 'true' });
    const spotScores = { 'Standard_D4s_v3/1': 'Low', 'Standard_D4s_v3/2': 'Medium' };
    await using story = await startStoryIn({ variables, spotScores }, aNodeClass, spotOnly);
    story.create(onePod);
    await settled(story, 1, 1);
    expect(story.cluster.arm.vms()).toMatchObject([{ size: 'Standard_D4s_v3', zone: '3', capacityType: 'spot' }]);
  });
});

describeVms('when the node resource group has a lock against deletes', () => {
  test.concurrent('a claim stays with its machine, an event of the claim names the lock, and both go once it is away', async () => {
    await using story = await startStoryIn({}, aNodeClass, onlyD4);
    const { arm } = story.cluster;
    story.create(onePod);
    await settled(story, 1, 1);
    const scope = `/subscriptions/${arm.account.subscriptionId}/resourceGroups/${arm.account.nodeResourceGroup}`;
    {
      using _lock = arm.access.lock({ level: 'CanNotDelete', scope });
      story.scale('inflate', 0);
      await story.until('a delete is refused', () => story.lines.some((line) => inspect(line, { depth: 8 }).includes('ScopeLocked')));
      const isOnClaim = (): boolean => story.reported('NodeClaim', 'DeleteInstanceFailed').some((why) => /lock/i.test(why));
      await story.until('an event of the claim names the lock', isOnClaim);
      expect(story.census()).toMatchObject({ claims: 1, vms: 1 });
    }
    await settled(story, 0, 0);
  });
});

describe('when the subnet of a class does not exist', () => {
  test.concurrent('its pool says so too, and nothing is made', async () => {
    await using story = await startStoryIn({ network: { vnet: 'own', subnets: { nodes: '10.1.0.0/16' } } });
    const { arm, local } = story.cluster;
    const lost = { ...aNodeClass, spec: { vnetSubnetID: arm.account.subnetId.replace(/[^/]+$/, 'gone') } };
    story.create(lost, onlyD4, onePod);
    const conditions = (): readonly Condition[] => local.list(pools).flatMap(({ status }) => status?.conditions ?? []);
    const hasEvent = (): boolean =>
      conditions().some(
        ({ type, status, reason, message = '' }) =>
          type === 'NodeClassReady' && status === 'False' && reason === 'SubnetNotFound' && message.includes('subnets/gone'),
      );
    await story.until('the pool says why', hasEvent);
    expect(conditions().find(({ type }) => type === 'Ready')).toMatchObject({ status: 'False' });
    await story.pass(60_000);
    expect(story.census()).toMatchObject({ running: 0, claims: 0, nodes: 0, vms: 0, nics: 0, disks: 0 });
    expect(arm.requests.count(storyMode.create)).toBe(0);
    local.patch('AKSNodeClass', { name: 'default' }, { type: 'merge', body: { spec: { vnetSubnetID: arm.account.subnetId } } });
    await settled(story, 1, 1);
  });
});

describeVms('spot machines that Azure takes back', () => {
  test.concurrent(
    'are drained within their notice while others are on their way, all of them at once and with node repair off',
    async () => {
      const requirements = [oneOf('karpenter.sh/capacity-type', 'spot'), oneOf(SIZE, 'Standard_D4s_v3')];
      const { template } = onlyD4.spec;
      const spotOnly = { ...template, spec: { ...template.spec, requirements } };
      const pool = aPool([], { template: spotOnly, disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } });
      // Longer than Azure's, and than a busy machine takes for what is done at once.
      const noticeMs = 600_000;
      await using story = await startStoryIn({ latencies: { evictionNoticeMs: noticeMs } }, aNodeClass, pool);
      story.create(podsOfThreeCores(2));
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
      expect(story.reported('Node', 'Interrupted')).toHaveLength(2);
    },
  );
});

describe('a newer image', () => {
  const [start, end] = ['aksManagedNodeOSUpgradeSchedule-start', 'aksManagedNodeOSUpgradeSchedule-end'];
  const at = ({ cluster }: Story, inMs: number): string => new Date(cluster.clock.now() + inMs).toISOString();
  const name = 'upcoming-maintenance-window';
  const namespace = 'kube-system';
  const hour = 3_600_000;

  const drifted = ({ cluster }: Story): number =>
    claimsOf(cluster).filter(({ status }) => (status?.conditions ?? []).some(({ type, status: is }) => type === 'Drifted' && is === 'True'))
      .length;
  /** Nodes that are to go and have pods; a drained one whose machine is on its way out counts against no budget. */
  const emptied = ({ cluster }: Story): number => {
    const used = new Set(podsOf(cluster).map(({ spec }) => spec.nodeName));
    const disrupted = nodesOf(cluster).filter(({ spec }) => spec?.taints?.some(({ key }) => key === 'karpenter.sh/disrupted'));
    return disrupted.filter(({ metadata }) => used.has(metadata.name)).length;
  };

  test.concurrent('replaces nodes as the budget of the pool lets it', async () => {
    await using story = await startStoryIn({}, aNodeClass, oneByOne);
    story.create(podsOfThreeCores(3));
    await settled(story, 3, 3);
    await publishNewerImages(story);
    let most = 0;
    const areReplaced = (): boolean => {
      most = Math.max(most, emptied(story));
      return newerMachines(story) === 3 && story.census().vms === 3;
    };
    await story.until('all have the newer image', areReplaced, { within: 20 });
    await settled(story, 3, 3);
    expect(most).toBe(1);
    expect(drifted(story)).toBe(0);
  });

  test.concurrent('waits for the maintenance window', async () => {
    // Where AKS takes its newest image whatever is requested, no window keeps a new node from it.
    const behaviours = { ...UNKIND_AZURE.behaviours, ownImageVersions: false };
    await using story = await startStoryIn({ behaviours }, aNodeClass, onlyD4);
    story.create(onePod);
    await settled(story, 1, 1);
    const toCome = { [start]: at(story, hour), [end]: at(story, 5 * hour) };
    story.create({ ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: toCome } });
    const reads = (): number =>
      story.cluster.arm.requests.all().filter(({ operation }) => /^(CommunityGalleryImage|NodeImage)Versions_List$/.test(operation)).length;
    const before = reads();
    await publishNewerImages(story);
    await story.until('the new controller has seen the images', () => reads() > before);
    story.create(aDeployment({ name: 'late', replicas: 1, cpu: '3' }));
    await story.until('there is another node', () => story.census().nodes === 2);
    await story.pass(60_000);
    expect([newerMachines(story), drifted(story)]).toEqual([0, 0]);
    story.cluster.local.patch('ConfigMap', { name, namespace }, { type: 'merge', body: { data: { [start]: at(story, -hour) } } });
    await story.until('both nodes have the newer image', () => newerMachines(story) === 2 && story.census().vms === 2, { within: 20 });
  });
});
