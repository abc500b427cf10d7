import { getOrMake } from '../../base/index.ts';
import type { ClaimedVolume, PersistentVolume, PersistentVolumeSource, Pod } from '../../kube/index.ts';
import type { ClusterSnapshot, NodeView, StorageView } from '../../cluster/index.ts';
import { claimedVolumesOf, labelOf } from '../../kube/index.ts';
import { claimOf, classNameOf } from './volume-claims.ts';
import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';

type InTreeSource = Exclude<keyof PersistentVolumeSource, 'csi' | 'local' | 'hostPath'>;

/** What each in-tree kind of volume is called as a provisioner, and the CSI driver that serves it now. */
const translations: Readonly<Record<InTreeSource, { readonly provisioner: string; readonly driver: string }>> = {
  awsElasticBlockStore: { provisioner: 'kubernetes.io/aws-ebs', driver: 'ebs.csi.aws.com' },
  azureDisk: { provisioner: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com' },
  azureFile: { provisioner: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com' },
  cinder: { provisioner: 'kubernetes.io/cinder', driver: 'cinder.csi.openstack.org' },
  gcePersistentDisk: { provisioner: 'kubernetes.io/gce-pd', driver: 'pd.csi.storage.gke.io' },
  portworxVolume: { provisioner: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com' },
  vsphereVolume: { provisioner: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com' },
};

const inTree = Object.entries(translations) as readonly [InTreeSource, { readonly provisioner: string; readonly driver: string }][];
const driverByProvisioner = new Map(inTree.map(([, { provisioner, driver }]) => [provisioner, driver]));

/**
 * The class of volumes that are not provisioned on demand: a node brings its own disks, or an administrator creates the
 * volumes.
 */
const NO_PROVISIONER = 'kubernetes.io/no-provisioner';

/**
 * The CSI driver behind a provisioner's name; the name itself where it is a driver's; undefined for volumes that no
 * driver attaches.
 */
export const driverOfProvisioner = (provisioner: string): string | undefined =>
  provisioner === NO_PROVISIONER ? undefined : (driverByProvisioner.get(provisioner) ?? provisioner);

/**
 * The CSI driver that attaches a volume; undefined for volumes that are not attached (a node's own disk, NFS).
 * Source: Kubernetes, `csi-translation-lib`. Differs: the original translates bound in-tree volumes of AWS only.
 */
export const driverOfVolume = ({ spec }: PersistentVolume): string | undefined =>
  spec?.csi?.driver ?? inTree.find(([source]) => spec?.[source] !== undefined)?.[1].driver;

/** A volume that is attached to the node of a pod; several pods of a node may share it. */
export interface AttachedVolume {
  /** `namespace/name`. */
  readonly claim: string;
  readonly driver: string;
}

const driverBehind = (claimed: ClaimedVolume, storage: StorageView): string | undefined => {
  const { volumes, classes } = storage;
  const claim = claimOf(claimed, storage);
  const volumeName = claim?.spec?.volumeName ?? '';
  if (volumeName === '') {
    const storageClass = claim && classes.get(classNameOf(claim, storage) ?? '');
    return storageClass && driverOfProvisioner(storageClass.provisioner);
  }
  const volume = volumes.get(volumeName);
  return volume && driverOfVolume(volume);
};

/** The volumes that a running pod has attached, whatever has become of its claims since. */
export const attachedVolumesOf = (pod: Pod, storage: StorageView): readonly AttachedVolume[] =>
  claimedVolumesOf(pod).flatMap((claimed) => {
    const driver = driverBehind(claimed, storage);
    return driver === undefined ? [] : [{ claim: claimed.claim, driver }];
  });

/** So many volumes no machine attaches: no limit is known. */
const UNLIMITED = 1_000_000;

/** How many volumes of a driver nodes and machines attach, as far as anybody has said. */
export interface AttachmentLimits {
  /** Drivers for which there is a limit somewhere. */
  readonly drivers: readonly string[];
  readonly ofNode: (node: NodeView, driver: string) => number;
  readonly ofType: (type: InstanceType, driver: string) => number;
}

/** Type name → driver → the least that a node of the type has stated. */
const inferredFrom = (nodes: readonly NodeView[]): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const inferred = new Map<string, Map<string, number>>();
  for (const { labels: own, volumeLimits } of nodes) {
    const name = own[labels.instanceType];
    if (name === undefined || volumeLimits === undefined) continue;
    const ofType = getOrMake(inferred, name, () => new Map<string, number>());
    for (const [driver, limit] of Object.entries(volumeLimits)) ofType.set(driver, Math.min(limit, ofType.get(driver) ?? UNLIMITED));
  }
  return inferred;
};

/**
 * What a node's drivers say goes first, then what is stated for its instance type, then what other nodes of the type say.
 * Differs: the original knows limits only on nodes whose drivers have registered, and so overfills the nodes that it plans.
 */
export const attachmentLimits = ({ nodes, nodePools }: ClusterSnapshot): AttachmentLimits => {
  const inferred = inferredFrom(nodes);
  const stated = new Map<string, Record<string, number>>();
  for (const { name, volumeLimits = {} } of nodePools.flatMap(({ instanceTypes }) => instanceTypes)) {
    const ofType = getOrMake(stated, name, (): Record<string, number> => ({}));
    // Pools may be offered one type in several ways: the least holds for all of them.
    for (const [driver, limit] of Object.entries(volumeLimits)) ofType[driver] = Math.min(limit, ofType[driver] ?? limit);
  }
  const ofTypeNamed = (name: string, driver: string): number => stated.get(name)?.[driver] ?? inferred.get(name)?.get(driver) ?? UNLIMITED;
  const drivers = new Set([...stated.values()].flatMap((limits) => Object.keys(limits)));
  for (const { volumeLimits = {} } of nodes) for (const driver of Object.keys(volumeLimits)) drivers.add(driver);
  return {
    drivers: [...drivers].sort(),
    ofNode: ({ labels: own, volumeLimits }, driver) =>
      volumeLimits?.[driver] ?? ofTypeNamed(labelOf(own, labels.instanceType) ?? '', driver),
    ofType: ({ name, volumeLimits }, driver) => volumeLimits?.[driver] ?? ofTypeNamed(name, driver),
  };
};
