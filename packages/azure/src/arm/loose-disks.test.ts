import type { Disk } from '@azure/arm-compute';
import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import type { ArmClients } from './arm-clients.ts';
import { createArmApi } from './create-arm-api.ts';

const { signal } = new AbortController();
const SCOPE = { subscriptionId: 's', nodeResourceGroup: 'nodes', location: 'eastus', retailPricesUrl: undefined };
const ID = '/CommunityGalleries/AKSUbuntu-1/images/2204gen2containerd/versions/2026.1.1';

const listed = (disk: Partial<Disk>) => {
  const pages = async function* () {
    yield await Promise.resolve({ name: 'aks-general-x7k2p', location: 'eastus', ...disk } as Disk);
  };
  const clients = { compute: { disks: { listByResourceGroup: pages } }, network: {} } as unknown as ArmClients;
  return createArmApi(clients, SCOPE, fakeClock()).listLooseDisks(signal);
};

test.each<[string, Partial<Disk>, string | undefined]>([
  [
    'from a gallery',
    { osType: 'Linux', creationData: { createOption: 'FromImage', galleryImageReference: { communityGalleryImageId: ID } } },
    ID,
  ],
  ['from an image by its id', { osType: 'Linux', creationData: { createOption: 'FromImage', imageReference: { id: ID } } }, ID],
  [
    'of data, whatever it was made from',
    { creationData: { createOption: 'FromImage', galleryImageReference: { id: ID, lun: 0 } } },
    undefined,
  ],
  ['of data, made empty', { creationData: { createOption: 'Empty' } }, undefined],
])('the image of a disk %s', async (_, disk, imageId) => {
  expect(await listed(disk)).toEqual([{ name: 'aks-general-x7k2p', createdAtMs: 0, imageId }]);
});

test('a disk that a machine holds is not loose', async () => {
  expect(await listed({ managedBy: '/vm' })).toEqual([]);
  expect(await listed({ diskState: 'Attached' })).toEqual([]);
});
