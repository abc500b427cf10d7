import type { KubeObject } from '@karpenter/runtime';
import type { StoryCluster } from './story-cluster.ts';

/** The driver whose disks the machines of the simulated cloud attach, two to a core. */
const DISK_DRIVER = 'disk.csi.simulated.test';

/** Disks that are made in the zone of their first pod. */
export const aDiskClass = (): KubeObject & { readonly provisioner: string } & Record<string, unknown> => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'disk' },
  provisioner: DISK_DRIVER,
  volumeBindingMode: 'WaitForFirstConsumer',
});

/** Pods of one cpu, or as much as is said, each with a disk of its own. */
export const aDiskStatefulSet = (replicas: number, cpu = '1'): KubeObject & { readonly spec: object } => ({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db', namespace: 'default' },
  spec: {
    replicas,
    serviceName: 'db',
    podManagementPolicy: 'Parallel',
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'db', resources: { requests: { cpu } } }] },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { storageClassName: 'disk', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
});

/** A disk that is there already, in a zone, and the claim of the same name that it is bound to. */
export const aDiskIn = (zone: string, name: string): readonly KubeObject[] => {
  const matchExpressions = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }];
  const size = { storage: '1Gi' };
  const volume = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
    spec: {
      ...{ capacity: size, accessModes: ['ReadWriteOnce'], claimRef: { namespace: 'default', name } },
      csi: { driver: DISK_DRIVER, volumeHandle: name },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
    },
  };
  const claim = {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name, namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: name, accessModes: ['ReadWriteOnce'], resources: { requests: size } },
  };
  return [volume, claim];
};

interface Disk extends KubeObject {
  readonly spec: {
    readonly claimRef?: { readonly name: string };
    readonly nodeAffinity?: {
      readonly required?: {
        readonly nodeSelectorTerms: readonly { readonly matchExpressions?: readonly { readonly values: readonly string[] }[] }[];
      };
    };
  };
}

/** Pod name → the zone of the disk that was made for it. */
export const zonesOfDisks = async (story: StoryCluster): Promise<ReadonlyMap<string, string | undefined>> => {
  const { items } = await story.kube.list<Disk>('PersistentVolume');
  return new Map(
    items.map(({ spec }) => [
      spec.claimRef?.name.replace('data-', '') ?? '',
      spec.nodeAffinity?.required?.nodeSelectorTerms[0]?.matchExpressions?.[0]?.values[0],
    ]),
  );
};

/** Pod name → the zone that it runs in. */
export const zonesOfPods = async (story: StoryCluster): Promise<ReadonlyMap<string, string | undefined>> => {
  const zoneOf = new Map((await story.nodes()).map(({ metadata }) => [metadata.name, metadata.labels?.['topology.kubernetes.io/zone']]));
  return new Map((await story.pods()).map(({ metadata, spec }) => [metadata.name, zoneOf.get(spec.nodeName ?? '')]));
};
