import { expect, test } from '@jest/globals';
import { labels, type NodeClaim } from '@karpenter/core';
import { silentLogger } from '@karpenter/runtime';
import { azureLabels } from '../apis/index.ts';
import { ReservationBook } from '../reservations/index.ts';
import { aClaim } from '../testing/a-claim.ts';
import { FakeCluster, type NamedObject } from '../testing/fake-cluster.ts';
import { reservationDemotion } from './reservation-demotion.ts';

const GROUP = '/subscriptions/s/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/web';
const reserved = {
  [labels.capacityType]: 'reserved',
  [azureLabels.capacityReservationId]: 'r-1',
  [azureLabels.capacityReservationGroup]: 'web',
};

/** A cluster with a claim and a node for each name, one a minute. */
const startDemotion = (...names: readonly string[]) => {
  const cluster = new FakeCluster();
  for (const [minute, name] of names.entries()) {
    const { metadata, ...claim } = aClaim(name);
    const creationTimestamp = `2026-01-01T00:0${minute}:00Z`;
    cluster.put({ ...claim, metadata: { ...metadata, creationTimestamp, labels: reserved }, status: { nodeName: name } } as NodeClaim &
      NamedObject);
    cluster.put({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: reserved } });
  }
  const reservations = new ReservationBook({ subscriptionId: 's', nodeResourceGroup: 'nodes' }, { now: () => 0 });
  const keeping = (capacity: number, ...machineIds: readonly string[]): void =>
    reservations.read(GROUP, [{ id: 'r-1', groupId: GROUP, size: 'D4', zone: '0', capacity, machineIds: new Set(machineIds) }]);
  const options = { capacityReservationGroups: [GROUP] };
  const controller = reservationDemotion({ kube: cluster.kube(), reservations, options, logger: silentLogger });
  const run = async (): Promise<readonly string[]> => {
    await controller.reconcile({ signal: new AbortController().signal });
    const isReserved = ({ metadata }: NamedObject): boolean => metadata.labels?.[labels.capacityType] === 'reserved';
    return [...cluster.objects].flatMap(([key, object]) => (isReserved(object) ? [key] : [])).sort();
  };
  return { cluster, reservations, keeping, run };
};

test('machines that their reservation pays for stay reserved', async () => {
  const { keeping, run } = startDemotion('a', 'b');
  keeping(2);
  expect(await run()).toEqual(['Node/a', 'Node/b', 'NodeClaim/a', 'NodeClaim/b']);
});

test('the youngest are bought when the reservation was made smaller, and their labels say so', async () => {
  const { cluster, keeping, run } = startDemotion('a', 'b');
  keeping(1);
  expect(await run()).toEqual(['Node/a', 'NodeClaim/a']);
  expect(cluster.objects.get('NodeClaim/b')?.metadata.labels).toEqual({
    [labels.capacityType]: 'on-demand',
    [azureLabels.capacityReservationId]: null,
    [azureLabels.capacityReservationGroup]: null,
  });
});

test('machines of others take their part of the reservation', async () => {
  const { keeping, reservations, run } = startDemotion('a', 'b');
  keeping(2, reservations.machineId('aks-a'), '/subscriptions/s/resourcegroups/other/vm');
  expect(await run()).toEqual(['Node/a', 'NodeClaim/a']);
});

test('all are bought when the reservation is there no longer', async () => {
  const { reservations, run } = startDemotion('a');
  reservations.read(GROUP, []);
  expect(await run()).toEqual([]);
});

test('nothing changes while the group could not be read', async () => {
  const { run } = startDemotion('a');
  expect(await run()).toEqual(['Node/a', 'NodeClaim/a']);
});
