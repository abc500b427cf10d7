import type { KubeObject } from '@karpenter/runtime';
import { aDeployment } from '../../../../apps/controller/src/testing/clusters/objects.ts';

/** A Deployment of a scenario. */
export interface Workload {
  readonly name: string;
  readonly replicas: number;
  readonly cpu: string;
  readonly memory: string;
  /** Members of the pod's spec: affinity, spread. */
  readonly podSpec?: object;
}

type Manifest = KubeObject & { readonly spec: object };

const containers = ({ cpu, memory }: Pick<Workload, 'cpu' | 'memory'>): readonly object[] => [
  { name: 'app', image: 'app', resources: { requests: { cpu, memory } } },
];

export const benchDeployment = ({ name, replicas, podSpec, ...size }: Workload): Manifest =>
  aDeployment({ name, replicas, podSpec: { terminationGracePeriodSeconds: 1, containers: containers(size), ...podSpec } });

export const benchDaemonSet = ({ name, ...size }: Pick<Workload, 'name' | 'cpu' | 'memory'>): Manifest => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name, namespace: 'default' },
  spec: {
    selector: { matchLabels: { daemon: name } },
    template: { metadata: { labels: { daemon: name } }, spec: { containers: containers(size) } },
  },
});

export const aBudget = (app: string, maxUnavailable: number | string): Manifest => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: app, namespace: 'default' },
  spec: { maxUnavailable, selector: { matchLabels: { app } } },
});

const HOST = 'kubernetes.io/hostname';

/** At most one pod of all these apps on a host. */
export const alone = (...apps: readonly string[]): object => {
  const labelSelector = { matchExpressions: [{ key: 'app', operator: 'In', values: apps }] };
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, labelSelector }] } } };
};

/** As charts have it: rather not two on a host, and spread over zones if that can be had. */
export const softly = (app: string): object => {
  const labelSelector = { matchLabels: { app } };
  return {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: { topologyKey: HOST, labelSelector } }],
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ],
  };
};

/** A requirement of the NodePool. */
export type PoolRequirement = Readonly<{ key: string; operator: string; values: readonly string[] }>;

export const chosenOf = (key: string, ...values: readonly string[]): PoolRequirement => ({ key, operator: 'In', values });

/** The NodePool of a scenario, and its class. */
export const aPool = (requirements: readonly PoolRequirement[] = [], budget = '100%'): readonly Manifest[] => [
  {
    apiVersion: 'karpenter.kwok.sh/v1alpha1',
    kind: 'KWOKNodeClass',
    metadata: { name: 'default' },
    spec: { nodeRegistrationDelay: '10s' },
  },
  {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      template: {
        metadata: { labels: { generation: 'one' } },
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          expireAfter: 'Never',
          requirements: [
            chosenOf('kubernetes.io/os', 'linux'),
            chosenOf('kubernetes.io/arch', 'amd64'),
            chosenOf('karpenter.sh/capacity-type', 'on-demand'),
            ...requirements,
          ],
        },
      },
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s', budgets: [{ nodes: budget }] },
    },
  },
];
