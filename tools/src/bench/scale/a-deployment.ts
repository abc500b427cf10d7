import type { ApiObject } from '@karpenter/api-server';

/** What a deployment of the performance suite has beside its size. */
export interface DeploymentTraits {
  /** Maximum skew 1 over each of these labels, enforced. */
  readonly spreadOver?: readonly string[];
  /** No two of its pods on one host. */
  readonly isSolitary?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
}

const HOSTNAME = 'kubernetes.io/hostname';

/** Annotation and value with which a pod's node is left alone. */
export const doNotDisrupt: DeploymentTraits = { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } };
export const spreadOverHosts: DeploymentTraits = { spreadOver: [HOSTNAME] };
export const solitaryWorkload: DeploymentTraits = { isSolitary: true };

const affinityOf = (matchLabels: object): object => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOSTNAME, labelSelector: { matchLabels } }] },
});

/** Name, replicas, and what one of its pods asks for. */
export type DeploymentSize = readonly [name: string, replicas: number, cpu: string, memory: string];

/** A deployment as the original's `test.CreateDeploymentOptions` makes it. */
export const aDeployment = (size: DeploymentSize, traits: DeploymentTraits = {}): ApiObject & { readonly spec: object } => {
  const [name, replicas, cpu, memory] = size;
  const { spreadOver = [], isSolitary = false, annotations } = traits;
  const matchLabels = { app: name };
  const spread = spreadOver.map((topologyKey) => ({
    ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels } },
  }));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels },
      template: {
        metadata: { labels: matchLabels, ...(annotations === undefined ? {} : { annotations }) },
        spec: {
          containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu, memory } } }],
          ...(spread.length === 0 ? {} : { topologySpreadConstraints: spread }),
          ...(isSolitary ? { affinity: affinityOf(matchLabels) } : {}),
        },
      },
    },
  };
};
