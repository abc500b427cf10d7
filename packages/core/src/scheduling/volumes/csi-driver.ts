import type { PersistentVolume, PersistentVolumeSource } from '../../kube/index.ts';

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
