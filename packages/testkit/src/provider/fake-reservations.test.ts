import { labels } from '@karpenter/core';
import type { NodeClaim } from '@karpenter/core';
import { expect, test } from '@jest/globals';
import { anInstanceType, catalogWithReservations } from '../builders/index.ts';
import { FakeCloudProvider } from './fake-cloud-provider.ts';

const claimFor = (name: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name },
  spec: {
    requirements: [{ key: labels.capacityType, operator: 'In', values: ['reserved'] }],
    nodeClassRef: { group: 'test.karpenter.dev', kind: 'TestNodeClass', name: 'default' },
  },
});

test('a fake cloud counts its reservations down, names them on its machines, and gives no more than they have', async () => {
  const offerings = [{ zone: 'test-zone-1', capacityType: 'reserved', pricePerHour: 0, reservation: { id: 'r-1', remaining: 1 } }];
  const cloud = new FakeCloudProvider({ instanceTypes: [anInstanceType({ offerings })], labelCatalog: catalogWithReservations });
  expect((await cloud.create(claimFor('a'))).labels).toMatchObject({ 'karpenter.test/reservation-id': 'r-1' });
  const types = await cloud.getInstanceTypes();
  expect(types[0]?.offerings[0]?.reservation).toEqual({ id: 'r-1', remaining: 0 });
  expect(await cloud.getInstanceTypes()).toBe(types);
  await expect(cloud.create(claimFor('b'))).rejects.toMatchObject({ code: 'insufficient-capacity' });
});
