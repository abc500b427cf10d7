import type { LocalApi } from '@karpenter/api-server';
import type { DaemonSetObject, Deployment, PodDisruptionBudgetObject } from '../objects/workload.ts';

const NAMESPACE = 'kube-system';

const resources = (cpu: string, memory: string) => ({ requests: { cpu, memory } });

const daemon = (name: string, cpu: string, memory: string): DaemonSetObject => {
  const labels = { 'k8s-app': name };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: NAMESPACE, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          priorityClassName: 'system-node-critical',
          hostNetwork: true,
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          tolerations: [{ operator: 'Exists' }],
          containers: [{ name, image: `mcr.microsoft.com/oss/kubernetes/${name}:v1`, resources: resources(cpu, memory) }],
        },
      },
    },
  };
};

const coredns = (): readonly [Deployment, PodDisruptionBudgetObject] => {
  const labels = { 'k8s-app': 'kube-dns' };
  const metadata = { name: 'coredns', namespace: NAMESPACE, labels };
  const tolerations = [{ key: 'CriticalAddonsOnly', operator: 'Exists' as const }];
  const containers = [{ name: 'coredns', image: 'mcr.microsoft.com/oss/kubernetes/coredns:v1.12.1', resources: resources('100m', '70Mi') }];
  const spec = { priorityClassName: 'system-cluster-critical', tolerations, containers };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { ...metadata, name: 'coredns-pdb' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    },
  ];
};

/** Where pods find the cluster's name service. */
export const DNS_SERVICE_IP = '10.0.0.10';

const dnsService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kube-dns', namespace: NAMESPACE, labels: { 'k8s-app': 'kube-dns' } },
  spec: { clusterIP: DNS_SERVICE_IP, selector: { 'k8s-app': 'kube-dns' }, ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] },
};

/** The class of claims that name none, as AKS has it. */
const defaultStorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'default', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'disk.csi.azure.com',
  parameters: { skuname: 'StandardSSD_LRS' },
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'WaitForFirstConsumer',
  allowVolumeExpansion: true,
};

/**
 * Creates what an AKS cluster runs of itself: name service on the system pool, the daemons that take their share of
 * every node, and the default storage class.
 */
export const createSystemWorkloads = (api: LocalApi): void => {
  api.create(dnsService);
  api.create(defaultStorageClass);
  for (const object of coredns()) api.create(object);
  api.create(daemon('cloud-node-manager', '50m', '50Mi'));
  api.create(daemon('azure-cns', '40m', '250Mi'));
  api.create(daemon('csi-azuredisk-node', '30m', '60Mi'));
};
