import { describe, expect, jest, test } from '@jest/globals';
import type { Node, NodePool } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import type { ReservationOrder } from '@karpenter/azure-emulator';
import { claimsOf, nodesOf } from './testing/clusters/cluster-census.ts';
import { aNodeClass, aPool, oneOf, podsOfThreeCores } from './testing/clusters/objects.ts';
import { making, storyMode } from './testing/stories/provision-mode.ts';
import { settled } from './testing/stories/story-ends.ts';
import { type Story, startStoryIn } from './testing/stories/story.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';

// They run side by side, and share a busy machine.
jest.setTimeout(300_000);

const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const GROUP = 'karpenter.azure.com/capacity-reservation-group';
const D4 = 'Standard_D4s_v3';
const kept: ReservationOrder = { group: 'web', name: 'd4', size: D4, zone: '2', quantity: 1 };

/** Azure keeps it, and the controller is configured with its group. */
const keeping =
  (...orders: readonly ReservationOrder[]) =>
  (cluster: TestCluster): Readonly<Record<string, string>> => ({
    ...making(storyMode.name)(cluster),
    CAPACITY_RESERVATION_GROUPS: orders.map((order) => cluster.arm.reservations.reserve(order)).join(),
  });

const { template } = aPool().spec;
type Requirement = NodePool['spec']['template']['spec']['requirements'][number];

/** A pool of machines of four cores, however they are paid for. */
const poolOfFourCores = (...more: readonly Requirement[]): NodePool & ApiObject => {
  const requirements = [oneOf(CAPACITY_TYPE, 'reserved', 'on-demand'), oneOf('node.kubernetes.io/instance-type', D4), ...more];
  return aPool([], { template: { spec: { ...template.spec, requirements } } });
};
const fourCores = poolOfFourCores();

/** How machines are paid for: as their nodes say, and as Azure knows. */
const paidFor = ({ cluster }: Story): readonly string[] =>
  nodesOf(cluster)
    .map(({ metadata }: Node) => metadata.labels?.[CAPACITY_TYPE])
    .filter((type) => type !== undefined)
    .sort();

const associated = ({ cluster }: Story): number => cluster.arm.vms().filter((vm) => vm.capacityReservationGroupId !== undefined).length;

describe('capacity that Azure keeps', () => {
  test.concurrent('when a reservation is full › further nodes are on-demand', async () => {
    await using story = await startStoryIn({ variables: keeping(kept) }, aNodeClass, fourCores);
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(paidFor(story)).toEqual(['on-demand', 'reserved']);
    expect(associated(story)).toBe(1);
    expect(claimsOf(story.cluster).map(({ metadata }) => metadata.labels?.[GROUP])).toContain('web');
    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });

  test.concurrent('of another team is left to it, and what may be used otherwise is bought', async () => {
    const variables = keeping({ ...kept, group: 'batch', quantity: 5 }, kept);
    const notTheirs = { key: GROUP, operator: 'NotIn', values: ['batch'] } as const;
    await using story = await startStoryIn({ variables }, aNodeClass, poolOfFourCores(notTheirs));
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    expect(paidFor(story)).toEqual(['on-demand', 'reserved']);
    expect(story.cluster.arm.vms().flatMap(({ capacityReservationGroupId: id }) => id?.split('/').at(-1) ?? [])).toEqual(['web']);
    await story.pass(10 * 60_000);
    await settled(story, 2, 2);
    expect(story.cluster.arm.requests.count('VirtualMachines_CreateOrUpdate')).toBe(2);
  });

  test.concurrent('takes over what was bought, once there is more of it', async () => {
    await using story = await startStoryIn({ variables: keeping(kept) }, aNodeClass, fourCores);
    story.create(podsOfThreeCores(2));
    await settled(story, 2, 2);
    story.cluster.arm.reservations.resize(kept, 2);
    await story.until('both are reserved', () => paidFor(story).join() === 'reserved,reserved', { within: 30 });
    await settled(story, 2, 2);
  });

  test.concurrent('that is reduced to zero keeps its machines, now on demand', async () => {
    await using story = await startStoryIn({ variables: keeping(kept) }, aNodeClass, fourCores);
    story.create(podsOfThreeCores(1));
    await settled(story, 1, 1);
    expect(paidFor(story)).toEqual(['reserved']);
    const [machine] = story.cluster.arm.vms();
    story.cluster.arm.reservations.resize(kept, 0);
    await story.until('the node says so', () => paidFor(story).join() === 'on-demand', { within: 30 });
    story.scale('inflate', 2);
    await settled(story, 2, 2);
    expect(paidFor(story)).toEqual(['on-demand', 'on-demand']);
    expect(story.cluster.arm.vms().map(({ name }) => name)).toContain(machine?.name);
  });

  test.concurrent('that no longer exists at launch leaves no pod without a node', async () => {
    await using story = await startStoryIn({ variables: keeping(kept) }, aNodeClass, fourCores);
    story.cluster.arm.reservations.release(kept);
    story.create(podsOfThreeCores(1));
    await settled(story, 1, 1);
    expect(paidFor(story)).toEqual(['on-demand']);
    expect(associated(story)).toBe(0);
  });
});
