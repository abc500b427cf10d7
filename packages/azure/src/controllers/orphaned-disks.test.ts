import { expect, test } from '@jest/globals';
import { fakeClock, silentLogger } from '@karpenter/runtime';
import type { AzureKube } from '../provider/azure-kube.ts';
import { nicAndDiskCollection } from './garbage-collection.ts';

const NODE_IMAGE = '/CommunityGalleries/AKSUbuntu-38d80f77-467a-481f-a8d4-09b6d4220bd2/images/2204gen2containerd/versions/2026.1.1';
const OWN_IMAGE = '/subscriptions/1/resourceGroups/mine/providers/Microsoft.Compute/galleries/golden/images/web/versions/1.0.0';
const NOW = 1_000_000_000;

interface Disk {
  readonly name: string;
  readonly imageId?: string;
  readonly createdAtMs?: number;
}

const deleted = async (disk: Disk, { pools = [] as string[], claims = [] as string[] } = {}): Promise<readonly string[]> => {
  const gone: string[] = [];
  const items = (names: readonly string[]) => names.map((name) => ({ metadata: { name } }));
  const controller = nicAndDiskCollection({
    kube: {
      list: (kind: string) => Promise.resolve({ items: kind === 'NodePool' ? items(pools) : items(claims) }),
    } as unknown as Pick<AzureKube, 'list'>,
    machines: { vms: () => Promise.resolve([]), nics: () => Promise.resolve([]) },
    arm: {
      listLooseDisks: () => Promise.resolve([{ createdAtMs: 0, imageId: undefined, ...disk }]),
      deleteNic: () => Promise.resolve(),
      deleteDisk: (name) => Promise.resolve(void gone.push(name)),
    },
    clock: fakeClock(NOW),
    logger: silentLogger,
  });
  await controller.reconcile({ signal: new AbortController().signal });
  return gone;
};

test('a disk of a pool that is there is known by its name and the image of nodes', async () => {
  expect(await deleted({ name: 'aks-general-by-hand', imageId: NODE_IMAGE }, { pools: ['general'] })).toEqual(['aks-general-by-hand']);
});

test.each([
  ['no image', undefined],
  ['an image of the user', OWN_IMAGE],
])("a user's disk of %s is left alone, though it is named like a pool's", async (_, imageId) => {
  const disk = { name: 'aks-general-postgres', ...(imageId !== undefined && { imageId }) };
  expect(await deleted(disk, { pools: ['general'] })).toEqual([]);
});

test.each(['aks-general-x7k2p', 'aks-general-xk2p9vbt'])(
  '%s, a disk of a pool that is gone, is known by the form of its name and the image of nodes',
  async (name) => {
    expect(await deleted({ name, imageId: NODE_IMAGE })).toEqual([name]);
  },
);

test('a disk of a pool whose name has dots is known by its name', async () => {
  expect(await deleted({ name: 'aks-a-b-c-by-hand', imageId: NODE_IMAGE }, { pools: ['a.b.c'] })).toEqual(['aks-a-b-c-by-hand']);
});

test.each([
  ['a disk from an image of the user', { name: 'aks-general-x7k2p', imageId: OWN_IMAGE }],
  ['a disk of a scale set of AKS', { name: 'aks-nodepool1-12345678-vmss_aks-nodepool1-1_OsDisk_1_ab12', imageId: NODE_IMAGE }],
  ['a disk with an id of AKS in its name', { name: 'aks-nodepool1-24567892', imageId: NODE_IMAGE }],
  ['a volume', { name: 'pvc-3b1f', imageId: undefined }],
  ['a disk that was just made', { name: 'aks-general-x7k2p', imageId: NODE_IMAGE, createdAtMs: NOW - 60_000 }],
])('%s is left alone', async (_name, disk) => {
  expect(await deleted(disk as Disk)).toEqual([]);
});

test.each(['aks-general-12345678-vms0_OsDisk_1_ab12', 'aks-general-12345678-vms0', 'aks-general-x7k2p_OsDisk_1_ab12'])(
  'F13: %s, a disk of an AKS pool of virtual machines that is named like a NodePool, is left alone',
  async (name) => {
    expect(await deleted({ name, imageId: NODE_IMAGE }, { pools: ['general'] })).toEqual([]);
  },
);

test('a disk whose claim is there is left alone: its machine may be on the way', async () => {
  expect(await deleted({ name: 'aks-general-x7k2p', imageId: NODE_IMAGE }, { claims: ['general-x7k2p'] })).toEqual([]);
});
