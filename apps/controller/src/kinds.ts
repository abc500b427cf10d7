import { eventKind, type KindTable, kindTable, leaseKind, type ResourceKind } from '@karpenter/runtime';

const core = (kind: string, plural: string, namespaced = true): ResourceKind => ({ group: '', version: 'v1', kind, plural, namespaced });
const clusterScoped = (group: string, kind: string, plural: string): ResourceKind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

/** Every kind that the controller reads or writes, with those of its provider. */
export const kindsWith = (ofProvider: readonly ResourceKind[]): KindTable =>
  kindTable([
    core('Pod', 'pods'),
    core('Node', 'nodes', false),
    core('Namespace', 'namespaces', false),
    core('PersistentVolumeClaim', 'persistentvolumeclaims'),
    { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', namespaced: true },
    { group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true },
    clusterScoped('storage.k8s.io', 'VolumeAttachment', 'volumeattachments'),
    clusterScoped('karpenter.sh', 'NodePool', 'nodepools'),
    clusterScoped('karpenter.sh', 'NodeClaim', 'nodeclaims'),
    ...ofProvider,
    eventKind,
    leaseKind,
  ]);
