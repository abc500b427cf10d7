import type { NodePool } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import type { KubeObject } from '@karpenter/runtime';
import type { TestCluster } from './test-cluster.ts';

/** The class that the pools of the tests refer to. */
export const aNodeClass: ApiObject = { apiVersion: 'karpenter.azure.com/v1beta1', kind: 'AKSNodeClass', metadata: { name: 'default' } };

type Requirement = NodePool['spec']['template']['spec']['requirements'][number];

export const oneOf = (key: string, ...values: readonly string[]): Requirement => ({ key, operator: 'In', values });

/** A pool of on-demand D sizes that may replace all its nodes at once; `spec` says what is different. */
export const aPool = (requirements: readonly Requirement[] = [], spec: Partial<NodePool['spec']> = {}): NodePool & ApiObject => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general' },
  spec: {
    template: {
      spec: {
        requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf('karpenter.azure.com/sku-family', 'D'), ...requirements],
        nodeClassRef: { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' },
        expireAfter: 'Never',
      },
    },
    disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
    ...spec,
  },
});

/** What a pod of a deployment asks for. */
export interface Wanted {
  readonly name?: string;
  readonly replicas: number;
  readonly cpu?: string;
  readonly podSpec?: object;
  /** Of its pods, beside `app`. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Placeholder pods, one cpu each unless `cpu` says otherwise, with the label `app` of their deployment's name. */
export const aDeployment = ({
  name = 'inflate',
  replicas,
  cpu = '1',
  podSpec = {},
  labels = {},
}: Wanted): KubeObject & { readonly spec: object } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { ...labels, app: name } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }],
        ...podSpec,
      },
    },
  },
});

const PLUGIN = 'nvidia-device-plugin';
const PLUGINS_FOLDER = '/var/lib/kubelet/device-plugins';

/**
 * What makes the GPUs of NVIDIA nodes a resource that pods request: on AKS it is the user's to install. Source:
 * learn.microsoft.com, "Use GPUs for compute-intensive workloads on AKS".
 */
export const nvidiaDevicePlugin: ApiObject = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: PLUGIN, namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: PLUGIN } },
    template: {
      metadata: { labels: { app: PLUGIN } },
      spec: {
        priorityClassName: 'system-node-critical',
        nodeSelector: { 'karpenter.azure.com/sku-gpu-manufacturer': 'nvidia' },
        tolerations: [{ operator: 'Exists' }],
        containers: [
          {
            name: 'plugin',
            image: 'nvcr.io/nvidia/k8s-device-plugin:v0.18.1',
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
            volumeMounts: [{ name: 'plugins', mountPath: PLUGINS_FOLDER }],
          },
        ],
        volumes: [{ name: 'plugins', hostPath: { path: PLUGINS_FOLDER } }],
      },
    },
  },
} as ApiObject;

/** A pool of nodes of four cores. */
export const poolOfD4 = aPool([oneOf('node.kubernetes.io/instance-type', 'Standard_D4s_v3')]);

/** Pods of three cores: two fit on no node of four cores. */
export const podsOfThreeCores = (replicas: number): ApiObject => aDeployment({ replicas, cpu: '3' });

/** Scales the deployment of `aDeployment`. */
export const scaleInflate = ({ local }: Pick<TestCluster, 'local'>, replicas: number): void => {
  local.patch('Deployment', { namespace: 'default', name: 'inflate' }, { type: 'merge', body: { spec: { replicas } } });
};
