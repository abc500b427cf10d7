import type { AcceptanceCase, Stage } from './stage.ts';
import {
  aClass,
  claimsOn,
  disruptPods,
  machineIdsOn,
  machinesOn,
  nodesOn,
  onlyD4,
  onlyOf,
  pods,
  podsAlone,
  poolOf,
  replaced,
  same,
  scale,
  settledOn,
  SIZE,
  undisrupted,
} from './stage-objects.ts';
import { oneOf } from '../clusters/objects.ts';

const ENCRYPTION = 'NODE_OSDISK_DISKENCRYPTIONSET_ID';
const NETWORK_LABELS = {
  'kubernetes.azure.com/ebpf-dataplane': 'cilium',
  'kubernetes.azure.com/azure-cni-overlay': 'true',
  'kubernetes.azure.com/podnetwork-type': 'overlay',
};

/**
 * Runs with a controller that encrypts the disks of its machines, and leaves one that does not. AKS takes the set of
 * the cluster for its own.
 */
const encrypted = async (stage: Stage, run: (setId: string) => Promise<void>): Promise<void> => {
  const setId = await stage.diskEncryptionSet();
  await stage.restart({ [ENCRYPTION]: setId });
  try {
    await run(setId);
  } finally {
    await stage.restart({});
  }
};

const osDiskOn = async (stage: Stage) => onlyOf('machine', await machinesOn(stage)).properties.storageProfile.osDisk;

const sameSet = (disk: Awaited<ReturnType<typeof osDiskOn>>, setId: string): void =>
  same('disk encryption set', disk.managedDisk?.diskEncryptionSet?.id.toLowerCase(), setId.toLowerCase());

/** Cases that need something beside the cluster, or change the cluster itself: the upgrade comes last. */
export const clusterCases: readonly AcceptanceCase[] = [
  {
    suite: 'acr',
    title: 'a pod of an image in the registry of the cluster runs',
    isFast: true,
    run: async (stage) => {
      const image = await stage.registryImage();
      const containers = [{ name: 'main', image, resources: { requests: { cpu: '3' } } }];
      await stage.create(aClass(), onlyD4, pods({ replicas: 1, podSpec: { containers } }));
      await settledOn(stage, 1, 1);
    },
  },
  {
    suite: 'byok',
    title: 'a managed OS disk is encrypted with the key of the user',
    isFast: true,
    isOfAgentPool: false,
    run: (stage) =>
      encrypted(stage, async (setId) => {
        await stage.create(
          aClass(),
          poolOf([oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf(SIZE, 'Standard_D2s_v5')]),
          pods({ replicas: 1, cpu: '1' }),
        );
        await settledOn(stage, 1, 1);
        const disk = await osDiskOn(stage);
        same('place of the disk', disk.diffDiskSettings?.option, undefined);
        sameSet(disk, setId);
      }),
  },
  {
    suite: 'byok',
    title: 'an ephemeral OS disk is encrypted with the key of the user',
    isOfAgentPool: false,
    run: (stage) =>
      encrypted(stage, async (setId) => {
        await stage.create(
          aClass({ osDiskSizeGB: 64 }),
          poolOf([oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf(SIZE, 'Standard_D8s_v3')]),
          pods({ replicas: 1 }),
        );
        await settledOn(stage, 1, 1);
        const disk = await osDiskOn(stage);
        same('place of the disk', disk.diffDiskSettings?.option, 'Local');
        sameSet(disk, setId);
      }),
  },
  {
    suite: 'machine',
    title: 'AKS gives its machines the labels of the network',
    isOfAgentPool: true,
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      const { labels = {} } = onlyOf('node', await nodesOn(stage)).metadata;
      for (const [label, value] of Object.entries(NETWORK_LABELS)) same(label, labels[label], value);
    },
  },
  {
    suite: 'machine',
    title: 'another kubelet identity of the cluster replaces machines of AKS, once their pods may be disrupted',
    isOfAgentPool: true,
    run: async (stage) => {
      const before = await podsAlone(stage, 2, undisrupted(pods({ replicas: 2 })));
      await stage.changeKubeletIdentity();
      const haveDrifted = async (): Promise<boolean> =>
        (await claimsOn(stage)).every(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'Drifted' && is === 'True'),
        );
      await stage.until('all claims have drifted', haveDrifted, 30);
      same('machines', await machineIdsOn(stage), before);
      await disruptPods(stage);
      await replaced(stage, before);
    },
  },
  {
    suite: 'machine',
    title: 'nodes come and go while the cluster is updated',
    isFast: true,
    run: async (stage) => {
      await podsAlone(stage, 2);
      const ended = await stage.startUpdate();
      await scale(stage, 3);
      await settledOn(stage, 3, 3);
      await scale(stage, 1);
      await settledOn(stage, 1, 1);
      await ended();
      await settledOn(stage, 1, 1);
    },
  },
  {
    suite: 'kubernetesupgrade',
    title: 'nodes of the version before the upgrade give way to others',
    isFast: true,
    run: async (stage) => {
      await stage.create(aClass(), onlyD4, pods({ replicas: 1 }));
      await settledOn(stage, 1, 1);
      const version = await stage.upgrade();
      const areNew = async (): Promise<boolean> =>
        (await nodesOn(stage)).every(({ status }) => status?.nodeInfo?.kubeletVersion === `v${version}`);
      await stage.until(`all nodes run ${version}`, areNew, 60);
      await settledOn(stage, 1, 1);
    },
  },
];
